import type { Bench } from '../bench.ts';
import { prepareLaunches } from '../desktop/launches.ts';
import { measureIdling } from '../desktop/measure-idling.ts';
import { measureStarts } from '../desktop/measure-starts.ts';
import { measureAfterWindow, measureWindows } from '../desktop/measure-windows.ts';
import { fullPlan, quickPlan } from '../desktop/plan.ts';
import { startSession } from '../desktop/start-session.ts';
import { TrayWatch } from '../desktop/tray-watch.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

/** The tray and a window, compared with minimal apps on the same Electron, on a separate desktop. */
export const desktop: Bench = {
  name: 'desktop',
  title: 'the desktop app beside an Electron hello world',
  isLong: true,
  async run({ quick }) {
    const plan = quick ? quickPlan : fullPlan;
    const scratch = createScratchFolder('desktop');
    const session = await startSession();
    try {
      const tray = await TrayWatch.start(session.env);
      const launches = await prepareLaunches(scratch, session.env);
      const goals = [
        ...(await measureStarts(launches, tray, plan)),
        ...(await measureIdling(launches, tray, plan)),
        ...(await measureWindows(launches, plan)),
        ...(quick ? [] : await measureAfterWindow(launches, plan)),
      ];
      if (quick) console.log('  A second launch and memory after a window are measured without --quick.\n');
      await tray.close();
      return goals;
    } finally {
      await session.close();
      removeScratchFolder(scratch);
    }
  },
};
