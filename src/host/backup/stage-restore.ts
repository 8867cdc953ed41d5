import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { FileVault } from '../../agent/vault/file-vault.ts';
import { openKeyFile } from '../../agent/vault/key-file.ts';
import { keyFileCost } from '../../agent/vault/vault-file.ts';
import type { RestoreSummary } from '../../contract/service/backup.ts';
import { type Clock, StoreUnavailable } from '../../core/ledger.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import { privateFile, privateFolder, replaceFileSync, syncFolder } from '../../store/durable-file.ts';
import { systemCodeOf } from '../../store/store-error.ts';
import { backupFaultText, backupText } from '../../text/service/backup-text.ts';
import type { FolderLock } from '../folder-lock.ts';
import { restoredOrigin } from '../open-folder-origin.ts';
import { HostError } from '../host-error.ts';
import { openFolder } from '../open-folder.ts';
import { writeVaultChoice } from '../vault-choice-file.ts';
import {
  BackupEnd,
  backupFormat,
  BackupUnreadable,
  endName,
  Manifest,
  manifestName,
  Secrets,
  secretsName,
  unpackBackup,
  type UnpackedEntry,
} from './backup-file.ts';
import { removeFolder } from '../../system/replace-path.ts';

/** The folder in a data folder in which a backup is unpacked: on the same disk, and under the same lock. */
export const stageName = 'restoring';

export interface RestoreStage {
  readonly dataDir: string;
  readonly lock: FolderLock;
  /** The bytes of the backup. */
  readonly source: AsyncIterable<Uint8Array>;
  readonly passphrase: string;
  readonly clock: Clock;
}

/**
 * Unpacks a backup beside the data in a folder, and checks all of it: it opens as the data of a host would. Nothing is replaced yet.
 *
 * Its tokens are in an encrypted file with a key file there, as where no keychain is. Throws `HostError`; then nothing is left of it.
 */
export async function stageRestore(restore: RestoreStage): Promise<RestoreSummary> {
  const stage = join(restore.dataDir, stageName);
  try {
    await removeFolder(stage);
    await mkdir(stage, { mode: privateFolder });
    const unpacked = await unpackInto(stage, restore);
    return await checkStage(stage, restore, unpacked);
  } catch (error) {
    await removeFolder(stage).catch(() => undefined);
    throw asHostError(error, restore.dataDir);
  }
}

interface Unpacked {
  readonly manifest: Manifest;
  readonly secrets: number;
  readonly end: BackupEnd;
  /** SHA-256 of each file in `recordings/`, by its name. */
  readonly digests: ReadonlyMap<string, string>;
}

async function unpackInto(stage: string, { dataDir, source, passphrase }: RestoreStage): Promise<Unpacked> {
  let manifest: Manifest | null = null;
  let secrets: Secrets | null = null;
  let end: BackupEnd | null = null;
  let count = 0;
  const digests = new Map<string, string>();
  for await (const entry of unpackBackup(source, passphrase)) {
    const { name } = entry;
    if (end !== null || (manifest === null) !== (name === manifestName))
      throw new BackupUnreadable('damaged');
    if (name === manifestName) manifest = parseManifest(await textOf(entry));
    else if (name === secretsName) secrets = parseJson(Secrets, await textOf(entry));
    else if (name === endName) end = parseJson(BackupEnd, await textOf(entry));
    else if (name === 'machine.json')
      replaceFileSync(join(stage, name), restoredOrigin(await textOf(entry), dataDir));
    else if (isOurs(name)) digests.set(name, await writeEntry(stage, entry));
    else throw new BackupUnreadable('damaged');
    count += 1;
  }
  // The last one counts those before it.
  if (manifest === null || secrets === null || end?.entries !== count - 1)
    throw new BackupUnreadable('damaged');
  await makeVault(stage, secrets);
  return { manifest, secrets: secrets.entries.length, end, digests };
}

async function makeVault(stage: string, { entries }: Secrets): Promise<void> {
  const { path: keyFile, key: passphrase } = await openKeyFile(stage);
  const vault = await FileVault.open({ path: stage, passphrase, keyFile, cost: keyFileCost });
  await vault.writeAll(entries.map(({ value, ...entry }) => ({ entry, value })));
  writeVaultChoice(stage, { place: { kind: 'file', key: 'file' } });
}

async function checkStage(
  stage: string,
  { lock, clock }: RestoreStage,
  { manifest, secrets, end, digests }: Unpacked,
): Promise<RestoreSummary> {
  for (const folder of ['journal', 'providers', 'recordings']) {
    await mkdir(join(stage, folder), { recursive: true, mode: privateFolder });
    syncFolder(join(stage, folder));
  }
  const opened = await openFolder(stage, { clock, lock, say: () => undefined });
  try {
    const { last_seq: events } = opened.ledger.health();
    const { credentials, recordings } = opened.ledger.state;
    const isWhole = [...recordings.values()].every(
      ({ digest, format }) => digests.get(`recordings/${digest}.${format}`) === digest,
    );
    if (events !== end.last_seq || !isWhole) throw new BackupUnreadable('damaged');
    const { made_at, machine, folder, version } = manifest;
    return { made_at, machine, folder, version, credentials: credentials.size, secrets, events };
  } finally {
    await opened.close();
    syncFolder(stage);
  }
}

/** Names of files that a backup may have; none leads out of the folder. */
const ourFiles = [
  /^journal\/[0-9]+\.jsonl$/,
  /^recordings\/[0-9a-f]{64}\.(?:wav|mp3|ogg)$/,
  /^providers\/(?!\.)[^/\\:*?"<>|\p{Cc}]+\.json$/u,
  /^replay-keys\.json$/,
  /^calls\.sqlite$/,
];

function isOurs(name: string): boolean {
  return ourFiles.some((ours) => ours.test(name));
}

/** Resolves with its SHA-256. */
async function writeEntry(stage: string, { name, content }: UnpackedEntry): Promise<string> {
  const path = join(stage, name);
  await mkdir(dirname(path), { recursive: true, mode: privateFolder });
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  if (existsSync(path)) throw new BackupUnreadable('damaged');
  await pipeline(content, hashed, createWriteStream(path, { flags: 'wx', mode: privateFile, flush: true }));
  return hash.digest('hex');
}

/** No text in a backup is longer; a larger one is not read into memory. */
const mostTextBytes = 64 * 1024 * 1024;

async function textOf({ size, content }: UnpackedEntry): Promise<string> {
  if (size > mostTextBytes) throw new BackupUnreadable('damaged');
  return text(Readable.from(content));
}

const AnyFormat = z.object({ format: z.int() });

function parseManifest(content: string): Manifest {
  if (parseJson(AnyFormat, content).format > backupFormat) throw new BackupUnreadable('too_new');
  return parseJson(Manifest, content);
}

function parseJson<T>(schema: z.ZodType<T>, content: string): T {
  try {
    return schema.parse(JSON.parse(content));
  } catch (cause) {
    throw new BackupUnreadable('damaged', { cause });
  }
}

/** What a person is told; any other error as it is. */
function asHostError(error: unknown, dataDir: string): unknown {
  if (error instanceof BackupUnreadable)
    return new HostError('BACKUP_REFUSED', backupFaultText[error.fault], { cause: error });
  const code = codeOf(error);
  if (error instanceof HostError || code === 'UNKNOWN') return error;
  return new HostError('DATA_DIR_UNUSABLE', backupText.notUnpacked(dataDir, code), { cause: error });
}

function codeOf(error: unknown): string {
  if (error instanceof StoreUnavailable) return error.refusal.code;
  if (error instanceof VaultUnavailable)
    return 'systemCode' in error.problem ? error.problem.systemCode : error.problem.code;
  return systemCodeOf(error);
}
