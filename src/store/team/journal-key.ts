import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SealedFrom } from '../../core/shared-entries.ts';
import { checkLine } from '../journal-line.ts';
import { damaged } from '../store-error.ts';

/** A line as the database has it. `mac`: null for one that was written before lines had one. */
export interface MarkedLine {
  readonly seq: number;
  readonly line: string;
  readonly mac: string | null;
}

/**
 * The key with which the hosts of a team mark what they write to the journal, so that nobody else who can write to the database can
 * make an event: HMAC-SHA-256 of each line, in base64url.
 *
 * What was written before there were marks is held by the hash chain: it leads to the event from which on every line has one.
 */
// see decisions/team-host.md
export class JournalKey {
  readonly #key: KeyObject;
  readonly #place: string;
  readonly #knownBy: string;
  #from: SealedFrom | null;
  /** Every line from this one on needs a mark. */
  #markedFrom: number;

  /**
   * `from`: the last event that needs no mark; null for a journal that nobody has sealed yet. `place` and `knownBy`: for messages, where
   * the journal is, and what says `from`.
   */
  constructor(key: KeyObject, from: SealedFrom | null, place: string, knownBy = 'rotavox.entry') {
    this.#key = key;
    this.#place = place;
    this.#knownBy = knownBy;
    this.#from = from;
    this.#markedFrom = from === null ? Infinity : from.seq + 1;
  }

  /** The first event that needs a mark; null while none does. */
  get markedFrom(): number | null {
    return this.#markedFrom === Infinity ? null : this.#markedFrom;
  }

  sealFrom(from: SealedFrom): void {
    this.#from = from;
    this.#markedFrom = from.seq + 1;
  }

  macOfLine(line: string): string {
    return createHmac('sha256', this.#key).update('rotavox line\n').update(line).digest('base64url');
  }

  /**
   * Throws `StoreError` for a line that no host wrote. Earlier ones have no mark: the hash chain leads from them to the sealed event, and
   * who reads them follows it.
   */
  assertLine({ seq, line, mac }: MarkedLine): void {
    const from = this.#from;
    // Also in its own place: a copy of another line would hide the one that was there.
    const isMarked = mac !== null && line.startsWith(`{"seq":${seq},`) && isSame(mac, this.macOfLine(line));
    // An older mark is of another passphrase.
    const needsMark = seq >= this.#markedFrom || (from === null && mac !== null);
    if ((needsMark && !isMarked) || (from?.seq === seq && !line.endsWith(`"${from.head}"}`))) {
      // What a disk did is not told as what a person did.
      const check = checkLine(Buffer.from(line), null);
      throw damaged(this.#place, seq, check.ok ? { kind: 'not_by_host' } : check.damage);
    }
    // Another host has sealed it meanwhile.
    if (isMarked && from === null) this.#markedFrom = Math.min(this.#markedFrom, seq);
  }

  /** Throws `StoreError` for a journal that ends before the sealed event: what comes in its place could be anybody's. */
  assertReaches(headSeq: number): void {
    const seq = this.#from?.seq ?? 0;
    if (headSeq >= seq) return;
    const missing = { from_seq: headSeq + 1, to_seq: seq, known_by: [this.#knownBy] };
    throw damaged(this.#place, headSeq + 1, { kind: 'end_missing', ...missing });
  }

  /** Takes the content of a checkpoint as of an event, piece by piece; `digest('base64url')` is its mark. */
  macOfCheckpoint({
    seq,
    head,
  }: {
    readonly seq: number;
    readonly head: string;
  }): ReturnType<typeof createHmac> {
    return createHmac('sha256', this.#key).update(`rotavox checkpoint\n${seq}\n${head}\n`);
  }
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
