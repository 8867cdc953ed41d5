import type { AuditEvent, EventDraft, HistoryEvent } from '../contract/history/audit-event.ts';
import type {
  HistoryProblem,
  JournalCheck,
  StoreRefusal,
  StoreState,
} from '../contract/service/store-problem.ts';
import type { HistorySelection } from './history/choose-events.ts';
import type { SeqRun } from './history/seq-runs.ts';
import type { State } from './state.ts';

/** Milliseconds since the epoch on the wall clock. */
export type Clock = () => number;

/** The events to make durable, and the result to return after that. Without events: a result that changes nothing. */
export interface Decision<T> {
  readonly events: readonly EventDraft[];
  readonly value: T;
}

/** Which events to search for, where, and with which limit. */
export interface HistorySearch extends HistorySelection {
  /** Only events with a smaller `seq`. */
  readonly before?: number | undefined;
  /** An additional condition on the event itself, such as the token that it is about. */
  readonly matches?: (event: HistoryEvent) => boolean;
  /** How many at most, the newest ones. Default: all. */
  readonly limit?: number | undefined;
  /** Aborted when the result is no longer needed: the search ends with what it has found so far. */
  readonly signal?: { readonly aborted: boolean } | undefined;
}

export type HistoryFilter = HistorySearch & { readonly limit: number };

/**
 * The port to durable state. `store` implements it, `service` uses it, `host` connects them.
 *
 * `transact` runs `decide` at once on the current state, so decisions are strictly sequential. It resolves when every
 * event of the decision, and everything that the decision could have seen, is on disk. It rejects with
 * `StoreUnavailable` when that failed; then nothing was changed. A decision without events is repeated when what it
 * could have seen was rolled back, so reads continue while the disk refuses writes. A decision that throws changes
 * nothing.
 */
export interface Ledger {
  readonly state: State;
  transact<T>(decide: (state: State, nowMs: number) => Decision<T>): Promise<T>;
  /** Throws `StoreUnavailable` while `state` may be older than what another host has written: nothing may be answered from it. */
  assertCurrent(): void;
  /** Newest first. */
  history(filter: HistoryFilter): Promise<HistoryEvent[]>;
  /** The positions of the matching events, without reading them: newest first, while requests continue. */
  findEvents(search: HistorySearch): Promise<readonly SeqRun[]>;
  /** Rejects with `HistoryUnreadable` when the disk cannot be read. */
  verify(): Promise<JournalCheck>;
  /** As of the last change or check. */
  health(): StoreState;
  /** Checks the disk now; takes a few microseconds if there is no problem. */
  look(): StoreState;
  /**
   * Called when changes start to be refused, when the reason changes, and when they are accepted again. Returns a
   * function that unsubscribes.
   */
  onHealth(listener: () => void): () => void;
  /** Called with every event once it is durable, in order. Returns a function that unsubscribes. */
  subscribe(listener: (event: AuditEvent) => void): () => void;
}

/** What is read of the state now, as soon as everything that it depends on is on disk. */
export function readState<T>(
  ledger: Pick<Ledger, 'transact'>,
  read: (state: State, nowMs: number) => T,
): Promise<T> {
  return ledger.transact((state, nowMs) => ({ events: [], value: read(state, nowMs) }));
}

/** The same ledger, of which a part is done otherwise. */
export function ledgerWith(ledger: Ledger, otherwise: Partial<Omit<Ledger, 'state'>>): Ledger {
  return {
    get state() {
      return ledger.state;
    },
    transact: (decide) => ledger.transact(decide),
    assertCurrent: () => ledger.assertCurrent(),
    history: (filter) => ledger.history(filter),
    findEvents: (search) => ledger.findEvents(search),
    verify: () => ledger.verify(),
    health: () => ledger.health(),
    look: () => ledger.look(),
    onHealth: (listener) => ledger.onHealth(listener),
    subscribe: (listener) => ledger.subscribe(listener),
    ...otherwise,
  };
}

/** The change could not be made durable; nothing was changed. The message is for the log. */
export class StoreUnavailable extends Error {
  readonly refusal: StoreRefusal;

  constructor(refusal: StoreRefusal, options?: { cause: unknown }) {
    super(`${refusal.code}: ${refusal.path}`, options);
    this.name = 'StoreUnavailable';
    this.refusal = refusal;
  }

  get code(): string {
    return this.refusal.code;
  }
}

/** The events exist, or existed, and cannot be read from disk now. The message is for the log. */
export class HistoryUnreadable extends Error {
  readonly problem: HistoryProblem;

  constructor(problem: HistoryProblem, options?: { cause: unknown }) {
    super(JSON.stringify(problem), options);
    this.name = 'HistoryUnreadable';
    this.problem = problem;
  }
}
