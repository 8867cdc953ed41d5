import { execFile } from 'node:child_process';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import {
  backgroundServiceProblem,
  type BackgroundServiceProblem,
  type StartTime,
} from '../text/cli/cli-background-service.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { commandIo } from './command-io.ts';
import { programDir } from './own-command.ts';
import { windowsProgram } from '../system/start-program.ts';
import {
  launchdAgent,
  launchdLabel,
  type ServiceFacts,
  systemAccountDefinition,
  systemdSystemUnit,
  systemdUserUnit,
  systemStateDir,
  windowsTask,
} from './service-definition.ts';

/** A file that belongs to an installed service. */
export interface ServiceFile {
  readonly path: string;
  readonly content: string | Buffer;
  readonly mode: 0o600 | 0o644;
}

/** What starts programs in the background on one kind of system. */
export interface ServiceRunner {
  /** The file that says that the service is installed. */
  readonly file: string;
  readonly dataDir: (chosen: string) => string;
  /** Where a passphrase is written that is made for the service. */
  readonly passphraseFile: (dataDir: string) => string;
  /** Whether the program gets the passphrase by itself, not by an argument. */
  readonly givesPassphrase: boolean;
  /** All files of the service, the first of which is `file`. */
  files(facts: ServiceFacts, passphraseFile: string | null): readonly ServiceFile[];
  /** Throws a failure if it cannot be used here. */
  check(): Promise<void>;
  /** Enables and starts the service whose files were written. Throws a failure. */
  enable(): Promise<void>;
  /** When it starts from now on. */
  startTime(): Promise<StartTime>;
  /** Whether `disable` would end the program without letting it finish its work, so that it has to be asked before. */
  readonly endsHard: boolean;
  /** Stops and disables it, as far as it goes; the files are removed after `disable` and before `forget`. */
  disable(): Promise<void>;
  forget(): Promise<void>;
  state(): Promise<{ readonly isEnabled: boolean; readonly isRunning: boolean }>;
  /** The last message of the service; null where none is known. */
  lastMessage(): Promise<string | null>;
}

/** The built command line, also when this runs from source. */
export const builtScript = join(programDir, 'out', 'cli', 'index.js');

const unitName = 'rotavox.service';
const accountFile = '/etc/sysusers.d/rotavox.conf';

/** What runs services on this system. Throws wrong usage, or a failure that says what to do. */
export function serviceRunner({
  isSystem,
  logFile,
}: {
  readonly isSystem: boolean;
  readonly logFile: string;
}): ServiceRunner {
  if (isSystem) {
    if (process.platform !== 'linux') throw failure({ code: 'system_on_linux_only' }, exitCodes.wrongUsage);
    return systemd('system');
  }
  if (process.platform === 'win32') return scheduledTask();
  return process.platform === 'darwin' ? launchd(logFile) : systemd('user');
}

function systemd(scope: 'user' | 'system'): ServiceRunner {
  const isSystem = scope === 'system';
  const home = commandIo().env['HOME'] ?? homedir();
  const configured = commandIo().env['XDG_CONFIG_HOME'];
  const config = configured?.startsWith('/') === true ? configured : join(home, '.config');
  const file = isSystem ? join('/etc/systemd/system', unitName) : join(config, 'systemd', 'user', unitName);
  const scoped = isSystem ? [] : ['--user'];
  const systemctl = (...args: string[]): Promise<Ended> => run('systemctl', [...scoped, ...args]);
  return {
    file,
    dataDir: (chosen) => (isSystem ? join(systemStateDir, 'data') : chosen),
    passphraseFile: (dataDir) =>
      isSystem ? '/etc/rotavox/vault-passphrase' : join(dataDir, '..', 'vault-passphrase'),
    givesPassphrase: isSystem,
    endsHard: false,
    files: (facts, passphraseFile) =>
      isSystem
        ? [
            { path: file, content: systemdSystemUnit(facts, { passphraseFile }), mode: 0o644 },
            { path: accountFile, content: systemAccountDefinition, mode: 0o644 },
          ]
        : [{ path: file, content: systemdUserUnit(facts), mode: 0o644 }],
    async check() {
      if (isSystem && process.getuid?.() !== 0) throw failure({ code: 'not_root' });
      const { code } = await systemctl('show-environment');
      if (code === 'ENOENT') throw failure({ code: 'no_systemd' });
      if (code !== 0) throw failure({ code: isSystem ? 'no_systemd' : 'no_user_systemd' });
    },
    async enable() {
      if (isSystem) await mustRun('systemd-sysusers', [accountFile]);
      await mustRun('systemctl', [...scoped, 'daemon-reload']);
      await mustRun('systemctl', [...scoped, 'enable', '--now', unitName]);
    },
    async startTime() {
      if (isSystem) return 'boot';
      const { username } = userInfo();
      const { output } = await run('loginctl', ['show-user', '--property=Linger', '--value', username]);
      const lingers = output.trim() === 'yes' || (await run('loginctl', ['enable-linger'])).code === 0;
      return lingers ? 'boot' : 'sign_in';
    },
    async disable() {
      await systemctl('disable', '--now', unitName);
    },
    async forget() {
      await systemctl('daemon-reload');
      await systemctl('reset-failed', unitName);
    },
    async state() {
      const [enabled, active] = [
        await systemctl('is-enabled', unitName),
        await systemctl('is-active', unitName),
      ];
      return { isEnabled: enabled.code === 0, isRunning: active.code === 0 };
    },
    async lastMessage() {
      const args = [...scoped, '--unit', unitName, '--lines', '20', '--output', 'cat', '--no-pager'];
      const { code, output } = await run('journalctl', args);
      const messages = output
        .split('\n')
        .filter(
          (line) =>
            line !== '' &&
            !/systemd|^(?:Started|Starting|Stopped|Stopping|Scheduled|rotavox\.service:)/.test(line),
        );
      return code === 0 ? (messages.at(-1) ?? null) : null;
    },
  };
}

function launchd(logFile: string): ServiceRunner {
  const file = join(homedir(), 'Library', 'LaunchAgents', `${launchdLabel}.plist`);
  const domain = `gui/${userInfo().uid}`;
  const target = `${domain}/${launchdLabel}`;
  return {
    ...ofOwnAccount,
    file,
    files: (facts) => [{ path: file, content: launchdAgent(facts), mode: 0o644 }],
    check: async () => undefined,
    enable: () => mustRun('launchctl', ['bootstrap', domain, file]),
    async disable() {
      await run('launchctl', ['bootout', target]);
    },
    async state() {
      const { code, output } = await run('launchctl', ['print', target]);
      return { isEnabled: code === 0, isRunning: /^[ \t]*state = running$/m.test(output) };
    },
    async lastMessage() {
      const { output } = await run('tail', ['-n', '1', logFile]);
      return output.trim() || null;
    },
  };
}

const taskName = 'Rotavox';
const schtasks = windowsProgram('schtasks.exe');

function scheduledTask(): ServiceRunner {
  const appData = commandIo().env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  const file = join(appData, 'Rotavox', 'service-task.xml');
  return {
    ...ofOwnAccount,
    file,
    // Windows has no signal that asks a program to end.
    endsHard: true,
    // schtasks reads UTF-16 with its mark.
    files: (facts) => [
      { path: file, content: Buffer.from(`\uFEFF${windowsTask(facts)}`, 'utf16le'), mode: 0o644 },
    ],
    check: async () => undefined,
    async enable() {
      await mustRun(schtasks, ['/Create', '/TN', taskName, '/XML', file]);
      await mustRun(schtasks, ['/Run', '/TN', taskName]);
    },
    async disable() {
      await run(schtasks, ['/End', '/TN', taskName]);
      await run(schtasks, ['/Delete', '/TN', taskName, '/F']);
    },
    async state() {
      // A number in every language: 267009 is SCHED_S_TASK_RUNNING.
      const { code, output } = await run(schtasks, ['/Query', '/TN', taskName, '/V', '/FO', 'CSV', '/NH']);
      return { isEnabled: code === 0, isRunning: output.includes('267009') };
    },
    lastMessage: async () => null,
  };
}

/** What is the same for services that a person's own session starts, with its keychain. */
const ofOwnAccount = {
  dataDir: (chosen: string) => chosen,
  passphraseFile: (dataDir: string) => join(dataDir, '..', 'vault-passphrase'),
  givesPassphrase: false,
  endsHard: false,
  startTime: async (): Promise<StartTime> => 'sign_in',
  forget: async () => undefined,
} as const;

interface Ended {
  /** The exit code, or why the program could not be run. */
  readonly code: number | string;
  readonly output: string;
}

/** The time limit of a call, in milliseconds. A stop waits for the service to finish. */
const callLimitMs = 90_000;

function run(program: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...commandIo().env, LC_ALL: 'C' };
    execFile(program, args, { env, timeout: callLimitMs }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? (error === null ? 0 : 'killed'), output: stdout + stderr });
    });
  });
}

async function mustRun(program: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(program, args);
  if (code === 0) return;
  const [line = ''] = output.trim().split('\n').slice(-1);
  const reason = line === '' ? String(code) : line;
  throw failure({ code: 'refused', command: [program, ...args].join(' '), reason });
}

/** A failure of a command about the service, with what to do. */
export function failure(
  problem: BackgroundServiceProblem,
  exitCode: CommandFailure['exitCode'] = exitCodes.failed,
  cause?: unknown,
): CommandFailure {
  return new CommandFailure(exitCode, backgroundServiceProblem(problem), { cause });
}
