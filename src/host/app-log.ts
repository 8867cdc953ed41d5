import { existsSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appLogFolder } from '../contract/service/data-dir.ts';

const keptRuns = 5;
const logName = /^app-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.log$/;

export interface AppLog {
  readonly path: string;
  /** Open for appending. */
  readonly fd: number;
}

/**
 * Begins the log of a run, for the account alone, and removes those of the oldest runs.
 *
 * Null where there is no data folder yet, or it takes no file: the host says why, and nothing may be made there before it
 * has looked at the folder.
 */
export function beginAppLog(dataDir: string, now: Date): AppLog | null {
  if (!existsSync(dataDir)) return null;
  const folder = join(dataDir, appLogFolder);
  const path = join(folder, `app-${now.toISOString().replaceAll(/[:.]/g, '-')}.log`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const runs = readdirSync(folder).filter((name) => logName.test(name));
    for (const name of runs.sort().slice(0, -keptRuns + 1)) rmSync(join(folder, name), { force: true });
    return { path, fd: openSync(path, 'a', 0o600) };
  } catch {
    return null;
  }
}

/** Whether stderr is a file already: that of the command that started the app. */
export function isLogged(): boolean {
  try {
    return fstatSync(2).isFile();
  } catch {
    return false; // it is closed
  }
}
