import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test as withApp } from './launch-app.ts';
import { Panel } from './panel.ts';

interface Fixtures {
  panel: Panel;
  windowManager: ChildProcess;
}

/** The app on a desktop with a panel that shows tray icons, or with a window manager; `launch-app.ts` alone has neither. */
export const test = withApp.extend<Fixtures>({
  // Without one nobody minimises a window.
  windowManager: async ({}, use) => {
    const child = spawn('openbox', { stdio: 'ignore' });
    await once(child, 'spawn');
    await use(child);
    child.kill('SIGTERM');
  },
  panel: async ({}, use) => {
    const panel = await Panel.start();
    await use(panel);
    await panel.close();
  },
});
