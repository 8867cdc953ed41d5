import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MovableVault } from '../../agent/vault/movable-vault.ts';
import { recordFileName } from '../../calls/call-log.ts';
import type { JournalExtent } from '../../store/file-journal.ts';
import { temporaryFor } from '../../store/durable-file.ts';
import { systemCodeOf } from '../../store/store-error.ts';
import { storeProblemText } from '../../text/service/store-text.ts';
import { HostError } from '../host-error.ts';
import type { OpenedFolder } from '../open-folder.ts';
import { orVaultError } from '../open-vault-choice.ts';
import { allEntriesOf, type KnownValue, valuesOf } from '../vault-entries.ts';
import {
  type BackupEnd,
  backupFormat,
  endName,
  type Manifest,
  manifestName,
  packBackup,
  type PackedEntry,
  type Secrets,
  secretsName,
} from './backup-file.ts';

/** What is backed up: a data folder that this process has open. */
export interface BackupSource {
  readonly dataDir: string;
  readonly opened: Pick<OpenedFolder, 'ledger' | 'journalExtent' | 'recordingFiles'>;
  readonly vault: MovableVault;
  /** The host name, for people. */
  readonly machine: string;
  readonly version: string;
  readonly nowMs: number;
  /** The cost of an attempt on its passphrase, as for `BackupPassphrase`. */
  readonly logN?: number | undefined;
}

/** What belongs to a moment: the secrets, and the journal as far as it goes then. */
interface Moment {
  readonly secrets: readonly KnownValue[];
  readonly journal: JournalExtent;
}

/**
 * A backup of everything in a data folder: its vault, journal, recordings, call records and provider files.
 *
 * The vault is held while its secrets are read and the end of the journal is noted, so that both fit each other as they would after
 * a crash at that moment; a rotation that is under way waits for it. Everything else is copied after it, while the host goes on.
 * Left out is what belongs to this computer (the sign-ins of browsers, keys for team hosts) and what is made of the journal.
 * Throws `HostError`: for a damaged journal, and a vault that cannot be used.
 */
// see decisions/backups.md
export async function writeBackup(
  source: BackupSource,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const check = await source.opened.ledger.verify();
  if (check.status === 'damaged') throw new HostError('JOURNAL_DAMAGED', storeProblemText(check.problem));
  const moment = await orVaultError(() => readMoment(source));
  return packBackup(entriesOf(source, moment), passphrase, source.logN);
}

async function* entriesOf(source: BackupSource, moment: Moment): AsyncGenerator<PackedEntry> {
  const { recordingFiles } = source.opened;
  // A generator cannot yield inside of a callback, so the copy ends with it.
  const copied = Promise.withResolvers<undefined>();
  const whole = recordingFiles.whileCopied(() => copied.promise);
  try {
    let count = 0;
    for await (const entry of contentOf(source, moment)) {
      count += 1;
      yield entry;
    }
    yield jsonEntry(endName, { last_seq: moment.journal.lastSeq, entries: count } satisfies BackupEnd);
  } finally {
    copied.resolve(undefined);
    await whole;
  }
}

function readMoment({ dataDir, opened: { ledger, journalExtent }, vault }: BackupSource): Promise<Moment> {
  return vault.alone(async (from, written) => {
    const entries = [...allEntriesOf(ledger.state), ...written];
    const secrets = await valuesOf({ dataDir, from, entries });
    return { secrets, journal: journalExtent() };
  });
}

async function* contentOf(source: BackupSource, { secrets, journal }: Moment): AsyncGenerator<PackedEntry> {
  const { dataDir, machine, version, nowMs } = source;
  yield jsonEntry(manifestName, {
    format: backupFormat,
    version,
    made_at: new Date(nowMs).toISOString(),
    machine,
    folder: dataDir,
  } satisfies Manifest);
  const entries = secrets.map(({ entry, value }) => ({ ...entry, value }));
  yield jsonEntry(secretsName, { entries } satisfies Secrets);
  for (const { path, bytes } of journal.segments) yield fileEntry(`journal/${basename(path)}`, path, bytes);
  for (const name of ['machine.json', 'replay-keys.json']) yield* smallFile(dataDir, name);
  for (const name of await namesIn(join(dataDir, 'providers'), /\.json$/))
    yield* smallFile(dataDir, `providers/${name}`);
  for (const name of await namesIn(join(dataDir, 'recordings'), /^[0-9a-f]{64}\.[a-z0-9]+$/)) {
    const path = join(dataDir, 'recordings', name);
    yield fileEntry(`recordings/${name}`, path, (await stat(path)).size);
  }
  if (existsSync(join(dataDir, recordFileName))) yield* callRecords(dataDir);
}

async function* callRecords(dataDir: string): AsyncGenerator<PackedEntry> {
  const copy = temporaryFor(join(dataDir, recordFileName));
  const { copyRecords } = await import('../../calls/record-file.ts');
  try {
    copyRecords(dataDir, copy);
    yield fileEntry(recordFileName, copy, (await stat(copy)).size);
  } finally {
    await rm(copy, { force: true });
  }
}

function jsonEntry(name: string, content: unknown): PackedEntry {
  const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
  return { name, size: bytes.length, content: [bytes] };
}

function fileEntry(name: string, path: string, size: number): PackedEntry {
  const content = size === 0 ? [] : createReadStream(path, { start: 0, end: size - 1 });
  return { name, size, content };
}

/** A file that is replaced while the host runs: read at once. None where there is none. */
async function* smallFile(dataDir: string, name: string): AsyncGenerator<PackedEntry> {
  try {
    const bytes = await readFile(join(dataDir, name));
    yield { name, size: bytes.length, content: [bytes] };
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}

async function namesIn(folder: string, ours: RegExp): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => ours.test(name)).sort();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
