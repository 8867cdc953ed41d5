import type { CallPort } from './ivr-call.ts';
import type { NodeId } from './ivr-draft.ts';
import type { BodyField, ScenarioPlace } from './ivr-problem.ts';
import type { DirectDial } from './ivr.ts';

/*
 * What differs for a caller between two call flows: found by `core/ivr/caller-changes.ts`, said by
 * `text/menu/change-sentences.ts`.
 */

/** Where a way leads; `open` while nothing is chosen. */
export type CallerPlace =
  | ScenarioPlace
  | { readonly kind: 'open' }
  | { readonly kind: 'hours' }
  | { readonly kind: 'message'; readonly name: string };
export type HeardPrompt = Extract<BodyField, `${string}recording`>;
export type HeardCount = 'timeout' | 'incorrect_count' | 'timeout_tries';

/** One thing that differs in a menu; null is nothing, and for a key that the menu does not have it. */
export type CallerChange =
  | {
      readonly kind: 'prompt';
      readonly which: HeardPrompt;
      readonly from: string | null;
      readonly to: string | null;
    }
  | {
      readonly kind: 'led';
      readonly way: CallPort;
      readonly from: CallerPlace | null;
      readonly to: CallerPlace | null;
    }
  | {
      readonly kind: 'count';
      readonly which: HeardCount;
      readonly from: number | null;
      readonly to: number | null;
    }
  | {
      readonly kind: 'sms';
      readonly key: string;
      readonly from: string | null;
      readonly to: string | null;
    }
  /** The schedule that opening hours ask. */
  | { readonly kind: 'hours'; readonly from: string | null; readonly to: string | null }
  /** How long a menu waits for the next digit of a number or a key, in seconds. */
  | { readonly kind: 'digit_time'; readonly from: number; readonly to: number }
  /** The numbers that callers may dial in a menu: `directory`, or patterns. */
  | {
      readonly kind: 'dial';
      readonly from: DirectDial['numbers'] | null;
      readonly to: DirectDial['numbers'] | null;
    }
  /** No caller notices it. */
  | {
      readonly kind: 'unheard';
      readonly which: 'name' | 'description' | 'order';
      readonly from: string | null;
      readonly to: string | null;
    };

/** What differs in a menu. In an added one everything is new; of a removed one nothing is said. */
export interface MenuChange {
  readonly menu: NodeId;
  readonly name: string;
  /** Where it is no menu. */
  readonly node?: 'hours' | 'message';
  readonly kind: 'added' | 'removed' | 'changed';
  readonly changes: readonly CallerChange[];
}

export interface CallerChanges {
  /** Where calls begin; null if that is the same or was not known. `from` is null before the first publication. */
  readonly start: { readonly from: CallerPlace | null; readonly to: CallerPlace } | null;
  readonly menus: readonly MenuChange[];
}
