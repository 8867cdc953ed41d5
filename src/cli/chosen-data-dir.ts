import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { dataDirOf } from '../contract/service/data-dir.ts';
import { inputProblem } from '../text/cli/cli.ts';
import { wrongUsage } from './command-failure.ts';
import { commandIo } from './command-io.ts';

/** Options that every command has. */
export interface GlobalOptions {
  readonly dataDir?: string | undefined;
  /** The address of a host for a team, or `none`. In `serve` the address to listen on. */
  readonly host?: string;
}

/** The data folder that a command is about, as an absolute path. */
export function chosenDataDir({ dataDir }: GlobalOptions): string {
  if (dataDir === '') throw wrongUsage(inputProblem.dataDir);
  return resolve(
    dataDir ?? dataDirOf({ environment: commandIo().env, platform: process.platform, homeDir: homedir() }),
  );
}
