import { Decrypter, Encrypter } from 'age-encryption';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { z } from 'zod';
import { BackupPassphrase, BackupUnreadable } from './backup-passphrase.ts';

/**
 * Format 1 of a backup: a tar archive, encrypted with a passphrase as a file of age (https://age-encryption.org/v1).
 *
 * First `manifest.json`, last `end.json`; between them the files of a data folder under their own names, and `secrets.json`, which is
 * what its vault holds.
 */
export const backupFormat = 1;

/** How every file of age begins. */
export const ageStart = 'age-encryption.org/v1\n';

export const manifestName = 'manifest.json';
export const secretsName = 'secrets.json';
export const endName = 'end.json';

export const Manifest = z.strictObject({
  format: z.literal(backupFormat),
  /** Of the program that wrote it. */
  version: z.string(),
  made_at: z.iso.datetime(),
  /** The host name, for people. */
  machine: z.string(),
  folder: z.string(),
});
export type Manifest = z.infer<typeof Manifest>;

export const Secrets = z.strictObject({
  entries: z.array(z.strictObject({ service: z.string(), account: z.string(), value: z.string() })),
});
export type Secrets = z.infer<typeof Secrets>;

/** What must be there when all was read. */
export const BackupEnd = z.strictObject({
  /** The number of the last event in the journal. */
  last_seq: z.int().min(0),
  /** How many entries stand before this one. */
  entries: z.int().min(0),
});
export type BackupEnd = z.infer<typeof BackupEnd>;

/** A file in a backup, written. */
export interface PackedEntry {
  readonly name: string;
  /** In bytes; exactly as many as `content` gives. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A file in a backup, read. The next one comes when its content was read. */
export interface UnpackedEntry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The bytes of a backup; `logN` as for `BackupPassphrase`. What `entries` throws breaks it off, so that a part is never taken for the whole. */
export async function packBackup(
  entries: AsyncIterable<PackedEntry> | Iterable<PackedEntry>,
  passphrase: string,
  logN?: number,
): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(new BackupPassphrase(passphrase, logN));
  const { readable, controller } = createTarPacker();
  const addAll = async (): Promise<void> => {
    for await (const { name, size, content } of entries) {
      const body = controller.add({ name, size, type: 'file', mode: 0o600 });
      await webStream(content).pipeTo(body);
    }
    controller.finalize();
  };
  addAll().catch((error: unknown) => {
    controller.error(error);
  });
  return encrypter.encrypt(readable);
}

/** What a backup contains, in its order. Throws `BackupUnreadable`; what `source` throws is passed on. */
export async function* unpackBackup(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<UnpackedEntry> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(new BackupPassphrase(passphrase));
  try {
    const opened = await decrypter.decrypt(webStream(checkedStart(source)));
    for await (const { header, body } of opened.pipeThrough(createTarDecoder({ strict: true }))) {
      if (header.type !== 'file') throw new BackupUnreadable('damaged');
      yield { name: header.name, size: header.size, content: readable(body) };
    }
  } catch (error) {
    throw unreadable(error);
  }
}

/** The same where a content is read: what is damaged within it is found there. */
async function* readable(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown): unknown {
  if (error instanceof SourceFailed) return error.cause;
  return error instanceof BackupUnreadable ? error : new BackupUnreadable('damaged', { cause: error });
}

/**
 * The types of the two libraries are those of a browser; Node's own differ from them only there.
 *
 * Not `Readable.toWeb`: its reader throws where nobody can catch it when such a stream is ended early (ERR_INVALID_STATE).
 */
function webStream(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const stream: unknown = NodeStream.from<Uint8Array>(bytes);
  return stream as ReadableStream<Uint8Array>;
}

class SourceFailed extends Error {}

/** Another kind of file is noticed before much of it is read. */
async function* checkedStart(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | null = Buffer.alloc(0);
  try {
    for await (const chunk of source) {
      if (start === null) yield chunk;
      else {
        start = Buffer.concat([start, chunk]);
        if (start.length < ageStart.length) continue;
        if (!start.toString('latin1').startsWith(ageStart)) break;
        yield start;
        start = null;
      }
    }
  } catch (cause) {
    throw new SourceFailed('', { cause });
  }
  if (start !== null) throw new BackupUnreadable('no_backup');
}
