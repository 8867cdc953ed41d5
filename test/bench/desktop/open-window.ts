import { setTimeout as wait } from 'node:timers/promises';
import { DesktopApp, type Launch } from './desktop-app.ts';
import type { WindowLaunch } from './launches.ts';
import { PageWatch } from './page-watch.ts';

const debugging = '--remote-debugging-port=0';

/** Launches an app and ends it. Returns the time from the launch to its window, in milliseconds. */
export async function openAtLaunch(launch: WindowLaunch): Promise<number> {
  const app = new DesktopApp(launch, debugging);
  try {
    const watch = await PageWatch.connect(await app.debuggingAddress());
    const readyAtMs = await app.whileUp(watch.readyAtMs(launch.isReady));
    watch.close();
    return readyAtMs - app.launchedAtMs;
  } finally {
    await app.end();
  }
}

/** Launches a running app once more. Returns the time from then to its window, in milliseconds. */
export async function openAgain(launch: WindowLaunch, app: DesktopApp): Promise<number> {
  const watch = await PageWatch.connect(await app.debuggingAddress());
  const again = new DesktopApp(launch);
  const readyAtMs = await app.whileUp(watch.readyAtMs(launch.isReady));
  await again.ended();
  watch.close();
  return readyAtMs - again.launchedAtMs;
}

/** Like a person who closes it. */
export async function closeWindow(app: DesktopApp): Promise<void> {
  const watch = await PageWatch.connect(await app.debuggingAddress());
  await watch.run('window.close()');
  watch.close();
}

/** Runs something with an app that has been running without a window for a while, and ends it. */
export async function whileHidden<T>(
  launch: Launch,
  settledMs: number,
  act: (app: DesktopApp) => Promise<T>,
): Promise<T> {
  const app = new DesktopApp(launch, '--hidden', debugging);
  try {
    await app.debuggingAddress();
    await wait(settledMs);
    return await act(app);
  } finally {
    await app.end();
  }
}
