import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../client/create-client.ts';
import { RuntimeFile } from '../contract/portal.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';

/**
 * The running service of a data folder, by the `runtime.json` that it keeps there while it runs.
 *
 * Throws a failure with exit code 3 when there is none: no file, or one whose process is gone.
 */
export function findService(dataDir: string): Connection {
  const { pid, base_url: baseUrl, portal_key: portalKey } = readRuntimeFile(dataDir);
  if (!isAlive(pid) || !isOurs(pid, dataDir)) {
    throw notRunning(dataDir, `Process ${pid}, which ran there last, is gone without having said goodbye.`);
  }
  return { baseUrl, authorization: `Bearer ${portalKey}` };
}

/** The failure of every command that needs the service, when it is not there. */
export function notRunning(dataDir: string, detail?: string, cause?: unknown): CommandFailure {
  return new CommandFailure(
    exitCodes.notRunning,
    [
      `Rotavox is not running with the data folder ${dataDir}.${detail === undefined ? '' : ` ${detail}`}`,
      'Start it with `rotavox serve`, or open the app. If it runs with another folder, name that with --data-dir.',
    ],
    { cause },
  );
}

function runtimeFileIn(dataDir: string): string {
  return join(dataDir, 'runtime.json');
}

function readRuntimeFile(dataDir: string): RuntimeFile {
  const path = runtimeFileIn(dataDir);
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw notFound(dataDir);
    throw notRunning(dataDir, `Its ${path} cannot be read (${code ?? 'unknown'}).`, cause);
  }
  // What is in the file is never shown: it has the key.
  try {
    return RuntimeFile.parse(JSON.parse(content));
  } catch {
    throw notRunning(dataDir, `Its ${path} is not one that this version of Rotavox wrote.`);
  }
}

/** No runtime file: nothing runs, or it runs and cannot be called, which the lock of the folder tells. */
function notFound(dataDir: string): CommandFailure {
  const holder = holderOf(dataDir);
  if (holder === null || !isAlive(holder)) return notRunning(dataDir);
  return new CommandFailure(
    exitCodes.notRunning,
    `Rotavox has the data folder ${dataDir} (process ${holder}), but ${runtimeFileIn(dataDir)} is missing: it is starting or ` +
      'stopping, or the file was deleted.\nTry again in a minute. If this stays, quit Rotavox and start it again.',
  );
}

/** The process that the folder's lock names; null without one. */
function holderOf(dataDir: string): number | null {
  try {
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8')) as { pid?: unknown };
    return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null; // no lock, or none that says anything
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // gone, or there and somebody else's: a service of ours lets us ask
  }
}

/**
 * Whether a process belongs to who wrote the runtime file; true where that cannot be learned.
 *
 * After a crash anybody on the machine may come to have the service's old id and its port, and would be sent the owner's
 * key, and values.
 */
function isOurs(pid: number, dataDir: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return statSync(`/proc/${pid}`).uid === statSync(runtimeFileIn(dataDir)).uid;
  } catch {
    return true;
  }
}
