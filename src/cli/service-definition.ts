import { backgroundServiceName } from '../text/cli/cli-background-service.ts';

// see decisions/background-service.md
/** Everything that a system has to know to run a service; each system writes it in its own format. */
export interface ServiceFacts {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** A file for messages, where the system collects none. */
  readonly logFile: string;
}

/** The exit code after which a restart does not help: wrong usage. */
const noRestartCode = 2;
const restartAfterSeconds = 5;
/** Longer than the service needs to finish what it has acknowledged. */
const stopSeconds = 30;

/**
 * A systemd unit of an account. It has no sandbox: targets of credentials run commands as the person would, and write
 * where the person may.
 */
export function systemdUserUnit({ command }: ServiceFacts): string {
  return unit({
    before: [],
    service: [execStart(command)],
    wantedBy: 'default.target',
  });
}

/** Where the system service keeps its data: `StateDirectory` of its unit. */
export const systemStateDir = '/var/lib/rotavox';

/**
 * A systemd unit of the machine, with an account of its own and the sandbox of a network service.
 *
 * Without MemoryDenyWriteExecute, because V8 compiles at run time. `ProtectSystem=strict` also keeps targets from writing
 * anywhere but to the state directory: an owner allows more in a drop-in with ReadWritePaths.
 */
export function systemdSystemUnit(
  { command }: ServiceFacts,
  { passphraseFile }: { readonly passphraseFile: string | null },
): string {
  const credential =
    passphraseFile === null
      ? []
      : [
          // systemd reads the file as root and shows a copy to this service only, at %d.
          `LoadCredential=vault-passphrase:${systemdPath(passphraseFile)}`,
          'Environment=ROTAVOX_VAULT=file',
          'Environment=ROTAVOX_VAULT_PASSPHRASE_FILE=%d/vault-passphrase',
        ];
  return unit({
    before: ['Wants=network-online.target', 'After=network-online.target'],
    service: [
      execStart(command),
      ...credential,
      `User=${systemAccount}`,
      `Group=${systemAccount}`,
      `StateDirectory=${systemAccount}`,
      'StateDirectoryMode=0700',
      'CapabilityBoundingSet=',
      'LockPersonality=yes',
      'NoNewPrivileges=yes',
      'PrivateDevices=yes',
      'PrivateTmp=yes',
      'ProtectClock=yes',
      'ProtectControlGroups=yes',
      'ProtectHome=yes',
      'ProtectHostname=yes',
      'ProtectKernelLogs=yes',
      'ProtectKernelModules=yes',
      'ProtectKernelTunables=yes',
      'ProtectProc=invisible',
      'ProtectSystem=strict',
      'RemoveIPC=yes',
      // Netlink is how names are resolved and interfaces are found.
      'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
      'RestrictNamespaces=yes',
      'RestrictRealtime=yes',
      'RestrictSUIDSGID=yes',
      'SystemCallArchitectures=native',
      'SystemCallFilter=@system-service',
      'SystemCallErrorNumber=EPERM',
    ],
    wantedBy: 'multi-user.target',
  });
}

const systemAccount = 'rotavox';

/** The account of the system service, for systemd-sysusers. */
export const systemAccountDefinition = `u ${systemAccount} - "Rotavox" ${systemStateDir} -\n`;

function unit({
  before,
  service,
  wantedBy,
}: {
  readonly before: readonly string[];
  readonly service: readonly string[];
  readonly wantedBy: string;
}): string {
  return [
    '# Written by `rotavox service install`. Changes belong in a drop-in: systemctl edit rotavox',
    '[Unit]',
    `Description=${backgroundServiceName}`,
    ...before,
    '',
    '[Service]',
    'Type=exec',
    ...service,
    'Restart=on-failure',
    `RestartSec=${restartAfterSeconds}`,
    `RestartPreventExitStatus=${noRestartCode}`,
    `TimeoutStopSec=${stopSeconds}`,
    'UMask=0077',
    '',
    '[Install]',
    `WantedBy=${wantedBy}`,
    '',
  ].join('\n');
}

function execStart(command: readonly string[]): string {
  return `ExecStart=${command.map(systemdWord).join(' ')}`;
}

/** One word of a command line: in quotes, with specifiers (%), variables ($) and control characters escaped. */
function systemdWord(word: string): string {
  const escaped = word
    .replace(/[\\"]/g, '\\$&')
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')
    .replace(/\p{Cc}/gu, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${escaped}"`;
}

/** A path in a setting that takes no quotes. */
function systemdPath(path: string): string {
  return path.replaceAll('%', '%%');
}

export const launchdLabel = 'com.rotavox.service';

/** A launchd agent of an account. */
export function launchdAgent({ command, logFile }: ServiceFacts): string {
  const array = (items: readonly string[]): string =>
    items.map((item) => `    <string>${xml(item)}</string>`).join('\n');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>\n  <string>${launchdLabel}</string>`,
    `  <key>ProgramArguments</key>\n  <array>\n${array(command)}\n  </array>`,
    '  <key>RunAtLoad</key>\n  <true/>',
    '  <key>KeepAlive</key>\n  <dict>\n    <key>SuccessfulExit</key>\n    <false/>\n  </dict>',
    `  <key>ThrottleInterval</key>\n  <integer>${restartAfterSeconds}</integer>`,
    `  <key>ExitTimeOut</key>\n  <integer>${stopSeconds}</integer>`,
    '  <key>Umask</key>\n  <integer>63</integer>',
    `  <key>StandardErrorPath</key>\n  <string>${xml(logFile)}</string>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/**
 * A scheduled task of an account, for `schtasks /Create /XML`.
 *
 * `conhost --headless` runs the program without a console window.
 */
export function windowsTask({ command }: ServiceFacts): string {
  const args = ['--headless', ...command].map(windowsWord).join(' ');
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo>',
    `    <Description>${xml(backgroundServiceName)}</Description>`,
    '  </RegistrationInfo>',
    '  <Triggers>\n    <LogonTrigger>\n      <Enabled>true</Enabled>\n    </LogonTrigger>\n  </Triggers>',
    '  <Principals>\n    <Principal id="Author">\n      <LogonType>InteractiveToken</LogonType>\n      <RunLevel>LeastPrivilege</RunLevel>\n    </Principal>\n  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <StartWhenAvailable>true</StartWhenAvailable>',
    '    <Hidden>true</Hidden>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <RestartOnFailure>\n      <Interval>PT1M</Interval>\n      <Count>999</Count>\n    </RestartOnFailure>',
    '  </Settings>',
    '  <Actions Context="Author">\n    <Exec>',
    '      <Command>conhost.exe</Command>',
    `      <Arguments>${xml(args)}</Arguments>`,
    '    </Exec>\n  </Actions>',
    '</Task>',
    '',
  ].join('\r\n');
}

/** An argument as the C runtime of Windows splits a command line: https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments */
function windowsWord(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)\\+$/, '$&$&')}"`;
}

function xml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (one) => entities[one] ?? one);
}
