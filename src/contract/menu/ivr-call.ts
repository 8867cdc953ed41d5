import type { NodeId } from './ivr-draft.ts';

/** Where a caller is led to. */
export type FlowTarget =
  | { readonly kind: 'menu'; readonly menu: NodeId }
  /** Out of the flow, to what the body writes, such as `extension||101`; `node` is the node of the draft, if there is one. */
  | { readonly kind: 'destination'; readonly destination: string; readonly node: NodeId | null };

/** An outcome of a prompt that a call takes; `silence` is a timeout. */
export type CallPort =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'wrong_key' }
  | { readonly kind: 'silence' };

/** A recording that is played, and why. */
export interface Prompt {
  readonly recording: string;
  readonly cause: 'menu' | 'wrong_key' | 'silence_retry' | 'silence_last';
}

/** What happened in a step of a call, in order; `rotavox ivr simulate --json` prints it. */
export type CallHappening =
  | { readonly kind: 'entered'; readonly menu: NodeId }
  | { readonly kind: 'playing'; readonly menu: NodeId; readonly prompt: Prompt }
  | { readonly kind: 'waiting'; readonly menu: NodeId; readonly seconds: number }
  | { readonly kind: 'key'; readonly menu: NodeId; readonly key: string; readonly used: boolean }
  | { readonly kind: 'silence'; readonly menu: NodeId }
  | { readonly kind: 'led'; readonly menu: NodeId; readonly port: CallPort; readonly to: FlowTarget }
  | { readonly kind: 'sms'; readonly menu: NodeId; readonly template: string };
