import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { privateFolder } from './durable-file.ts';

/** What we put into a data folder, and what we call it while it is being made (`state.json.new`, `lock.4711`). */
const ourNames =
  /^(?:journal|recordings|window-profile|(?:state|replay-keys|runtime|vault)\.json(?:\..+)?|lock(?:\..+)?)$/;

/**
 * Makes a data folder, and those above it; it is its owner's alone.
 *
 * One that is there and has things of others in it keeps its mode, for they may be meant to be read; what we put into
 * it is private by itself.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: privateFolder });
  if (readdirSync(folder).every((name) => ourNames.test(name))) chmodSync(folder, privateFolder);
}
