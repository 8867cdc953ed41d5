import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The first look is soon after the start, for at login the panel and we start together; then it doubles up to the second. */
const firstLookMs = 1_000;
const longestLookMs = 60_000;

/** How long the bus may take to answer, in milliseconds. */
const answerLimitMs = 2_000;

/**
 * Whether something on this desktop shows tray icons.
 *
 * On Linux that is a StatusNotifier host on the session's message bus, and often there is none. Asked with the bus's own
 * program, which is there where the bus is; where the program is missing, nobody can say, and a tray is believed in.
 */
export async function isTrayHostThere(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  const address = sessionBus(process.env);
  if (address === undefined) return false;
  try {
    const { stdout } = await execute(
      'dbus-send',
      [
        `--bus=${address}`,
        '--print-reply',
        `--reply-timeout=${answerLimitMs}`,
        '--dest=org.kde.StatusNotifierWatcher',
        '/StatusNotifierWatcher',
        'org.freedesktop.DBus.Properties.Get',
        'string:org.kde.StatusNotifierWatcher',
        'string:IsStatusNotifierHostRegistered',
      ],
      { timeout: 2 * answerLimitMs },
    );
    return stdout.includes('boolean true');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** The address of the session's bus. Left to find it by itself, the program would start one, which would stay behind. */
function sessionBus(env: NodeJS.ProcessEnv): string | undefined {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return env['DBUS_SESSION_BUS_ADDRESS'];
  return env['XDG_RUNTIME_DIR'] ? `unix:path=${env['XDG_RUNTIME_DIR']}/bus` : undefined;
}

/**
 * Looks until a tray host is there, and then calls back, once.
 *
 * Chromium puts an icon back when a panel restarts, but not into one that appears only after the icon was made. Returns
 * how to stop looking.
 */
export function onceTrayHostIsThere(callback: () => void): () => void {
  let nextLook: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lookAfter = (waitMs: number): void => {
    nextLook = setTimeout(() => {
      void isTrayHostThere().then((isThere) => {
        if (isStopped) return;
        if (isThere) callback();
        else lookAfter(Math.min(waitMs * 2, longestLookMs));
      });
    }, waitMs);
  };
  lookAfter(firstLookMs);
  return () => {
    isStopped = true;
    clearTimeout(nextLook);
  };
}
