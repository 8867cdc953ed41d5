import { app } from 'electron';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DesktopSwitch } from '../contract/window/bridge.ts';
import { loginText } from '../text/service/desktop-text.ts';
import { ownAppImage } from './updates/replace-app-image.ts';
import { autostartEntry, isAutostartOn } from './autostart-entry.ts';
import { hiddenFlag } from './start-options.ts';

/** Whether the app opens, hidden, at login: read from the system, where the person may have changed it. */
export function readOpenAtLogin(): DesktopSwitch {
  if (process.platform === 'linux') {
    return { isOn: isAutostartOn(readAutostart() ?? 'Hidden=true'), isPossible: true, note: null };
  }
  if (process.platform !== 'darwin' && process.platform !== 'win32') {
    return notPossible(loginText.unsupported);
  }
  if (!app.isPackaged) return notPossible(loginText.notInstalled);
  const { openAtLogin, executableWillLaunchAtLogin, status } = app.getLoginItemSettings(loginItem());
  const note = status === 'requires-approval' ? loginText.needsApproval : null;
  // Windows: switching it off in the task manager does not change our entry.
  const isOn = process.platform === 'win32' ? executableWillLaunchAtLogin : openAtLogin;
  return { isOn, isPossible: true, note };
}

/** Changes it and returns the new state. */
export function setOpenAtLogin(isOn: boolean): DesktopSwitch {
  const before = readOpenAtLogin();
  if (!before.isPossible) return before;
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ ...loginItem(), openAtLogin: isOn });
    return readOpenAtLogin();
  }
  try {
    if (isOn) writeAutostart();
    else rmSync(autostartPath(), { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { ...before, note: loginText.notChanged(autostartPath(), code ?? String(error)) };
  }
  return readOpenAtLogin();
}

/**
 * Updates the entry of an installed app that was moved.
 *
 * A checkout, or an app with another data folder, does not change the entry, because it belongs to another installation.
 */
export function refreshAutostart(): void {
  if (process.platform !== 'linux' || !app.isPackaged || process.env['ROTAVOX_DATA_DIR']) return;
  const entry = readAutostart();
  const isOurs = entry !== undefined && isAutostartOn(entry) && !entry.includes('ROTAVOX_DATA_DIR');
  if (isOurs && entry !== ownEntry()) setOpenAtLogin(true);
}

function notPossible(note: string): DesktopSwitch {
  return { isOn: false, isPossible: false, note };
}

function loginItem() {
  return process.platform === 'win32' ? { args: [hiddenFlag] } : {};
}

function autostartPath(): string {
  return join(configHome(process.env), 'autostart', 'rotavox.desktop');
}

/** As the XDG Base Directory Specification has it: empty counts as not set. */
function configHome(env: NodeJS.ProcessEnv): string {
  const asked = env['XDG_CONFIG_HOME'];
  return asked === undefined || asked === '' ? join(homedir(), '.config') : asked;
}

function readAutostart(): string | undefined {
  try {
    return readFileSync(autostartPath(), 'utf8');
  } catch {
    return undefined; // no entry: off
  }
}

function writeAutostart(): void {
  mkdirSync(dirname(autostartPath()), { recursive: true, mode: 0o700 });
  writeFileSync(autostartPath(), ownEntry());
}

function ownEntry(): string {
  return autostartEntry(loginCommand(), ownProgram());
}

/** An AppImage runs from a mount that is removed when it ends. */
function ownProgram(): string {
  return ownAppImage(process) ?? process.execPath;
}

/** The command that starts this app, hidden, with the same data folder. */
function loginCommand(): string[] {
  const settings = ['ROTAVOX_DATA_DIR', 'ROTAVOX_PORT'].flatMap((name) =>
    process.env[name] ? [`${name}=${process.env[name]}`] : [],
  );
  return [
    ...(settings.length > 0 ? ['env', ...settings] : []),
    ownProgram(),
    ...(app.isPackaged
      ? []
      : [...process.argv.slice(1).filter((one) => one.startsWith('--no-sandbox')), app.getAppPath()]),
    hiddenFlag,
  ];
}
