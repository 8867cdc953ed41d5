import type { CallDetail } from '../contract/call.ts';
import type { CallState } from '../core/ivr/call/step.ts';

/** In the data folder. */
export const recordFileName = 'calls.sqlite';

/** A call in a menu, as a restarted program continues it. */
export interface CallUnderWay extends Omit<CallDetail, 'ended_at' | 'end'> {
  /** The flow that it runs, by the hash of its text. */
  readonly flow: string;
  readonly state: CallState;
  /** Of the telephone system. */
  readonly channel: string;
}

/**
 * The port to what a restart needs: calls under way and their flows. `RecordFile` implements it.
 *
 * What was stored survives the end of the process. A write that fails is reported and stops no call.
 */
export interface CallLog {
  /** Stores the text of a flow under its hash; does nothing if it is there. */
  keepFlow(hash: string, text: string): void;
  flow(hash: string): string | null;
  /** Stores how a call is now, in place of what was stored of it before. */
  keep(call: CallUnderWay): void;
  underWay(): CallUnderWay[];
  /** Moves calls to the records. */
  save(...calls: readonly CallDetail[]): void;
}
