import { StoreUnavailable } from '../../core/ledger.ts';
import { invariant } from '../../core/unreachable.ts';
import type { JournalBatch } from '../journal.ts';
import { damaged, type StoreError } from '../store-error.ts';
import type { JournalHead } from './replica.ts';
import {
  type Candidate,
  DatabaseRefused,
  DatabaseUnreachable,
  type Leadership,
  type StoredLine,
  type TeamDatabase,
} from './team-database.ts';

/**
 * A term: the time in which this host leads. The adapter of the journal and the other writers of a leader are built on it.
 *
 * Invariants: 1. `isCurrent` is true only while no other host can lead; 2. an append resolves only when its batch is in the journal, and
 * rejects only when it is not and never will be.
 */
export interface Term {
  /** To be read again for each statement: it is raised when the outcome of an append had to be settled. */
  readonly epoch: number;
  /** The last durable event. */
  readonly last: JournalHead;
  /** Whether an answer from memory is one that no other host can have made wrong by now. */
  isCurrent(): boolean;
  /** One batch at a time. Rejects with `StoreUnavailable` when the database refused it, or when another host leads. */
  append(batch: JournalBatch): Promise<void>;
}

export interface TermParts {
  readonly database: TeamDatabase;
  readonly candidate: Candidate;
  /** How much shorter the lease is here than in the database. */
  readonly marginMs: number;
  /** See `leaseClock`. */
  readonly clock: () => number;
  /** Waits before a statement is tried again. */
  readonly waitToRetry: () => Promise<void>;
}

/** What a leader of an epoch that is over tells those whose changes it cannot make durable. */
export function notLeading(place: string): StoreUnavailable {
  return new StoreUnavailable({ code: 'NOT_LEADING', path: place });
}

/** The database is not the one that this host has seen: it lost events, or has others. */
export function notTheSame(place: string, seenSeq: number, foundSeq: number): StoreError {
  if (foundSeq >= seenSeq) return damaged(place, seenSeq, { kind: 'state_differs' });
  return damaged(place, foundSeq + 1, { kind: 'went_back', seen_seq: seenSeq, found_seq: foundSeq });
}

type Outcome = 'appended' | 'not_appended' | 'another_leads';

/** The term of `member.ts`, which begins it when it won the lead, renews it and ends it. */
export class LeaderTerm implements Term {
  readonly #parts: TermParts;
  #epoch: number;
  #last: JournalHead;
  #leaseUntilMs: number;
  #hasEnded = false;
  #isSettling = false;
  #appending: Promise<unknown> = Promise.resolve();
  #isAppending = false;
  readonly #renewals = new Set<Promise<unknown>>();

  /** `sentAtMs`: the instant before the database was asked. */
  constructor(parts: TermParts, won: Leadership, sentAtMs: number) {
    this.#parts = parts;
    this.#epoch = won.epoch;
    this.#last = { seq: won.headSeq, head: won.head };
    this.#leaseUntilMs = this.#leaseFrom(sentAtMs);
  }

  get epoch(): number {
    return this.#epoch;
  }

  get last(): JournalHead {
    return this.#last;
  }

  /** Whether `epoch` may be one behind: the lead is being taken again. */
  get isSettling(): boolean {
    return this.#isSettling;
  }

  /** How long it is current without another renewal. */
  get leftMs(): number {
    return this.#hasEnded ? 0 : Math.max(this.#leaseUntilMs - this.#parts.clock(), 0);
  }

  isCurrent(): boolean {
    return this.leftMs > 0;
  }

  /**
   * False when the epoch is over. An unknown outcome changes nothing: the lease that is known goes on. Rejects with `DatabaseRefused`,
   * which changes nothing either.
   */
  async renew(): Promise<boolean> {
    if (this.#hasEnded || this.#isSettling || this.#renewals.size >= mostRenewals) return true;
    const { database, candidate, clock } = this.#parts;
    const epoch = this.#epoch;
    const sentAtMs = clock();
    const renewal = database.renew(epoch, candidate);
    this.#renewals.add(renewal);
    try {
      const isRenewed = await renewal;
      if (isRenewed) this.#extendLease(sentAtMs);
      return isRenewed || this.#isSettling || epoch !== this.#epoch;
    } catch (error) {
      if (!(error instanceof DatabaseUnreachable)) throw error;
      return true;
    } finally {
      this.#renewals.delete(renewal);
    }
  }

  append(batch: JournalBatch): Promise<void> {
    if (this.#hasEnded) return Promise.reject(notLeading(this.#parts.database.place));
    invariant(!this.#isAppending, 'one batch is appended at a time');
    invariant(batch.firstSeq === this.#last.seq + 1, 'a batch follows the last durable event');
    this.#isAppending = true;
    const append = this.#appendUntilKnown(batch).finally(() => {
      this.#isAppending = false;
    });
    this.#appending = append;
    return append;
  }

  /** Refuses everything from now on, and waits until the outcome of the append that runs is known. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#appending.catch(() => undefined);
  }

  /** Lets another host lead at once. A renewal that is under way could undo it, so it is waited for. */
  async resign(): Promise<void> {
    await this.end();
    await Promise.allSettled(this.#renewals);
    await this.#parts.database.resign(this.#epoch);
  }

  async #appendUntilKnown(batch: JournalBatch): Promise<void> {
    const lines = batch.lines.map((line, place) => ({
      seq: batch.firstSeq + place,
      line: line.slice(0, -1),
    }));
    while (!(await this.#append(lines, batch.head))) {
      this.#isSettling = true;
      try {
        const outcome = await this.#settle(lines, batch.head);
        if (outcome === 'appended') break;
        if (outcome === 'another_leads' || this.#hasEnded) throw notLeading(this.#parts.database.place);
      } finally {
        this.#isSettling = false;
      }
    }
    this.#last = { seq: batch.firstSeq + lines.length - 1, head: batch.head };
  }

  /** True when it was appended. False when that is unknown, and when the database did not accept the epoch or the place. */
  async #append(lines: readonly StoredLine[], head: string): Promise<boolean> {
    const { database } = this.#parts;
    try {
      return await database.append(this.#epoch, this.#last.seq, lines, head);
    } catch (error) {
      if (error instanceof DatabaseUnreachable) return false;
      if (!(error instanceof DatabaseRefused)) throw error;
      throw new StoreUnavailable({ code: error.code, path: database.place }, { cause: error });
    }
  }

  /**
   * Finds out what became of an append, however long that takes.
   *
   * Taking the lead again waits for the statement if it runs, and makes a later one impossible: only then do the journal's contents say
   * the outcome. The reply to that can be lost too. Then the row has a later epoch of this host, which is taken again.
   */
  async #settle(lines: readonly StoredLine[], head: string): Promise<Outcome> {
    const { database, candidate, clock, waitToRetry } = this.#parts;
    for (;;) {
      try {
        const sentAtMs = clock();
        const again = await database.lead(this.#epoch, candidate);
        if (again !== null) {
          this.#epoch = again.epoch;
          this.#extendLease(sentAtMs);
          return this.#outcomeAt({ seq: again.headSeq, head: again.head }, lines, head);
        }
        const { host, epoch, headSeq } = await database.look();
        if (host === candidate.host) this.#epoch = epoch;
        else if (epoch > this.#epoch) return await this.#outcomeUnderAnother(lines);
        else throw this.#notTheSame(headSeq);
      } catch (error) {
        assertOfDatabase(error);
      }
      await waitToRetry();
    }
  }

  /** Nobody else has led since the append, so the journal ends before the batch or with it. */
  #outcomeAt(found: JournalHead, lines: readonly StoredLine[], head: string): Outcome {
    if (found.seq === this.#last.seq && found.head === this.#last.head) return 'not_appended';
    if (found.seq === this.#last.seq + lines.length && found.head === head) return 'appended';
    throw this.#notTheSame(found.seq);
  }

  /** Another host leads, so nothing of this term can be appended any more: the batch is in the journal now, or never. */
  async #outcomeUnderAnother(lines: readonly StoredLine[]): Promise<Outcome> {
    const found = await this.#parts.database.readAfter(this.#last.seq, lines.length);
    const isSame = lines.every(({ line }, place) => found[place]?.line === line);
    if (!isSame) return 'another_leads';
    return 'appended';
  }

  #notTheSame(foundSeq: number): StoreError {
    return notTheSame(this.#parts.database.place, this.#last.seq, foundSeq);
  }

  #extendLease(sentAtMs: number): void {
    this.#leaseUntilMs = Math.max(this.#leaseUntilMs, this.#leaseFrom(sentAtMs));
  }

  #leaseFrom(sentAtMs: number): number {
    return sentAtMs + this.#parts.candidate.leaseMs - this.#parts.marginMs;
  }
}

/** So many can be without an answer: enough that one lost reply does not delay the next, and no more connections than that. */
const mostRenewals = 3;

export function assertOfDatabase(error: unknown): asserts error is DatabaseRefused | DatabaseUnreachable {
  if (!(error instanceof DatabaseRefused || error instanceof DatabaseUnreachable)) throw error;
}

/** A difference that no rounding and no slow correction of a clock explains. */
const jumpMs = 100;

/**
 * The clock by which a leader ends its lease: monotonic, and it counts the time for which the machine was suspended, which monotonic
 * clocks leave out.
 *
 * The wall clock shows that time. When it is set forward, a lease ends early, which costs a renewal and is safe. When it is set
 * back, nothing happens. It is not for the wait of a follower, which would become too short.
 */
export function leaseClock(monotonic: () => number, wall: () => number): () => number {
  let addedMs = 0;
  let knownMs = wall() - monotonic();
  return () => {
    const nowMs = monotonic();
    const aheadMs = wall() - nowMs;
    if (aheadMs - knownMs > jumpMs) addedMs += aheadMs - knownMs;
    knownMs = aheadMs;
    return nowMs + addedMs;
  };
}
