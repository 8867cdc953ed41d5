import type {
  CallDetail,
  CallEnd,
  CallFilters,
  CallPage,
  CallQuery,
  CallRecord,
  CallsNotice,
  LiveCall,
  Traffic,
  TrafficQuery,
} from '../../contract/calls/call.ts';
import type {
  AddPbx,
  ChangePbx,
  PbxProblem,
  PbxSounds,
  PbxTest,
  PbxView,
  RingPhone,
  SilentPrompt,
} from '../../contract/calls/pbx.ts';
import type { FlowSpeech } from '../../contract/menu/speech.ts';
import type { Result } from '../result.ts';
import { unreachable } from '../unreachable.ts';

/** The audio of a prompt as a telephone system plays it: WAV, 8 kHz, 16 bits, mono. */
export interface PromptAudio {
  readonly bytes: Uint8Array;
  /** Of these bytes, for `ETag`. */
  readonly digest: string;
}

/**
 * The port to telephone systems and their calls. `calls` implements it, `service` and the shell use it.
 *
 * Changes of connections are recorded in the ledger and told by its events; calls and the state of connections are told
 * by `onCalls` and `onPbxState`, and stored in the records of calls, not in the ledger.
 */
export interface Telephony {
  pbxs(): PbxView[];
  addPbx(wanted: AddPbx): Promise<Result<PbxView, PbxProblem>>;
  changePbx(name: string, wanted: ChangePbx): Promise<Result<PbxView, PbxProblem>>;
  removePbx(name: string): Promise<Result<{ readonly name: string }, PbxProblem>>;
  /** Asks the telephone system now. Changes nothing there but a call of its own that fetches a silent prompt. */
  testPbx(name: string): Promise<Result<PbxTest, PbxProblem>>;
  /** Which of these prompts, as menus write them, callers do not hear, or perhaps not. */
  checkPrompts(heard: {
    readonly prompts: readonly string[];
    /** Of their call flow. */
    readonly speech: FlowSpeech | undefined;
  }): Promise<SilentPrompt[]>;
  /** The sounds that each telephone system has itself. */
  sounds(): Promise<PbxSounds>;
  /** Resolves when the phone rings. `call` is the id under which the call is live and recorded. */
  ring(name: string, wanted: RingPhone): Promise<Result<{ readonly call: string }, PbxProblem>>;
  live(): LiveCall[];
  /** Called with what changed, ten times a second at most. Returns a function that unsubscribes. */
  onCalls(listener: (notice: CallsNotice) => void): () => void;
  /** Called when a connection is made or breaks. Returns a function that unsubscribes. */
  onPbxState(listener: () => void): () => void;
  /** The prompt at a signed path that was given to a telephone system; null when the path is unknown or too old. */
  readPrompt(path: string): Promise<PromptAudio | null>;
}

/** Opens the records at its first call. Rejects with `StoreUnavailable`. */
export type OpenCallRecords = () => Promise<CallRecords>;

/**
 * The port to what is stored of calls that ended. Reading takes turns with other work, so that it delays no call.
 */
export interface CallRecords {
  find(query: CallQuery): Promise<CallPage>;
  read(id: string): Promise<CallDetail | null>;
  /** All that match, newest first, some at a time. */
  all(filters: CallFilters): AsyncIterable<readonly CallRecord[]>;
  /** What the menus of these records were called last, by their ids. */
  menuNames(): Promise<ReadonlyMap<string, string>>;
  /** Deletes every record of one caller, and returns how many there were. Rejects with `StoreUnavailable`. */
  forgetCaller(caller: string): Promise<number>;
  traffic(query: TrafficQuery): Promise<Traffic>;
}

/** What an end says beside its kind: the destination, the menu in which the caller hung up, or why the call failed. */
export function endDetail(end: CallEnd): string {
  switch (end.kind) {
    case 'destination':
      return end.destination;
    case 'hung_up':
      return end.menu;
    case 'failed':
      return end.reason;
    default:
      return unreachable(end);
  }
}
