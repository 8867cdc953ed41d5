import { applyEvent } from '../../../src/core/apply-event.ts';
import { State } from '../../../src/core/state.ts';
import { currentFormat } from '../../../src/store/formats.ts';
import { decodeLine, genesis, subjectOfText } from '../../../src/store/journal-line.ts';
import type { JournalDatabase } from '../../../src/store/team/postgres-journal.ts';
import type { Replica } from '../../../src/store/team/replica.ts';
import {
  type Candidate,
  DatabaseRefused,
  DatabaseUnreachable,
  type Leadership,
  type StoredLine,
  type TeamDatabase,
} from '../../../src/store/team/team-database.ts';
import { type Process, Violation, type World } from './world.ts';

/** A way to the database, with what is wrong with it now. */
export interface Link {
  /** Requests do not arrive, or only when this is over. */
  isRequestCut: boolean;
  isReplyCut: boolean;
}

/** How bad it is now: shares of the statements, and milliseconds. */
export interface Weather {
  lost: number;
  late: number;
  slow: number;
  delayMs: number;
}

export const calm: Readonly<Weather> = { lost: 0, late: 0, slow: 0, delayMs: 2 };

const timeoutMs = 1_500;

interface Row {
  epoch: number;
  host: string | null;
  address: string | null;
  /** By the clock of the database. */
  deadlineMs: number;
  headSeq: number;
  head: string;
}

interface Writing {
  /** Returns what to do at the commit, or null when nothing is changed. Evaluated when the statement has the row. */
  readonly evaluate: () => { readonly commit: (() => void) | null; readonly reply: unknown };
  readonly answer: (reply: { readonly value: unknown } | { readonly error: Error }) => void;
}

/**
 * A database in memory, with one row that one statement at a time may change.
 *
 * It can be slow, restart, refuse, set its clock, and lose requests and replies; a request may be carried out long after its
 * sender gave up.
 */
export class SimulatedDatabase {
  readonly lines: StoredLine[] = [];
  /** The epoch under which each line was appended. */
  readonly epochs: number[] = [];
  weather: Weather = { ...calm };
  isDown = false;
  isFull = false;
  /** Planted: appends are accepted from any epoch. */
  ignoresEpoch = false;
  /** A host with a format that nobody here knows has led. */
  isOfNewerProgram = false;
  /** How far its clock was set. */
  clockOffsetMs = 0;
  readonly #world: World;
  #row: Row = {
    epoch: 0,
    host: null,
    address: null,
    deadlineMs: -Infinity,
    headSeq: 0,
    head: genesis,
  };
  #queue: Writing[] = [];
  #isWriting = false;
  /** Raised by each restart: what ran before is gone. */
  #run = 0;
  #replayed: { readonly seq: number; readonly tokens: string } | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  get head(): { readonly seq: number; readonly head: string } {
    return { seq: this.#row.headSeq, head: this.#row.head };
  }

  get epoch(): number {
    return this.#row.epoch;
  }

  /** Memory has to be what a replay of the journal up to there gives. */
  compareWithReplay(replica: Replica, seq: number): void {
    if (tokensOf(replica.state) !== this.#replayTo(seq))
      throw new Violation('memory is not what a replay of the journal gives');
  }

  /** Hosts are compared at the same event: it is replayed for the first of them. */
  #replayTo(seq: number): string {
    if (this.#replayed?.seq !== seq) {
      const state = new State();
      for (const { line } of this.lines.slice(0, seq)) applyEvent(state, decodeLine(line));
      this.#replayed = { seq, tokens: tokensOf(state) };
    }
    return this.#replayed.tokens;
  }

  /** It was restored from an older copy. */
  goBackTo(seq: number): void {
    this.lines.length = seq;
    this.epochs.length = seq;
    this.#replayed = null;
    this.#row.headSeq = seq;
    const { hash } = JSON.parse(this.lines.at(-1)?.line ?? '{}') as { hash?: string };
    this.#row.head = hash ?? genesis;
  }

  restart(forMs: number): void {
    this.#run += 1;
    this.isDown = true;
    this.#queue = [];
    this.#isWriting = false;
    this.#world.after(forMs, null, () => {
      this.isDown = false;
    });
  }

  /** The database as a host reaches it. */
  connect(link: Link, process: Process): TeamDatabase & JournalDatabase {
    const ask = <T>(read: () => T): Promise<T> =>
      this.#send(link, process, (answer) => {
        answer({ value: read() });
      });
    const change = <T>(evaluate: () => { commit: (() => void) | null; reply: T }): Promise<T> =>
      this.#send(link, process, (answer) => {
        this.#queue.push({ evaluate, answer });
        this.#writeNext();
      });
    return {
      place: 'postgres://database/rotavox',
      markedFrom: null,
      look: () => ask(() => this.#leadership()),
      readAfter: (seq, limit) => ask(() => this.lines.slice(seq, seq + limit)),
      readLines: (seqs) => ask(() => this.lines.filter(({ seq }) => seqs.includes(seq)).reverse()),
      seqsOf: (subject, newest) =>
        ask(() =>
          this.lines
            .filter(({ seq, line }) => seq <= newest && subjectOfText(line) === subject)
            .map(({ seq }) => seq)
            .reverse(),
        ),
      findOtherSubject: () => ask(() => null),
      tryToWrite: () => change(() => ({ commit: null, reply: undefined })),
      report: () => ask(() => undefined),
      removeHost: () => ask(() => undefined),
      lead: (epoch, candidate) => change(() => this.#lead(epoch, candidate)),
      renew: (epoch, { address, leaseMs }) =>
        change(() => {
          if (epoch !== this.#row.epoch) return { commit: null, reply: false };
          const deadlineMs = this.#clock() + leaseMs;
          return { commit: () => Object.assign(this.#row, { address, deadlineMs }), reply: true };
        }),
      resign: (epoch) =>
        change(() => ({
          commit: epoch === this.#row.epoch ? () => (this.#row.deadlineMs = -Infinity) : null,
          reply: undefined,
        })),
      append: (epoch, afterSeq, lines, head) => change(() => this.#append(epoch, afterSeq, { lines, head })),
    };
  }

  #clock(): number {
    return this.#world.nowMs + this.clockOffsetMs;
  }

  #leadership(): Leadership {
    return this.#seen(this.#row);
  }

  #lead(
    epoch: number,
    { host, address, leaseMs, afterDeadline = this.#row.deadlineMs }: Candidate,
  ): ReturnType<Writing['evaluate']> & { reply: Leadership | null } {
    const row = this.#row;
    const isFree = row.host === host || row.deadlineMs <= this.#clock();
    if (row.epoch !== epoch || !isFree || afterDeadline !== row.deadlineMs)
      return { commit: null, reply: null };
    const next = { ...row, epoch: epoch + 1, host, address, deadlineMs: this.#clock() + leaseMs };
    return { commit: () => (this.#row = next), reply: this.#seen(next) };
  }

  #seen({ deadlineMs: deadline, ...row }: Row): Leadership {
    const format = currentFormat + (this.isOfNewerProgram ? 1 : 0);
    return { ...row, format, deadline, remainingMs: deadline - this.#clock() };
  }

  #append(
    epoch: number,
    afterSeq: number,
    { lines, head }: { readonly lines: readonly StoredLine[]; readonly head: string },
  ): ReturnType<Writing['evaluate']> & { reply: boolean } {
    const row = this.#row;
    if ((epoch !== row.epoch && !this.ignoresEpoch) || afterSeq !== row.headSeq)
      return { commit: null, reply: false };
    return {
      commit: () => {
        this.lines.push(...lines);
        this.epochs.push(...lines.map(() => epoch));
        row.headSeq += lines.length;
        row.head = head;
        if (row.headSeq !== this.lines.length || lines[0]?.seq !== afterSeq + 1)
          throw new Violation('a batch does not follow the head');
      },
      reply: true,
    };
  }

  #writeNext(): void {
    if (this.#isWriting) return;
    const writing = this.#queue.shift();
    if (writing === undefined) return;
    const run = this.#run;
    if (this.isFull) {
      writing.answer({ error: new DatabaseRefused('53100') });
      this.#writeNext();
      return;
    }
    const { commit, reply } = writing.evaluate();
    this.#isWriting = true;
    const { happens, ms } = {
      happens: this.#world.happens(this.weather.slow),
      ms: this.#world.chance.next(),
    };
    this.#world.after(happens ? ms * 4_000 : ms * 2, null, () => {
      if (run !== this.#run) return;
      commit?.();
      this.#isWriting = false;
      writing.answer({ value: reply });
      this.#writeNext();
    });
  }

  /** A statement on its way, there and back, as the sender sees it. */
  #send<T>(link: Link, process: Process, arrive: (answer: Writing['answer']) => void): Promise<T> {
    const world = this.#world;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const stopTimeout = world.after(timeoutMs, process, () => {
      reject(new DatabaseUnreachable('TIMEOUT'));
    });
    const run = this.#run;
    const answer: Writing['answer'] = (reply) => {
      if (link.isReplyCut || run !== this.#run || world.happens(this.weather.lost)) return;
      world.after(this.#delay(), process, () => {
        stopTimeout();
        if ('error' in reply) reject(reply.error);
        else resolve(reply.value as T);
      });
    };
    const isLost = link.isRequestCut || world.happens(this.weather.lost);
    // What is lost on the way may have been lost on its last piece only, and be sent again by the network.
    if (isLost && !world.happens(0.5)) return promise;
    const delayMs = isLost ? world.chance.next() * 8_000 : this.#delay();
    world.after(delayMs, null, () => {
      if (this.isDown)
        world.after(1, process, () => {
          stopTimeout();
          reject(new DatabaseUnreachable('ECONNREFUSED'));
        });
      else arrive(answer);
    });
    return promise;
  }

  #delay(): number {
    const { chance } = this.#world;
    const isLate = this.#world.happens(this.weather.late);
    return 0.2 + chance.next() * this.weather.delayMs + (isLate ? chance.next() * 3_000 : 0);
  }
}

function tokensOf({ tokens }: State): string {
  return JSON.stringify([...tokens.values()]);
}
