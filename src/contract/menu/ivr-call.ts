import type { NodeId } from './ivr-draft.ts';
import type { HoursReason, HoursState, ScheduleId } from './schedule.ts';

/** Where a caller is led to. */
export type FlowTarget =
  | { readonly kind: 'menu'; readonly menu: NodeId }
  | { readonly kind: 'hours' | 'message'; readonly node: NodeId }
  /** Out of the flow, to what the body writes, such as `extension||101`; `node` is the node of the draft, if there is one. */
  | { readonly kind: 'destination'; readonly destination: string; readonly node: NodeId | null };

/** An outcome that a call takes: of a menu (`silence` is a timeout), of opening hours, or of a message (`then`). */
export type CallPort =
  | { readonly kind: 'key'; readonly key: string }
  /** Direct dial. */
  | { readonly kind: 'number'; readonly number: string }
  | { readonly kind: 'wrong_key' }
  | { readonly kind: 'silence' }
  | { readonly kind: HoursState }
  | { readonly kind: 'then' };

/** A recording that is played, and why. */
export interface Prompt {
  readonly recording: string;
  readonly cause: 'menu' | 'wrong_key' | 'silence_retry' | 'silence_last' | 'message';
}

/**
 * What happened in a step of a call, in order; `rotavox ivr simulate --json` prints it. `menu` is the node where it happened: a menu,
 * or where a message plays or opening hours are asked, those.
 */
export type CallHappening =
  | { readonly kind: 'entered'; readonly menu: NodeId }
  | { readonly kind: 'playing'; readonly menu: NodeId; readonly prompt: Prompt }
  | { readonly kind: 'waiting'; readonly menu: NodeId; readonly seconds: number }
  /** Opening hours are asked; `led` follows. */
  | {
      readonly kind: 'hours';
      readonly menu: NodeId;
      readonly hours: ScheduleId;
      readonly state: HoursState;
      readonly reason: HoursReason;
    }
  /** One more digit of what may become a longer entry; `key` follows when it is complete. */
  | {
      readonly kind: 'digits';
      readonly menu: NodeId;
      /** All of them. */
      readonly digits: string;
      /** How long the next one is waited for. */
      readonly seconds: number;
    }
  /** A key, or all digits of an entry or a dialled number. */
  | { readonly kind: 'key'; readonly menu: NodeId; readonly key: string; readonly used: boolean }
  | { readonly kind: 'silence'; readonly menu: NodeId }
  | { readonly kind: 'led'; readonly menu: NodeId; readonly port: CallPort; readonly to: FlowTarget }
  | { readonly kind: 'sms'; readonly menu: NodeId; readonly template: string };
