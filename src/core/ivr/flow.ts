import type { FlowTarget } from '../../contract/menu/ivr-call.ts';
import type { NodeId } from '../../contract/menu/ivr-draft.ts';

/**
 * Phone menus that can run: every outcome has a target, every value is valid in a body.
 *
 * Made by `compile/compile-draft.ts` from a draft and by `body/flow-of-body.ts` from a body; run by `call/step.ts`,
 * checked by `prove/prove.ts`, exported by `export/`.
 */
export interface Flow {
  /** The menu that a call reaches first. */
  readonly start: NodeId;
  readonly menus: ReadonlyMap<NodeId, FlowMenu>;
}

export interface FlowMenu {
  readonly id: NodeId;
  readonly name: string;
  readonly description: string;
  /** Played first, and again with each new attempt; written as in the body, such as `recording||42`. */
  readonly recording: string;
  /** The timeout, in seconds. */
  readonly timeoutSeconds: number;
  /** In the order of the body. */
  readonly keys: ReadonlyMap<string, FlowKey>;
  readonly wrongKey: {
    /** Played at each key that the menu does not use. */
    readonly recording: string;
    /** How many more attempts there are after the first. */
    readonly retries: number;
    readonly to: FlowTarget;
  };
  readonly timeout: {
    /** How often the menu starts again after a timeout, each time after `retryRecording`. */
    readonly retries: number;
    readonly retryRecording: string;
    /** Played when no attempt is left. */
    readonly lastRecording: string;
    readonly to: FlowTarget;
  };
}

export interface FlowKey {
  readonly to: FlowTarget;
  readonly smsTemplate: string | null;
}
