import { Low } from 'lowdb';
import { StoreUnavailable } from '../../../src/core/ledger.ts';
import { State } from '../../../src/core/state.ts';
import type { Checkpoint } from '../../../src/store/checkpoint-file.ts';
import { genesis } from '../../../src/store/journal-line.ts';
import { Store } from '../../../src/store/store.ts';
import { Member, type MemberTiming } from '../../../src/store/team/member.ts';
import { type JournalDatabase, PostgresJournal } from '../../../src/store/team/postgres-journal.ts';
import { Replica } from '../../../src/store/team/replica.ts';
import {
  DatabaseRefused,
  DatabaseUnreachable,
  type TeamDatabase,
} from '../../../src/store/team/team-database.ts';
import { notLeading, type Term } from '../../../src/store/team/term.ts';
import { noon } from '../../fixtures/make-events.ts';
import type { Link, SimulatedDatabase } from './simulated-database.ts';
import { type Process, Violation, type World } from './world.ts';

/** Bugs that the simulation has to find. */
export interface Planted {
  readonly timing?: Partial<MemberTiming>;
  /** An append without an answer counts as one that was not done. */
  readonly guesses?: boolean;
  /** A follower answers from its own memory. */
  readonly followersAnswer?: boolean;
  /** The database appends for any epoch. */
  readonly ignoresEpoch?: boolean;
  /** A follower takes the lead as soon as the clock of the database allows it. */
  readonly trustsDatabaseClock?: boolean;
}

/** One machine: its program is started again and again, each time as another process. */
export class SimulatedHost {
  readonly name: string;
  readonly link: Link = { isRequestCut: false, isReplyCut: false };
  readonly #world: World;
  readonly #database: SimulatedDatabase;
  readonly #planted: Planted;
  readonly #onTrouble: (error: unknown) => void;
  /** Hosts' clocks do not run at the same speed. */
  readonly #speed: number;
  wallOffsetMs = 0;
  /** Started again whenever it has stopped. */
  staysUp = false;
  #starts = 0;
  #process: HostProcess | null = null;

  constructor(
    world: World,
    database: SimulatedDatabase,
    options: {
      readonly name: string;
      readonly planted?: Planted;
      readonly onTrouble?: (error: unknown) => void;
    },
  ) {
    this.#world = world;
    this.#database = database;
    this.name = options.name;
    this.#planted = options.planted ?? {};
    this.#onTrouble =
      options.onTrouble ??
      ((error) => {
        // That its disk is full is told, too.
        if (!(error instanceof StoreUnavailable)) world.fail(error);
      });
    this.#speed = 0.96 + world.chance.next() * 0.08;
  }

  get running(): HostProcess | null {
    return this.#process;
  }

  start(): void {
    this.#starts += 1;
    const process: Process = { isAlive: true, pausedUntilMs: 0 };
    const database = this.#database.connect(this.link, process);
    const started = new HostProcess(this.#world, process, {
      id: `${this.name}.${this.#starts}`,
      name: this.name,
      database: plant(database, this.#planted),
      monotonic: () => this.#world.nowMs * this.#speed,
      wall: () => noon + this.#world.nowMs + this.wallOffsetMs,
      planted: this.#planted,
      onTrouble: this.#onTrouble,
      onRolledBack: (replica, seq) => {
        this.#database.compareWithReplay(replica, seq);
      },
    });
    this.#process = started;
    this.#world.after(0, process, () => {
      started.member.start();
    });
  }

  kill(): void {
    if (this.#process !== null) this.#process.process.isAlive = false;
    this.#process = null;
  }

  /** Ends the program cleanly. */
  stop(): void {
    const running = this.#process;
    if (running === null) return;
    this.#world.after(0, running.process, () => {
      void running.member.close().then(() => {
        if (this.#process !== running) return;
        this.kill();
        if (this.staysUp) this.start();
      });
    });
  }

  pause(ms: number): void {
    if (this.#process !== null) this.#process.process.pausedUntilMs = this.#world.nowMs + ms;
  }
}

function plant<D extends TeamDatabase>(database: D, { guesses, trustsDatabaseClock }: Planted): D {
  const planted = { ...database };
  if (guesses === true)
    planted.append = (...parts) =>
      database.append(...parts).catch((error: unknown) => {
        throw error instanceof DatabaseUnreachable ? new DatabaseRefused(error.code) : error;
      });
  if (trustsDatabaseClock === true) {
    planted.look = async () => ({ ...(await database.look()), deadline: -Infinity });
    planted.lead = (epoch, { host, address, leaseMs }) => database.lead(epoch, { host, address, leaseMs });
  }
  return planted;
}

export class HostProcess {
  readonly id: string;
  readonly process: Process;
  readonly member: Member;
  readonly replica: Replica;
  readonly #world: World;
  readonly #planted: Planted;
  readonly #database: JournalDatabase;
  #store: Store | null = null;
  readonly #wall: () => number;
  readonly #onRolledBack: (replica: Replica, seq: number) => void;

  constructor(
    world: World,
    process: Process,
    parts: {
      readonly id: string;
      readonly name: string;
      readonly database: TeamDatabase & JournalDatabase;
      readonly monotonic: () => number;
      readonly wall: () => number;
      readonly planted: Planted;
      readonly onTrouble: (error: unknown) => void;
      /** Called when memory should have exactly the durable events up to one. */
      readonly onRolledBack: (replica: Replica, seq: number) => void;
    },
  ) {
    const { id, name, database, monotonic, wall, planted } = parts;
    this.#onRolledBack = parts.onRolledBack;
    this.id = id;
    this.process = process;
    this.#world = world;
    this.#wall = wall;
    this.#database = database;
    this.#planted = planted;
    this.replica = new Replica(new State(), { seq: 0, head: genesis }, database.place);
    this.member = new Member({
      database,
      replica: this.replica,
      host: id,
      name,
      address: () => name,
      version: '1',
      timing: { ...planted.timing },
      clock: monotonic,
      wallClock: wall,
      random: () => world.chance.next(),
      startTimer: (ms, act) => world.after(ms, process, act),
      onLead: (term) => this.#lead(term),
      onEnd: async (end) => {
        const store = this.#store;
        this.#store = null;
        if (store === null) throw new Violation('a term ended that did not begin');
        if (end === 'closed') await store.close();
        else {
          this.#onRolledBack(this.replica, (await store.abandon()).seq);
        }
      },
      onChange: () => undefined,
      onTrouble: parts.onTrouble,
    });
  }

  get answersItself(): boolean {
    return this.#planted.followersAnswer === true;
  }

  /** The address of the host that answers; null: nobody does, as far as this one knows. */
  get leader(): string | null {
    return this.member.status().leader?.address ?? null;
  }

  /** What the service would do with a call. */
  transact: Store['transact'] = (decide) => {
    if (this.#planted.followersAnswer === true && this.#store === null) {
      const { events, value } = decide(this.replica.state, this.#wall());
      if (events.length === 0) return Promise.resolve(value);
    }
    return this.#store?.transact(decide) ?? Promise.reject(notLeading('here'));
  };

  #lead(term: Term): Promise<void> {
    const journal = new PostgresJournal(this.#database, term);
    const db = new Low<Checkpoint>(
      { read: () => Promise.resolve(null), write: () => Promise.resolve() },
      { ...term.last, segments: [], state: this.replica.state },
    );
    this.#store = new Store(
      { journal, db, head: term.last.head },
      {
        clock: this.#wall,
        policy: { minEvents: 1e9, shareOfTokens: 1 },
        onTrouble: ({ cause }) => {
          if (!(cause instanceof StoreUnavailable)) this.#world.fail(cause);
        },
      },
    );
    return Promise.resolve();
  }
}
