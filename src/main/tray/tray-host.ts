import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The first look is soon after the start, for at login the panel and we start together; then it doubles up to the second. */
const firstLookMs = 1_000;
const longestLookMs = 60_000;

/**
 * Whether something on this desktop shows tray icons.
 *
 * On Linux that is a StatusNotifier host on the session's message bus, and often there is none. Asked with the bus's own
 * program, which is there where the bus is; where it is not, nobody can say, and a tray is believed in.
 */
export async function isTrayHostThere(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  try {
    const { stdout } = await execute('dbus-send', [
      '--session',
      '--print-reply',
      '--reply-timeout=2000',
      '--dest=org.kde.StatusNotifierWatcher',
      '/StatusNotifierWatcher',
      'org.freedesktop.DBus.Properties.Get',
      'string:org.kde.StatusNotifierWatcher',
      'string:IsStatusNotifierHostRegistered',
    ]);
    return stdout.includes('boolean true');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/**
 * Looks until a tray host is there, and then calls back, once.
 *
 * Chromium puts an icon back when a panel restarts, but not into one that appears only after the icon was made. Returns
 * how to stop looking.
 */
export function onceTrayHostIsThere(callback: () => void): () => void {
  let nextLook: NodeJS.Timeout;
  const lookAfter = (waitMs: number): void => {
    nextLook = setTimeout(() => {
      void isTrayHostThere().then((isThere) => {
        if (isThere) callback();
        else lookAfter(Math.min(waitMs * 2, longestLookMs));
      });
    }, waitMs);
  };
  lookAfter(firstLookMs);
  return () => {
    clearTimeout(nextLook);
  };
}
