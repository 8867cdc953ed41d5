import type { AuditEvent, EventDraft, HistoryEvent } from '../contract/audit-event.ts';
import type { HistoryProblem, JournalCheck, StoreRefusal, StoreState } from '../contract/store-problem.ts';
import type { HistorySelection } from './history/choose-events.ts';
import type { SeqRun } from './history/seq-runs.ts';
import type { State } from './state.ts';

/** Milliseconds since the epoch on the wall clock. */
export type Clock = () => number;

/** What is to be made true, and what to answer once it is durable. No events: an answer that changes nothing. */
export interface Decision<T> {
  readonly events: readonly EventDraft[];
  readonly value: T;
}

/** Which events to look for, where, and for how long. */
export interface HistorySearch extends HistorySelection {
  /** Only events with a smaller `seq`. */
  readonly before?: number | undefined;
  /** A last condition on the event itself, such as the token that it names. */
  readonly matches?: (event: HistoryEvent) => boolean;
  /** How many at most, the newest ones. Default: all. */
  readonly limit?: number | undefined;
  /** Aborted when nobody waits any more: the search ends, with what it has found until then. */
  readonly signal?: { readonly aborted: boolean } | undefined;
}

export type HistoryFilter = HistorySearch & { readonly limit: number };

/**
 * The port to memory that survives. `store` implements it; `service` asks it; `host` brings them together.
 *
 * `transact` runs `decide` at once against the present state, so decisions are strictly one after another, and resolves
 * when every event of the decision, and everything that the decision could have seen, is on disk. It rejects with
 * `StoreUnavailable` when that could not be done: then nothing was changed. A decision without events is made again when
 * what it could have seen was taken back, so reading goes on while the disk refuses. A decision that throws changes nothing.
 */
export interface Ledger {
  readonly state: State;
  transact<T>(decide: (state: State, nowMs: number) => Decision<T>): Promise<T>;
  /** Newest first. */
  history(filter: HistoryFilter): Promise<HistoryEvent[]>;
  /** Where the events are that a search is for, without reading them out: newest first, while requests go on. */
  findEvents(search: HistorySearch): Promise<readonly SeqRun[]>;
  /** Reading the past rejects with `HistoryUnreadable` when the disk does not give it. */
  verify(): Promise<JournalCheck>;
  /** As the last change or the last look found it. */
  health(): StoreState;
  /** Looks at the disk now; costs a few microseconds while all is well. */
  look(): StoreState;
  /** Told when changes begin to be refused, for another reason too, and when they are taken again. Returns how to stop. */
  onHealth(listener: () => void): () => void;
  /** Told of every event once it is durable, in order. Returns how to stop. */
  subscribe(listener: (event: AuditEvent) => void): () => void;
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

/** The events are there, or were, and cannot be read from disk now. The message is for the log. */
export class HistoryUnreadable extends Error {
  readonly problem: HistoryProblem;

  constructor(problem: HistoryProblem, options?: { cause: unknown }) {
    super(JSON.stringify(problem), options);
    this.name = 'HistoryUnreadable';
    this.problem = problem;
  }
}
