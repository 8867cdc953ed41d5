import { setTimeout as wait } from 'node:timers/promises';

/** Chromium was seen to need 10 to 30 of it; on a busy machine more, and then the icon comes with the host. In milliseconds. */
const usuallyThereMs = 50;

/**
 * Leaves the thread to Chromium until the new icon is usually in the tray.
 *
 * On Linux an icon is put up by half a dozen messages over the bus, each answered on this very thread, and nothing tells
 * when the last has gone. Whoever goes on with half a second of work at once keeps the tray empty for as long.
 */
export async function letIconAppear(): Promise<void> {
  if (process.platform === 'linux') await wait(usuallyThereMs);
}
