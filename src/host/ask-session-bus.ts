import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface BusQuestion {
  readonly destination: string;
  readonly path: string;
  readonly method: string;
  /** As `dbus-send` takes them: `string:…`. */
  readonly given?: readonly string[];
  /** How long the bus may take to answer, in milliseconds. */
  readonly answerLimitMs: number;
}

/** Whether something on this desktop shows tray icons: the answer then has `boolean true`. */
export const trayHostQuestion = {
  destination: 'org.kde.StatusNotifierWatcher',
  path: '/StatusNotifierWatcher',
  method: 'org.freedesktop.DBus.Properties.Get',
  given: ['string:org.kde.StatusNotifierWatcher', 'string:IsStatusNotifierHostRegistered'],
} as const;

/** The signals after which that may be different. */
export const trayHostSignals = [
  "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.kde.StatusNotifierWatcher'",
  "type='signal',interface='org.kde.StatusNotifierWatcher',member='StatusNotifierHostRegistered'",
  "type='signal',interface='org.kde.StatusNotifierWatcher',member='StatusNotifierHostUnregistered'",
] as const;

/** Whether something on this desktop shows notifications: then there is an answer. */
export const notificationsQuestion = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  method: 'org.freedesktop.Notifications.GetServerInformation',
} as const;

/**
 * Calls a program on the session's message bus; null for no answer, `undefined` if that cannot be determined.
 *
 * In a separate process, so that a call that hangs does not block ours, with the bus's own tool, which is installed with
 * the bus.
 */
export async function askSessionBus(question: BusQuestion): Promise<string | null | undefined> {
  const { destination, path, method, given = [], answerLimitMs } = question;
  const address = sessionBus(process.env);
  if (address === undefined) return null;
  try {
    const { stdout } = await execute(
      'dbus-send',
      [
        `--bus=${address}`,
        '--print-reply',
        `--reply-timeout=${answerLimitMs}`,
        `--dest=${destination}`,
        path,
        method,
        ...given,
      ],
      { timeout: 2 * answerLimitMs },
    );
    return stdout;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

/**
 * Calls back for each signal of the session's message bus that fits one of the rules, as `dbus-monitor` takes them. Returns how to end
 * that; nothing happens where there is no bus or no such tool.
 *
 * Nothing wakes up while there is no signal. The shell around the tool ends it with this program, however that ends.
 */
export function watchSessionBus(rules: readonly string[], onSignal: () => void): () => void {
  const address = sessionBus(process.env);
  if (address === undefined) return () => undefined;
  const child = spawn('/bin/sh', ['-c', watching, 'dbus-monitor', '--address', address, ...rules], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Not with the terminal of this program: Ctrl+C there is for this program, whose end ends the shell.
    detached: true,
  });
  child.on('error', () => undefined); // no shell
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // The tool first tells of its own name.
    if (/^signal .*member=(?!NameAcquired|NameLost)/m.test(text)) onSignal();
  });
  child.unref();
  return () => child.stdin.end();
}

/** In the background a shell lets its programs ignore Ctrl+C, so it ends the tool itself, whatever ends the shell. */
const watching = `trap 'kill $!' INT TERM HUP; "$0" "$@" & read -r _; kill $!`;

/** The address of the session's bus. Without it the tool would start a new bus, which would keep running. */
function sessionBus(env: NodeJS.ProcessEnv): string | undefined {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return env['DBUS_SESSION_BUS_ADDRESS'];
  return env['XDG_RUNTIME_DIR'] ? `unix:path=${env['XDG_RUNTIME_DIR']}/bus` : undefined;
}
