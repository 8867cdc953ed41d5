import { Decrypter, Encrypter, type Identity, type Recipient, Stanza } from 'age-encryption';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { z } from 'zod';
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

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

/** Why a backup cannot be read: another kind of file, another passphrase, changed or cut, or from a newer program. */
type BackupFault = 'no_backup' | 'wrong_passphrase' | 'damaged' | 'too_new';

/** Nothing of the backup was used. */
export class BackupUnreadable extends Error {
  readonly fault: BackupFault;

  constructor(fault: BackupFault, options?: { cause: unknown }) {
    super(fault, options);
    this.name = 'BackupUnreadable';
    this.fault = fault;
  }
}

/**
 * A passphrase as a recipient of age (the stanza "scrypt" of https://age-encryption.org/v1): every program for age opens the file.
 *
 * The library derives its key in JavaScript, on the calling thread, for seconds in which no call is answered. Here Node derives it.
 */
class BackupPassphrase implements Recipient, Identity {
  readonly #passphrase: string;
  readonly #logN: number;

  /**
   * Normalized (NFC): keyboards differ in how they compose an accented letter. `logN`: the cost of an attempt on what is encrypted, as
   * the logarithm of scrypt's N.
   */
  constructor(passphrase: string, logN = usualLogN) {
    this.#passphrase = passphrase.normalize('NFC');
    this.#logN = logN;
  }

  async wrapFileKey(fileKey: Uint8Array): Promise<Stanza[]> {
    const salt = randomBytes(saltBytes);
    const key = await this.#derive(salt, this.#logN);
    const body = chacha20poly1305(key, fixedNonce).encrypt(fileKey);
    return [new Stanza([kind, withoutPadding(salt), String(this.#logN)], body)];
  }

  /** Throws `BackupUnreadable`: for another passphrase, a file that is not encrypted with one, and a damaged head. */
  async unwrapFileKey(stanzas: Stanza[]): Promise<Uint8Array> {
    const [stanza, ...others] = stanzas;
    const [found, salt = '', cost = ''] = stanza?.args ?? [];
    if (stanza === undefined || found !== kind || others.length > 0) throw new BackupUnreadable('no_backup');
    const saltOf = Buffer.from(salt, 'base64');
    const isUsable = saltOf.length === saltBytes && /^\d{1,2}$/.test(cost) && Number(cost) <= mostLogN;
    if (!isUsable || stanza.body.length !== wrappedBytes) throw new BackupUnreadable('damaged');
    const key = await this.#derive(saltOf, Number(cost));
    try {
      return chacha20poly1305(key, fixedNonce).decrypt(stanza.body);
    } catch (cause) {
      throw new BackupUnreadable('wrong_passphrase', { cause });
    }
  }

  async #derive(salt: Buffer, cost: number): Promise<Buffer> {
    const N = 2 ** cost;
    return deriveBytes(this.#passphrase, Buffer.concat([Buffer.from(label), salt]), 32, {
      N,
      r: 8,
      p: 1,
      maxmem: 2 * 128 * N * 8,
    });
  }
}

const kind = 'scrypt';
const label = 'age-encryption.org/v1/scrypt';
const saltBytes = 16;
/** The file key has 16 bytes, its tag as many. */
const wrappedBytes = 32;
/** The key of a file wraps one other key only, so its nonce may be constant. */
const fixedNonce = new Uint8Array(12);
/** 128 MiB and about half a second, as for the vault. */
const usualLogN = 17;
/** The library's own limit: 1 GiB. */
const mostLogN = 20;

const deriveBytes = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

function withoutPadding(bytes: Buffer): string {
  return bytes.toString('base64').replace(/==?$/, '');
}
