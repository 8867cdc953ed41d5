import type { FlowTarget } from '../../contract/ivr-call.ts';
import type { NodeId } from '../../contract/ivr-draft.ts';

/**
 * Phone menus that may run: every port leads somewhere, every value is one that the body allows.
 *
 * Made by `compile/compile-draft.ts` from a drawing and by `body/flow-of-body.ts` from a body; played by `call/step.ts`, proved by
 * `prove/prove.ts`, written out by `export/`. What the fields mean to a caller is decided in the product's menu semantics.
 */
export interface Flow {
  /** The menu that a call meets first. */
  readonly start: NodeId;
  readonly menus: ReadonlyMap<NodeId, FlowMenu>;
}

export interface FlowMenu {
  readonly id: NodeId;
  readonly name: string;
  readonly description: string;
  /** Played first, and again with each new attempt; written as in the body, such as `recording||42`. */
  readonly recording: string;
  /** How long the menu then waits for a key. */
  readonly timeoutSeconds: number;
  /** In the order of the body. */
  readonly keys: ReadonlyMap<string, FlowKey>;
  readonly wrongKey: {
    /** Played at each key that is not used. */
    readonly recording: string;
    /** How many more attempts there are after the first. */
    readonly retries: number;
    readonly to: FlowTarget;
  };
  readonly timeout: {
    /** How often the menu begins again, each time after `retryRecording`. */
    readonly retries: number;
    readonly retryRecording: string;
    /** Played when no try is left. */
    readonly lastRecording: string;
    readonly to: FlowTarget;
  };
}

export interface FlowKey {
  readonly to: FlowTarget;
  readonly smsTemplate: string | null;
}
