import { execFile } from 'node:child_process';
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

/** The address of the session's bus. Without it the tool would start a new bus, which would keep running. */
function sessionBus(env: NodeJS.ProcessEnv): string | undefined {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return env['DBUS_SESSION_BUS_ADDRESS'];
  return env['XDG_RUNTIME_DIR'] ? `unix:path=${env['XDG_RUNTIME_DIR']}/bus` : undefined;
}
