import { askSessionBus } from '../ask-session-bus.ts';

/** Long enough for a daemon that the bus starts when it is first called, in milliseconds. */
const answerLimitMs = 5_000;

/**
 * Whether something on this desktop shows notices now.
 *
 * On Linux that is a program on the session's message bus. Electron calls it on the main thread: one that hangs would hold
 * the whole service up, 25 seconds a call (measured), and one that comes only later would get its clicks lost, for Electron
 * asks what it can do only once. So it is asked here before. Where nobody can say, a daemon is believed in.
 */
export async function isNoticeDaemonThere(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  const answer = await askSessionBus({
    destination: 'org.freedesktop.Notifications',
    path: '/org/freedesktop/Notifications',
    method: 'org.freedesktop.Notifications.GetServerInformation',
    answerLimitMs,
  });
  return answer !== null;
}
