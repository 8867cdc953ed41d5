import { createHmac, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SealedFrom } from '../core/shared-entries.ts';
import { replaceFileSync } from '../store/durable-file.ts';
import { systemCodeOf } from '../store/store-error.ts';
import { knownSealText } from '../text/service/host-text.ts';
import { HostError } from './host-error.ts';

/**
 * Format 1 of `team-seal.json`: from where on this host has seen that every line of its team's journal has a mark. Nothing in it is
 * secret.
 */
const SealFile = z.strictObject({
  format: z.literal(1),
  /** Of the key that the marks are made with: another team, or another passphrase, has another one. */
  key: z.string(),
  seq: z.int().nonnegative(),
  head: z.string().regex(/^[\w-]{43}$/),
});
type SealFile = z.infer<typeof SealFile>;

/**
 * What a host remembers of the seal of its team's journal, outside of the database.
 *
 * Who can write to the database may have the vault's key of before the seal, and put it back: the lines without marks that follow would
 * be taken for those of an older version. Once this host has seen the seal, it needs marks, whatever the database says.
 */
// see decisions/team-host.md
export class KnownSeal {
  readonly path: string;
  readonly #keyId: string;
  readonly #say: (message: string) => void;
  #from: SealedFrom | null;

  /** `key`: with which the hosts mark lines. Throws `HostError` for a file that cannot be read: without it, anything would be believed. */
  constructor(dataDir: string, key: KeyObject, say: (message: string) => void) {
    this.path = join(dataDir, 'team-seal.json');
    this.#keyId = createHmac('sha256', key).update('rotavox marks\n').digest('base64url');
    this.#say = say;
    const file = readSeal(this.path);
    this.#from = file?.key === this.#keyId ? { seq: file.seq, head: file.head } : null;
  }

  /** Null: never seen. */
  get from(): SealedFrom | null {
    return this.#from;
  }

  /** Remembers the first one that is seen: for one key there is no other. A folder that cannot be written to now is said. */
  see(from: SealedFrom | null): void {
    if (from === null || this.#from !== null) return;
    this.#from = from;
    const { seq, head } = from;
    const file: SealFile = { format: 1, key: this.#keyId, seq, head };
    try {
      replaceFileSync(this.path, `${JSON.stringify(file)}\n`);
    } catch (error) {
      this.#say(knownSealText.refused(this.path, systemCodeOf(error)));
    }
  }
}

function readSeal(path: string): SealFile | null {
  try {
    return SealFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return null;
    throw new HostError('DATA_DIR_UNUSABLE', knownSealText.unreadable(path), { cause });
  }
}
