import type { StoreProblem } from '../../contract/service/store-problem.ts';
import { StoreUnavailable } from '../../core/ledger.ts';
import { damaged, StoreError } from '../store-error.ts';
import { assertReadable } from '../formats.ts';
import { assertOfDatabase, LeaderTerm, leaseClock, notTheSame, type Term } from './term.ts';
import type { Replica } from './replica.ts';
import {
  type Candidate,
  DatabaseRefused,
  type HostReport,
  type Leadership,
  type TeamDatabase,
} from './team-database.ts';

/** In milliseconds. */
export interface MemberTiming {
  /** How long the database keeps the lead for a leader that says nothing. */
  readonly leaseMs: number;
  /** How much earlier the leader itself considers it over: for clocks that run at different speeds. */
  readonly marginMs: number;
  /** Between renewals, and between the looks of a leader. */
  readonly renewMs: number;
  /** Between the looks of a follower. */
  readonly lookMs: number;
  /** The longest random wait before a follower takes the lead, and the wait before a statement is tried again. */
  readonly spreadMs: number;
  readonly reportMs: number;
  /** A database that has not answered for this long cannot be reached. */
  readonly silenceMs: number;
  /** How long a clean stop waits for the database. */
  readonly closeMs: number;
}

/**
 * Three seconds: a leader that was killed is replaced within 3.5 s, and one that is well can lose a renewal, or stop for 1.5 s, without
 * losing the lead. Shorter leases would depose leaders during a long garbage collection or a checkpoint of the database.
 */
const defaultMemberTiming: MemberTiming = {
  leaseMs: 3_000,
  marginMs: 500,
  renewMs: 1_000,
  lookMs: 250,
  spreadMs: 150,
  reportMs: 1_000,
  silenceMs: 2_000,
  closeMs: 3_000,
};

/** Why a term is over. `closed`: this host stops, and what was decided may still be appended. Otherwise appends are refused already. */
export type TermEnd = 'closed' | 'deposed' | 'failed';

export interface MemberParts {
  readonly database: TeamDatabase;
  readonly replica: Replica;
  /** Of this process: another one each time the program starts. */
  readonly host: string;
  readonly name: string;
  /** Where other hosts reach this one, signed. Read again for each statement: it changes with the certificate of the host. */
  readonly address: () => string;
  readonly version: string;
  readonly timing?: Partial<MemberTiming>;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  /** Counts a suspension of the machine too, which ends a lease (`leaseClock`). Default: the system's. */
  readonly wallClock?: () => number;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** Calls `act` once, after `ms` at the earliest. Returns a function that cancels it. */
  readonly startTimer: (ms: number, act: () => void) => () => void;
  /** Builds what runs on a leader on the state of the replica. A failure ends the term, and another host leads; a `StoreError` stops this one. */
  readonly onLead: (term: Term) => Promise<void>;
  /**
   * Called once for each `onLead`, also when that failed. Resolves when nobody uses the state any more, which was rolled back to the last
   * durable event.
   */
  readonly onEnd: (end: TermEnd) => Promise<void>;
  /** Called when another host leads, or none, or this one, or this one is ready, or the leader has another address. */
  readonly onChange: (status: MemberStatus) => void;
  /**
   * An error of `onLead` or `onEnd`, the problem that stopped this host, or a `StoreUnavailable`, once: the database can be reached and
   * refuses to let this host follow or lead, as a standby does, or for want of a right.
   */
  readonly onTrouble: (error: unknown) => void;
}

export interface MemberStatus {
  /** `stopped`: see `problem`, such as a damaged line, or a journal that is not the one of the database. It neither leads nor follows. */
  readonly role: 'leader' | 'follower' | 'stopped';
  readonly epoch: number;
  /** Who leads, as far as is known; null when nobody does. */
  readonly leader: { readonly host: string; readonly address: string } | null;
  /** The last durable event in the memory of this host. */
  readonly seq: number;
  /** How long a leader may answer without another renewal, in milliseconds; null for a follower. */
  readonly leaseMs: number | null;
  /** How many durable events this host has not replayed yet. */
  readonly lag: number;
  /** Whether the database has answered lately. */
  readonly isReachable: boolean;
  /** Whether it can answer calls, or knows who does. */
  readonly isReady: boolean;
  readonly problem: StoreProblem | null;
}

/** The latest that a follower may expect the leader to answer, by our own clock. */
interface Watched {
  readonly epoch: number;
  readonly deadline: number;
  readonly untilMs: number;
}

/**
 * A host of a team: it leads or it follows (see decisions/team-host.md).
 *
 * One loop looks at the database, replays what is new, takes the lead when nobody has it, and notices when it lost it. Only
 * renewals and reports have timers of their own, so that a slow statement does not cost the lead.
 */
export class Member {
  readonly #parts: MemberParts;
  readonly #timing: MemberTiming;
  readonly #candidate: Candidate;
  readonly #leaseClock: () => number;
  #term: LeaderTerm | null = null;
  /** Whether `onLead` was called for the term. */
  #isBegun = false;
  /** Whether it is done. */
  #isReady = false;
  #seen: Leadership | null = null;
  #seenAtMs = -Infinity;
  #watched: Watched = { epoch: -1, deadline: 0, untilMs: Infinity };
  /** After a failure to begin a term: other hosts come first. */
  #restUntilMs = -Infinity;
  #problem: StoreProblem | null = null;
  #isClosing = false;
  #closed: Promise<void> | null = null;
  #wake: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #reporting: Promise<void> | null = null;
  /** The look at the database that begins next. */
  #nextLook = Promise.withResolvers<undefined>();
  #isAsked = false;
  readonly #stopTimers = new Set<() => void>();
  #toldStatus = '';
  /** The code of the refusal that was told last; null since this host was let lead again. */
  #toldRefusal: string | null = null;

  constructor(parts: MemberParts) {
    this.#parts = parts;
    this.#timing = { ...defaultMemberTiming, ...parts.timing };
    this.#leaseClock = leaseClock(parts.clock, parts.wallClock ?? Date.now);
    this.#candidate = {
      host: parts.host,
      get address() {
        return parts.address();
      },
      leaseMs: this.#timing.leaseMs,
    };
  }

  start(): void {
    this.#repeat(this.#timing.renewMs, () => this.#renew());
    this.#repeat(this.#timing.reportMs, () => this.#report());
    this.#running = this.#run();
  }

  #role(): MemberStatus['role'] {
    if (this.#problem !== null) return 'stopped';
    return this.#term === null ? 'follower' : 'leader';
  }

  status(): MemberStatus {
    const seen = this.#seen;
    const term = this.#term;
    const { seq } = term?.last ?? this.#parts.replica.last;
    const isReachable = this.#parts.clock() - this.#seenAtMs < this.#timing.silenceMs;
    const leader = this.#leader();
    const isReady = term === null ? isReachable && leader !== null : this.#isReady && term.isCurrent();
    return {
      role: this.#role(),
      epoch: term?.epoch ?? seen?.epoch ?? 0,
      leader,
      seq,
      leaseMs: term?.leftMs ?? null,
      lag: term === null ? Math.max((seen?.headSeq ?? seq) - seq, 0) : 0,
      isReachable,
      isReady: isReady && this.#problem === null,
      problem: this.#problem,
    };
  }

  #leader(): MemberStatus['leader'] {
    const { host, address } = this.#candidate;
    if (this.#term !== null) return { host, address };
    const seen = this.#seen;
    if (seen === null || seen.host === host || seen.remainingMs <= 0) return null;
    return seen.host === null || seen.address === null ? null : { host: seen.host, address: seen.address };
  }

  /** Ends the term and lets another host lead at once. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    const limit = Promise.withResolvers<undefined>();
    const stopLimit = this.#parts.startTimer(this.#timing.closeMs, () => {
      limit.resolve(undefined);
    });
    await Promise.race([this.#closeCleanly(), limit.promise]);
    stopLimit();
    this.#endTimers();
  }

  async #closeCleanly(): Promise<void> {
    await this.#running;
    const term = this.#term;
    if (term !== null) {
      await this.#endTerm('closed');
      await term.resign().catch(assertOfDatabase);
    }
    await this.#endReports();
  }

  /** So that a host that stops as it was asked to is not one that is missing. After the last report, which would bring it back. */
  async #endReports(): Promise<void> {
    this.#endTimers();
    await this.#reporting;
    await this.#parts.database.removeHost(this.#parts.host).catch(assertOfDatabase);
  }

  async #run(): Promise<void> {
    while (!this.#isOver()) {
      const look = this.#nextLook;
      this.#nextLook = Promise.withResolvers();
      this.#isAsked = false;
      const waitMs = await this.#lookAndAct();
      look.resolve(undefined);
      this.#tellChange();
      if (!this.#isOver()) await this.#pause(waitMs);
    }
    this.#nextLook.resolve(undefined);
  }

  /** Looks at the database and replays what is in it. Whether that was possible, and this host may go on. */
  async lookNow(): Promise<boolean> {
    const beforeMs = this.#seenAtMs;
    this.#isAsked = true;
    this.#wake();
    await this.#nextLook.promise;
    return this.#seenAtMs > beforeMs && this.#problem === null;
  }

  #isOver(): boolean {
    return this.#isClosing || this.#problem !== null;
  }

  /** Returns how long to wait before the next time. */
  async #lookAndAct(): Promise<number> {
    const { database, clock } = this.#parts;
    const term = this.#term;
    const before = {
      epoch: term?.epoch ?? this.#seen?.epoch ?? 0,
      last: term?.last ?? this.#parts.replica.last,
    };
    try {
      const seen = await database.look();
      this.#seenAtMs = clock();
      // What was seen may be older than what a leader did in the meantime.
      if (term !== null && (term.isSettling || term.epoch !== before.epoch)) return this.#timing.lookMs;
      if (seen.epoch < before.epoch || seen.headSeq < before.last.seq)
        throw this.#endMissing(before.last.seq, seen.headSeq);
      assertReadable(seen.format, database.place);
      this.#seen = seen;
      return term === null ? await this.#follow(seen) : await this.#lead(term, seen);
    } catch (error) {
      if (error instanceof StoreError) await this.#stop(error);
      else this.#tellRefusal(error);
      return this.#timing.lookMs;
    }
  }

  /** Nobody else notices it: no call may ever come to a host that waits for the lead. */
  #tellRefusal(error: unknown): void {
    assertOfDatabase(error);
    if (!(error instanceof DatabaseRefused) || error.code === this.#toldRefusal) return;
    this.#toldRefusal = error.code;
    const refusal = { code: error.code, path: this.#parts.database.place };
    this.#parts.onTrouble(new StoreUnavailable(refusal, { cause: error }));
  }

  async #follow(seen: Leadership): Promise<number> {
    this.#watch(seen);
    await this.#catchUp(seen);
    const { clock, host, random } = this.#parts;
    // An epoch that this host won without getting the answer, or gave up, is not watched.
    const isOurs = seen.host === host;
    const waitMs = Math.max(isOurs ? 0 : this.#watched.untilMs, this.#restUntilMs) - clock();
    if ((!isOurs && seen.remainingMs > 0) || waitMs > 0)
      return Math.min(this.#timing.lookMs, Math.max(seen.remainingMs, waitMs, 1));
    if (!isOurs) await this.#pause(random() * this.#timing.spreadMs);
    if (!this.#isOver()) await this.#takeLead(seen, isOurs);
    return 0;
  }

  /**
   * The deadline of the database is not enough to take the lead: its clock can be set forward, or be the clock of another machine after a
   * failover. So a leader is given a whole lease, by our clock, from when a new deadline of it was seen; and what is taken is
   * taken after this deadline only.
   */
  #watch({ epoch, host, deadline }: Leadership): void {
    const isFree = host === null || deadline === -Infinity;
    if (epoch === this.#watched.epoch && deadline === this.#watched.deadline) return;
    const untilMs = this.#parts.clock() + (isFree ? 0 : this.#timing.leaseMs);
    this.#watched = { epoch, deadline, untilMs };
  }

  /** Replays the journal up to what was seen: what came later may be of a newer format. */
  async #catchUp({ headSeq, head }: Leadership): Promise<void> {
    const { database, replica } = this.#parts;
    while (replica.last.seq < headSeq) {
      const { seq } = replica.last;
      const lines = await database.readAfter(seq, Math.min(headSeq - seq, linesAtOnce));
      if (lines.length === 0) throw this.#endMissing(headSeq);
      replica.replay(lines);
    }
    if (replica.last.seq === headSeq && replica.last.head !== head)
      throw damaged(database.place, headSeq, { kind: 'state_differs' });
  }

  async #takeLead({ epoch, deadline }: Leadership, isOurs: boolean): Promise<void> {
    const { database } = this.#parts;
    const clock = this.#leaseClock;
    const sentAtMs = clock();
    const candidate = isOurs ? this.#candidate : { ...this.#candidate, afterDeadline: deadline };
    const won = await database.lead(epoch, candidate);
    if (won === null) return;
    this.#toldRefusal = null;
    this.#seen = won;
    const term = new LeaderTerm(
      {
        database,
        candidate: this.#candidate,
        marginMs: this.#timing.marginMs,
        clock,
        waitToRetry: () => this.#waitToRetry(),
      },
      won,
      sentAtMs,
    );
    this.#term = term;
    await this.#begin(term, won);
  }

  /** Nobody else can append now, so what is replayed up to the head is everything. */
  async #begin(term: LeaderTerm, seen: Leadership): Promise<void> {
    await this.#catchUp(seen);
    this.#isBegun = true;
    try {
      await this.#parts.onLead(term);
      this.#isReady = true;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      this.#parts.onTrouble(error);
      this.#restUntilMs = this.#parts.clock() + 2 * this.#timing.leaseMs;
      await this.#leave(term);
    }
  }

  async #lead(term: LeaderTerm, seen: Leadership): Promise<number> {
    if (seen.epoch !== term.epoch) {
      await this.#endTerm('deposed');
      return 0;
    }
    if (!this.#isBegun) await this.#begin(term, seen);
    return this.#timing.renewMs;
  }

  async #endTerm(end: TermEnd): Promise<void> {
    const term = this.#term;
    if (term === null) return;
    if (end !== 'closed') await term.end();
    if (this.#isBegun) await this.#endUse(end);
    await term.end();
    if (this.#isBegun) this.#parts.replica.continueFrom(term.last);
    this.#isBegun = false;
    this.#isReady = false;
    this.#term = null;
  }

  async #endUse(end: TermEnd): Promise<void> {
    try {
      await this.#parts.onEnd(end);
    } catch (error) {
      this.#parts.onTrouble(error);
    }
  }

  async #leave(term: LeaderTerm): Promise<void> {
    await this.#endTerm('failed');
    await term.resign().catch(assertOfDatabase);
  }

  async #stop(error: StoreError): Promise<void> {
    this.#problem = error.problem;
    this.#parts.onTrouble(error);
    if (this.#term !== null) await this.#leave(this.#term);
    this.#endTimers();
  }

  #endTimers(): void {
    for (const stop of this.#stopTimers) stop();
    this.#stopTimers.clear();
  }

  async #renew(): Promise<void> {
    try {
      if ((await this.#term?.renew()) === false) this.#wake();
    } catch (error) {
      this.#tellRefusal(error);
    }
    this.#tellChange();
  }

  async #report(): Promise<void> {
    if (this.#reporting !== null) return;
    const { database, name, version } = this.#parts;
    const { host, address } = this.#candidate;
    const { seq } = this.status();
    const report: HostReport = { host, name, address, version, seq };
    this.#reporting = database
      .report(report)
      .catch(assertOfDatabase)
      .finally(() => {
        this.#reporting = null;
      });
    await this.#reporting;
  }

  #endMissing(seenSeq: number, foundSeq = this.#parts.replica.last.seq): StoreError {
    return notTheSame(this.#parts.database.place, seenSeq, foundSeq);
  }

  #tellChange(): void {
    const status = this.status();
    const { role, epoch, leader, isReachable, isReady } = status;
    const told = [role, epoch, leader?.host, leader?.address, isReachable, isReady].join();
    if (told === this.#toldStatus) return;
    this.#toldStatus = told;
    this.#parts.onChange(status);
  }

  #repeat(ms: number, act: () => Promise<void>): void {
    const stop = this.#parts.startTimer(ms, () => {
      this.#stopTimers.delete(stop);
      this.#repeat(ms, act);
      void act().catch((error: unknown) => {
        this.#parts.onTrouble(error);
      });
    });
    this.#stopTimers.add(stop);
  }

  #waitToRetry(): Promise<void> {
    const waited = Promise.withResolvers<undefined>();
    this.#parts.startTimer(this.#timing.spreadMs * (0.5 + this.#parts.random()), () => {
      waited.resolve(undefined);
    });
    return waited.promise;
  }

  /** Ends early when something happened that needs a look. */
  async #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#isAsked) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const stop = this.#parts.startTimer(ms, () => {
      resolve(undefined);
    });
    this.#wake = () => {
      resolve(undefined);
    };
    await promise;
    stop();
  }
}

/** Enough to be fast, few enough that other work is done in between. */
const linesAtOnce = 1_000;
