import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../core/ledger.ts';
import { replaceFileSync } from './durable-file.ts';
import { unavailable } from './store-error.ts';

/** A key is used for replies sealed within one hour … */
const epochMs = 3_600_000;
/** … and is destroyed once the last of them can no longer be requested. */
const keptEpochs = 25;

export function epochAt(nowMs: number): number {
  return Math.floor(nowMs / epochMs);
}

/** Whether the key of an epoch may still be needed. */
export function isKept(epoch: string, nowEpoch: number): boolean {
  return Number(epoch) > nowEpoch - keptEpochs;
}

/**
 * Keys with a limited lifetime: one for each hour in which a reply was sealed, destroyed a day later.
 *
 * A reply that is stored for a replay is encrypted with the source token *and* such a key. The journal is never pruned,
 * so without this a superseded token and a copy of the journal would be enough to decrypt its successor, and from that
 * the next, up to the Active token.
 */
export class ReplayKeys {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #assertHeld: () => void;
  #keys: Map<string, Buffer>;

  /** `assertHeld` throws `StoreUnavailable` once this process no longer holds the data folder. */
  constructor(folder: string, clock: Clock = Date.now, assertHeld: () => void = () => undefined) {
    this.#path = join(folder, 'replay-keys.json');
    this.#clock = clock;
    this.#assertHeld = assertHeld;
    this.#keys = readKeys(this.#path);
  }

  /** The key of this hour; a new key is on disk before it is used. */
  current(): { epoch: string; key: Buffer } {
    const nowEpoch = epochAt(this.#clock());
    const epoch = String(nowEpoch);
    const known = this.#keys.get(epoch);
    if (known !== undefined) return { epoch, key: known };
    const key = randomBytes(32);
    const kept = [...this.#keys].filter(([old]) => isKept(old, nowEpoch));
    const keys = new Map([...kept, [epoch, key]]);
    this.#write(keys);
    return { epoch, key };
  }

  /** The key of an hour, or undefined when it was destroyed. */
  get(epoch: string): Buffer | undefined {
    return this.#keys.get(epoch);
  }

  /** By the hour of each. */
  get all(): ReadonlyMap<string, Buffer> {
    return this.#keys;
  }

  /** Adds the keys of another host; those that are known stay. */
  adopt(keys: ReadonlyMap<string, Buffer>): void {
    this.#write(new Map([...keys, ...this.#keys]));
  }

  /** Destroys the keys that are due; called even while nothing is rotated. */
  renew(): void {
    const nowEpoch = epochAt(this.#clock());
    const keys = new Map([...this.#keys].filter(([epoch]) => isKept(epoch, nowEpoch)));
    if (keys.size < this.#keys.size) this.#write(keys);
  }

  #write(keys: Map<string, Buffer>): void {
    this.#assertHeld();
    try {
      writeKeys(this.#path, keys);
    } catch (cause) {
      throw unavailable(cause, dirname(this.#path));
    }
    this.#keys = keys;
  }
}

interface KeysFile {
  readonly format: 1;
  readonly keys: Record<string, string>;
}

/** A missing or unreadable file counts as no keys: lost replies cannot be replayed, and nothing else is lost. */
function readKeys(path: string): Map<string, Buffer> {
  try {
    const { keys } = JSON.parse(readFileSync(path, 'utf8')) as KeysFile;
    return new Map(Object.entries(keys).map(([epoch, key]) => [epoch, Buffer.from(key, 'base64')]));
  } catch {
    return new Map();
  }
}

function writeKeys(path: string, keys: ReadonlyMap<string, Buffer>): void {
  const content: KeysFile = {
    format: 1,
    keys: Object.fromEntries([...keys].map(([epoch, key]) => [epoch, key.toString('base64')])),
  };
  replaceFileSync(path, JSON.stringify(content));
}
