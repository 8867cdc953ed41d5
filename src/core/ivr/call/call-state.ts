import type { NodeId } from '../../../contract/ivr-draft.ts';
import type { FlowTarget } from '../flow.ts';

/** What a caller does, or what time does: `silence` is the menu's time running out, `prompt_ended` the end of what plays. */
export type CallInput =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'prompt_ended' };

/** A recording that is played, and why. */
export interface Prompt {
  readonly recording: string;
  readonly cause: 'menu' | 'wrong_key' | 'silence_retry' | 'silence_last';
}

/** Where a call is. The two counters are of the menu that it is in, and begin anew with each menu. */
export type CallState =
  | {
      readonly kind: 'playing';
      readonly menu: NodeId;
      /** The first one plays; the others follow. */
      readonly prompts: readonly [Prompt, ...Prompt[]];
      readonly wrongKeys: number;
      readonly silences: number;
      /** Where the call goes when the last prompt is over; null: it waits for a key. */
      readonly then: FlowTarget | null;
    }
  | { readonly kind: 'waiting'; readonly menu: NodeId; readonly wrongKeys: number; readonly silences: number }
  | { readonly kind: 'ended'; readonly destination: string; readonly node: NodeId | null };

/** What happened in a step, in order: for the log, the lit path and the exporters' tests. */
export type CallHappening =
  | { readonly kind: 'entered'; readonly menu: NodeId }
  | { readonly kind: 'playing'; readonly menu: NodeId; readonly prompt: Prompt }
  | { readonly kind: 'waiting'; readonly menu: NodeId; readonly seconds: number }
  | { readonly kind: 'key'; readonly menu: NodeId; readonly key: string; readonly used: boolean }
  | { readonly kind: 'silence'; readonly menu: NodeId }
  /** Through which port of a menu: a key, or one of the two ways out. */
  | { readonly kind: 'led'; readonly menu: NodeId; readonly port: CallPort; readonly to: FlowTarget }
  | { readonly kind: 'sms'; readonly menu: NodeId; readonly template: string };

export type CallPort =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'wrong_key' }
  | { readonly kind: 'silence' };

export interface CallStep {
  readonly state: CallState;
  readonly happenings: readonly CallHappening[];
}
