import type { CallDetail } from '../contract/calls/call.ts';
import type { CallRecords } from '../core/calls/telephony.ts';
import type { CallState } from '../core/ivr/call/step.ts';

/** In the data folder. */
export const recordFileName = 'calls.sqlite';

/** How many records a page has unless it says otherwise. */
export const defaultLimit = 100;
/** How many records wait in memory at most while they cannot be written; further ones are not stored. */
export const mostWaiting = 10_000;
/** After how long what waits is written again, when no call ends before. */
export const retryMs = 30_000;

/** A call in a menu, as a restarted program continues it. */
export interface CallUnderWay extends Omit<CallDetail, 'ended_at' | 'end'> {
  /** The flow that it runs, by the hash of its text. */
  readonly flow: string;
  readonly state: CallState;
  /** Of the telephone system. */
  readonly channel: string;
}

/**
 * The port to what a restart needs: calls under way and their flows.
 *
 * What was stored survives the end of the process; in a database, a moment after the call. A write that fails is reported and
 * stops no call. Reading has what was written before.
 */
export interface CallLog {
  /** Stores the text of a flow under its hash; does nothing if it is there. */
  keepFlow(hash: string, text: string): void;
  flow(hash: string): Promise<string | null>;
  /** Stores how a call is now, in place of what was stored of it before. */
  keep(call: CallUnderWay): void;
  underWay(): Promise<CallUnderWay[]>;
  /** Moves calls to the records. */
  save(...calls: readonly CallDetail[]): void;
}

/** Everything that is stored of calls. Adapters: `record-file.ts` and `record-table.ts`; both pass one suite. */
export interface StoredCalls extends CallRecords, CallLog {
  /** Deletes what is older than an instant, and flows that no call runs any more. */
  forgetBefore(beforeMs: number): Promise<void>;
  /** Writes what waits. */
  close(): Promise<void>;
}
