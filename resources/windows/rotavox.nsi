; The installer for Windows: for one account, without administrator rights, with the plugins that every NSIS has.
;
; src/launcher/windows-installer.ts gives VERSION, FILE_VERSION, ARCH, LISTS, OUT, ICON, SIZE_KB, FAST for a quick one that
; is larger, and SIGN, a command that signs a file.
; Switches: /S silent, /D=FOLDER, /AUTOSTART, /NOPATH, --updated (from a running Rotavox), --force-run (start it afterwards).
; Exit codes: 0 done, 1 cancelled, 2 failed (Rotavox still runs, or a file could not be written).
; see src/decisions/windows-installer.md
ManifestDPIAware true
ManifestLongPathAware true
RequestExecutionLevel user
!ifdef FAST
  SetCompress off
!else
  SetCompressor /SOLID lzma
  SetCompressorDictSize 64
!endif
!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WinVer.nsh
!include WinMessages.nsh
!include Win\COM.nsh
!include Win\Propkey.nsh
!include Integration.nsh
!include x64.nsh

!define NAME "Rotavox"
!define APP_ID "com.rotavox.desktop"
!define SCHEME "rotavox"
!define UNINSTALLER "Uninstall ${NAME}.exe" ; src/main/updates/find-update-target.ts looks for it.
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${APP_ID}"
!define RUN_KEY "Software\Microsoft\Windows\CurrentVersion\Run" ; Electron names the entry after the app's id
!define APPROVED_KEY "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
VIProductVersion "${FILE_VERSION}"
VIAddVersionKey ProductName "${NAME}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "${NAME} Setup"
VIAddVersionKey CompanyName "Rotavox contributors"
VIAddVersionKey LegalCopyright "Copyright © Rotavox contributors"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${LISTS}/side.bmp"
!define MUI_COMPONENTSPAGE_NODESC ; the names say it, and need the room
!define MUI_ABORTWARNING
BrandingText "${NAME} ${VERSION}"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\${NAME}.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

!ifdef SIGN
  !finalize '${SIGN} "%1"'
  !uninstfinalize '${SIGN} "%1"'
!endif

Var updated
Var forceRun

; The search path of the account can be of any length, and NSIS cuts texts at 1024 characters. So it is changed in memory of
; the System plugin: r1 the key, r2 its type, r3 bytes, r4 the value, r5 the value between semicolons, r6 ";folder;", r7 where
; that is in it, r8 and r9 for what is short-lived.
!macro PATH_OPEN
  System::Call 'advapi32::RegOpenCurrentUser(i 0xF003F, *p .r0) i .r9'
  System::Call 'advapi32::RegCreateKeyExW(p r0, w "Environment", i 0, p 0, i 0, i 0xF003F, p 0, *p .r1, p 0) i .r9'
  StrCpy $2 2 ; REG_EXPAND_SZ where there is none yet
  StrCpy $3 0
  System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, *i .r8, p 0, *i .r3) i .r9'
  ${If} $9 = 0
    StrCpy $2 $8
  ${Else}
    StrCpy $3 0
  ${EndIf}
  IntOp $8 $3 + 4096
  System::Alloc $8
  Pop $4
  System::Alloc $8
  Pop $5
  ${If} $3 > 0
    System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, p 0, p r4, *i r8) i .r9'
  ${EndIf}
  System::Call 'kernel32::lstrcpyW(p r5, w ";")'
  System::Call 'kernel32::lstrcatW(p r5, p r4)'
  System::Call 'kernel32::lstrcatW(p r5, w ";")'
  StrCpy $6 ";$INSTDIR\resources\bin;"
  System::Call 'shlwapi::StrStrIW(p r5, w r6) p .r7'
!macroend
!macro PATH_CLOSE
  System::Free $4
  System::Free $5
  System::Call 'advapi32::RegCloseKey(p r1)'
  System::Call 'advapi32::RegCloseKey(p r0)'
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend
!macro PATH_WRITE
  System::Call 'kernel32::lstrlenW(p r4) i .r8'
  IntOp $8 $8 + 1
  IntOp $8 $8 * 2
  System::Call 'advapi32::RegSetValueExW(p r1, w "Path", i 0, i r2, p r4, i r8) i .r9'
!macroend
Function AddToPath
  !insertmacro PATH_OPEN
  ${If} $7 P= 0
    System::Call 'kernel32::lstrlenW(p r4) i .r8'
    ${If} $8 > 0
      IntOp $8 $8 - 1
      IntOp $8 $8 * 2
      IntPtrOp $9 $4 + $8
      System::Call '*$9(&w1 .r8)'
      ${If} $8 != ";"
        System::Call 'kernel32::lstrcatW(p r4, w ";")'
      ${EndIf}
    ${EndIf}
    System::Call 'kernel32::lstrcatW(p r4, w "$INSTDIR\resources\bin")'
    !insertmacro PATH_WRITE
  ${EndIf}
  !insertmacro PATH_CLOSE
FunctionEnd
Function un.RemoveFromPath
  !insertmacro PATH_OPEN
  ${If} $7 P<> 0
    ${DoWhile} $7 P<> 0
      StrLen $8 $6
      IntOp $8 $8 - 1
      IntOp $8 $8 * 2
      IntPtrOp $9 $7 + $8
      System::Call 'kernel32::lstrlenW(p r9) i .r8'
      IntOp $8 $8 + 1
      IntOp $8 $8 * 2
      System::Call 'kernel32::RtlMoveMemory(p r7, p r9, p r8)'
      System::Call 'shlwapi::StrStrIW(p r5, w r6) p .r7'
    ${Loop}
    ; Without the two semicolons that were put around it
    IntPtrOp $9 $5 + 2
    System::Call 'kernel32::lstrcpyW(p r4, p r9)'
    System::Call 'kernel32::lstrlenW(p r4) i .r8'
    ${If} $8 > 0
      IntOp $8 $8 - 1
      IntOp $8 $8 * 2
      IntPtrOp $9 $4 + $8
      System::Call '*$9(&i2 0)'
    ${EndIf}
    System::Call 'kernel32::lstrlenW(p r4) i .r8'
    ${If} $8 = 0
      System::Call 'advapi32::RegDeleteValueW(p r1, w "Path")'
    ${Else}
      !insertmacro PATH_WRITE
    ${EndIf}
  ${EndIf}
  !insertmacro PATH_CLOSE
FunctionEnd

; A program that runs cannot be written. The app is asked to quit, then has 40 seconds, as src/main/quit-other.ts allows; so has
; whatever started an update. "rotavox serve" has two seconds. Then a person is asked, and a silent installation fails.
!macro WHEN_ENDED un
Function ${un}WhenEnded
  StrCpy $1 0
  StrCpy $3 4
  ${If} $updated = 1
    StrCpy $3 80
  ${EndIf}
  again:
  StrCpy $2 ""
  ${If} ${FileExists} "$INSTDIR\${NAME}.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\${NAME}.exe" a
    ${If} ${Errors}
      StrCpy $2 "${NAME}"
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
  ${If} ${FileExists} "$INSTDIR\resources\bin\rotavox.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\resources\bin\rotavox.exe" a
    ${If} ${Errors}
      StrCpy $2 "the command rotavox"
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
  ${If} $2 != ""
    ${If} $1 = 0
    ${AndIf} $2 == "${NAME}"
      Exec '"$INSTDIR\${NAME}.exe" --quit'
      StrCpy $3 80
    ${EndIf}
    IntOp $1 $1 + 1
    ${If} $1 <= $3
      Sleep 500
      Goto again
    ${EndIf}
    IfSilent failed
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$2 still runs. Quit it (tray icon, Quit), and end 'rotavox serve'. Then try again." IDRETRY retry
    failed:
    SetErrorLevel 2
    Quit
    retry:
    StrCpy $1 0
    Goto again
  ${EndIf}
FunctionEnd
!macroend
!insertmacro WHEN_ENDED ""
!insertmacro WHEN_ENDED "un."

!macro SWITCH name var
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "${name}" $1
  StrCpy ${var} 1
  ${If} ${Errors}
    StrCpy ${var} 0
  ${EndIf}
!macroend

Section "${NAME}" SecApp
  SectionIn RO
  Call WhenEnded
  SetOverwrite on
  ClearErrors
  ; Files of an older version that this one no longer has.
  ${If} ${FileExists} "$INSTDIR\${UNINSTALLER}"
    RMDir /r "$INSTDIR\resources"
    RMDir /r "$INSTDIR\locales"
  ${EndIf}
  !include "${LISTS}/install.nsh"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\${UNINSTALLER}"
  ${If} ${Errors}
    SetErrorLevel 2
    Abort "Not every file could be written to $INSTDIR."
  ${EndIf}
  ; Notifications need a start menu entry with the id that the app gives itself
  !insertmacro ComHlpr_CreateInProcInstance ${CLSID_ShellLink} ${IID_IShellLink} r0 ""
  ${If} $0 P<> 0
    ${IShellLink::SetPath} $0 '("$INSTDIR\${NAME}.exe").r1'
    ${IShellLink::SetWorkingDirectory} $0 '("$PROFILE").r1'
    ${IShellLink::SetDescription} $0 '("Rotates API tokens and designs phone menus").r1'
    ${IShellLink::SetIconLocation} $0 '("$INSTDIR\${NAME}.exe", 0).r1'
    ${IUnknown::QueryInterface} $0 '("${IID_IPropertyStore}",.r1)'
    ${If} $1 P<> 0
      System::Call '*${SYSSTRUCT_PROPERTYKEY}(${PKEY_AppUserModel_ID})p.r2'
      System::Call 'kernel32::lstrlenW(w "${APP_ID}") i .r5'
      IntOp $5 $5 + 1
      IntOp $5 $5 * 2
      System::Call 'ole32::CoTaskMemAlloc(p r5) p .r4'
      System::Call 'kernel32::lstrcpyW(p r4, w "${APP_ID}")'
      System::Call '*${SYSSTRUCT_PROPVARIANT}(${VT_LPWSTR},,p r4)p.r3'
      ${IPropertyStore::SetValue} $1 '($2,$3)'
      System::Call 'ole32::CoTaskMemFree(p r4)'
      System::Free $2
      System::Free $3
      ${IPropertyStore::Commit} $1 ""
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::QueryInterface} $0 '("${IID_IPersistFile}",.r1)'
    ${If} $1 P<> 0
      ${IPersistFile::Save} $1 '("$SMPROGRAMS\${NAME}.lnk",1)'
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::Release} $0 ""
  ${EndIf}
  WriteRegStr HKCU "Software\Classes\${SCHEME}" "" "URL:${SCHEME}"
  WriteRegStr HKCU "Software\Classes\${SCHEME}" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\${SCHEME}\DefaultIcon" "" "$INSTDIR\${NAME}.exe,0"
  WriteRegStr HKCU "Software\Classes\${SCHEME}\shell\open\command" "" '"$INSTDIR\${NAME}.exe" -- "%1"'
  WriteRegStr HKCU "Software\Classes\AppUserModelId\${APP_ID}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "Rotavox contributors"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\${NAME}.exe,0"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\${UNINSTALLER}"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\${UNINSTALLER}" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${SIZE_KB}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  ${NotifyShell_AssocChanged}
SectionEnd

Section "Command rotavox in every terminal" SecPath
  Call AddToPath
SectionEnd

Section /o "Open at sign-in, in the tray" SecLogin
  WriteRegStr HKCU "${RUN_KEY}" "${APP_ID}" '"$INSTDIR\${NAME}.exe" --hidden'
SectionEnd

Section -last
  ${If} $forceRun = 1
    Exec '"$INSTDIR\${NAME}.exe" --hidden'
  ${EndIf}
SectionEnd

Function .onInit
  ; Windows on ARM runs programs for x64, too.
  ${If} ${ARCH} == "arm64"
  ${AndIfNot} ${IsNativeARM64}
    MessageBox MB_OK|MB_ICONSTOP "This installer of ${NAME} is for ARM processors. Download the one for x64." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  ${IfNot} ${AtLeastWin10}
  ${OrIfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "${NAME} needs a 64-bit Windows 10 or newer." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  SetRegView 64
  SetShellVarContext current
  !insertmacro SWITCH "--updated" $updated
  !insertmacro SWITCH "--force-run" $forceRun
  !insertmacro SWITCH "/AUTOSTART" $2
  ${If} $2 = 1
    !insertmacro SelectSection ${SecLogin}
  ${EndIf}
  !insertmacro SWITCH "/NOPATH" $2
  ${If} $2 = 1
    !insertmacro UnselectSection ${SecPath}
  ${EndIf}
  ${If} $updated = 1 ; leaves what the person chose before
    !insertmacro UnselectSection ${SecPath}
    !insertmacro UnselectSection ${SecLogin}
  ${EndIf}
FunctionEnd

Function un.onInit
  SetRegView 64
  SetShellVarContext current
  StrCpy $updated 0
FunctionEnd

; The data of the person (%APPDATA%\Rotavox, Credential Manager) are kept.
Section un.Install
  Call un.WhenEnded
  Call un.RemoveFromPath
  nsExec::Exec '"$SYSDIR\schtasks.exe" /End /TN Rotavox'
  Pop $0
  nsExec::Exec '"$SYSDIR\schtasks.exe" /Delete /TN Rotavox /F'
  Pop $0
  Delete "$SMPROGRAMS\${NAME}.lnk"
  ReadRegStr $0 HKCU "Software\Classes\${SCHEME}\shell\open\command" ""
  StrLen $1 '"$INSTDIR\${NAME}.exe"'
  StrCpy $0 $0 $1
  ${If} $0 == '"$INSTDIR\${NAME}.exe"' ; not where another installation has it
    DeleteRegKey HKCU "Software\Classes\${SCHEME}"
  ${EndIf}
  DeleteRegKey HKCU "Software\Classes\AppUserModelId\${APP_ID}"
  DeleteRegValue HKCU "${RUN_KEY}" "${APP_ID}"
  DeleteRegValue HKCU "${APPROVED_KEY}" "${APP_ID}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  !include "${LISTS}/uninstall.nsh"
  Delete "$INSTDIR\${UNINSTALLER}"
  SetOutPath "$TEMP"
  RMDir "$INSTDIR"
  ${NotifyShell_AssocChanged}
SectionEnd
