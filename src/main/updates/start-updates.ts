/*
 * New versions of this program: found, fetched and installed from the feed that the owner set, each at a click.
 *
 * Here: the states and what the menu and a notification say of them (pure), the order of the steps (updates.ts), and the
 * only user of electron-updater (electron-updater-source.ts), which says what protects and what does not. Not here: the
 * menu itself, the setting, the end of the program. Start reading at update-state.ts, then updates.ts.
 */
import { app } from 'electron';
import { ElectronUpdaterSource, usualLimits } from './electron-updater-source.ts';
import type { UpdateLimits } from './electron-updater-source.ts';
import { findUpdateTarget } from './find-update-target.ts';
import type { UpdateTarget } from './find-update-target.ts';
import type { UpdateParts } from './updates.ts';
import { Updates } from './updates.ts';

export interface UpdateOptions extends Pick<UpdateParts, 'feed' | 'beforeInstall' | 'onChange'> {
  readonly limits?: UpdateLimits;
}

/** Updates of the program that runs. Asks nobody for anything while no feed is set. */
export function startUpdates({ limits = usualLimits, ...parts }: UpdateOptions): Updates {
  return new Updates({
    ...parts,
    means: () => {
      const target = targetOfThisProgram();
      if (target.kind === 'none') return { kind: 'obstacle', why: target.why };
      return { kind: 'source', open: (feed) => new ElectronUpdaterSource(feed, target, limits) };
    },
    clock: Date.now,
    startTimer: (ms, act) => {
      const timeout = setTimeout(act, ms);
      timeout.unref();
      return () => {
        clearTimeout(timeout);
      };
    },
  });
}

function targetOfThisProgram(): UpdateTarget {
  const { platform, execPath, resourcesPath, env } = process;
  return findUpdateTarget({ platform, isPackaged: app.isPackaged, execPath, resourcesPath, env });
}
