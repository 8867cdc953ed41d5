import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Long enough for a daemon that the bus starts when it is first called, in milliseconds. */
const answerLimitMs = 5_000;

/**
 * Whether something on this desktop shows notices now.
 *
 * On Linux that is a program on the session's message bus. Electron calls it on the main thread: one that hangs would hold
 * the whole service up, 25 seconds a call (measured), and one that comes only later would get its clicks lost, for Electron
 * asks what it can do only once. So it is asked here before, in a process of its own: by the bus's own program, which is
 * there where the bus is. Where it is not, nobody can say, and a daemon is believed in.
 */
export async function isNoticeDaemonThere(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    await execute(
      'dbus-send',
      [
        '--session',
        '--print-reply',
        `--reply-timeout=${answerLimitMs}`,
        '--dest=org.freedesktop.Notifications',
        '/org/freedesktop/Notifications',
        'org.freedesktop.Notifications.GetServerInformation',
      ],
      { timeout: 2 * answerLimitMs },
    );
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
