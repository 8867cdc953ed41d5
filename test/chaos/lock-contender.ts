/**
 * A process that takes the lock of a folder repeatedly, as fast as possible, and each time leaves it behind like a
 * process that died. While it has the lock it has a file `owner` that no other process may have. Started by a message
 * over Node's channel; ends when the channel closes.
 */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../src/host/host-error.ts';
import { lockFolder } from '../../src/host/folder-lock.ts';

export interface ContenderOrder {
  readonly folder: string;
  /** The id of a process that has ended. */
  readonly deadPid: number;
  readonly attempts: number;
}

export interface ContenderReport {
  readonly owned: number;
  /** How often another process had the folder at the same time. */
  readonly shared: number;
  /** The errors of `lockFolder` other than `DATA_DIR_HELD`. */
  readonly failures: readonly string[];
}

process.on('message', (order: ContenderOrder) => {
  process.send?.(contend(order));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

function contend({ folder, deadPid, attempts }: ContenderOrder): ContenderReport {
  let owned = 0;
  let shared = 0;
  const failures: string[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      lockFolder(folder);
    } catch (error) {
      if (!(error instanceof HostError && error.code === 'DATA_DIR_HELD')) failures.push(String(error));
      continue;
    }
    owned += 1;
    if (!ownsAlone(join(folder, 'owner'))) shared += 1;
    const stale = join(folder, `stale-${process.pid}`);
    writeFileSync(stale, JSON.stringify({ pid: deadPid, started: `${process.pid} ${attempt}` }));
    renameSync(stale, join(folder, 'lock'));
  }
  return { owned, shared, failures: failures.slice(0, 3) };
}

function ownsAlone(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
  } catch {
    return false;
  }
  rmSync(path, { force: true });
  return true;
}
