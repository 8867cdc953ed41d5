/*
 * New versions of this program: found, downloaded and installed from the feed that the owner set, each after a click.
 *
 * In this folder: the states (update-state.ts), the order of the steps (updates.ts), and the only user of electron-updater
 * (electron-updater-source.ts, which describes the protection). The text is in text/updates.ts. Start reading at
 * contract/update.ts, then updates.ts.
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

/** Starts the updates of this program. No request is made while no feed is set. */
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
