/*
 * New versions of this program: found, downloaded and installed from the feed that the owner set, each after a click.
 *
 * In this folder: the states (update-state.ts), the order of the steps (run-updates.ts), the signed list (update-list.ts) and
 * the requests (feed-source.ts, which describes the protection). The text is in text/service/updates-text.ts. Start reading at
 * contract/service/update.ts, then run-updates.ts.
 */
import { app } from 'electron';
import { join } from 'node:path';
import { FeedSource, type FeedSourceParts, type Target, usualLimits } from './feed-source.ts';
import { findUpdateTarget } from './find-update-target.ts';
import { startSeparately } from './replace-app-image.ts';
import { readUpdateKey } from './update-list.ts';
import { type UpdateMeans, type UpdateParts, Updates } from './run-updates.ts';

export interface UpdateOptions extends Pick<UpdateParts, 'feed' | 'beforeInstall' | 'onChange'> {
  /** The way to the feed. */
  readonly network: FeedSourceParts['network'];
}

/** Starts the updates of this program. No request is made while no feed is set. */
export function startUpdates({ network, ...options }: UpdateOptions): Updates {
  return new Updates({
    ...options,
    means: () => meansOfThisProgram(network),
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

function meansOfThisProgram(network: FeedSourceParts['network']): UpdateMeans {
  const { platform, arch, execPath, resourcesPath, env } = process;
  const target = findUpdateTarget({ platform, isPackaged: app.isPackaged, execPath, resourcesPath, env });
  if (target.kind === 'none') return { kind: 'obstacle', why: target.why };
  const key = readUpdateKey(join(resourcesPath, 'update-key.pem'));
  if (key === null) return { kind: 'obstacle', why: { code: 'no_key' } };
  const running = { platform, arch, runningVersion: app.getVersion() };
  const parts = {
    key,
    target,
    running,
    limits: usualLimits,
    network,
    start: starterOf(target),
    quit: () => app.quit(),
  };
  return { kind: 'source', open: (feed) => new FeedSource({ ...parts, feed }) };
}

function starterOf(target: Target): FeedSourceParts['start'] {
  if (target.kind === 'nsis') {
    const flags = { installer: ['--force-run'], silent_installer: ['/S'], new_version: [] };
    return (file, step) => startSeparately(file, ['--updated', ...flags[step]]);
  }
  return async (file) => {
    app.releaseSingleInstanceLock(); // otherwise the new one would find this one running, and end
    await startSeparately(
      file,
      process.argv.slice(1).filter((argument) => argument.startsWith('--')),
    );
  };
}
