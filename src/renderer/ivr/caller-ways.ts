import type { Ivr } from '../../contract/ivr.ts';

/** One thing that a caller meets. */
export type WayStep =
  | { readonly kind: 'play'; readonly recording: string }
  /** For a key, in seconds. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The menu begins again, at most so many times. */
  | { readonly kind: 'again'; readonly times: number }
  | { readonly kind: 'go'; readonly destination: string };

/** What a caller meets who presses none of a menu's keys. */
export interface CallerWays {
  readonly first: readonly WayStep[];
  readonly wrongKey: readonly WayStep[];
  readonly silence: readonly WayStep[];
}

/** Reads the ways out of a menu; what they mean is decided in the product's menu semantics. */
export function callerWays(menu: Ivr): CallerWays {
  return {
    first: [
      { kind: 'play', recording: menu.recording },
      { kind: 'wait', seconds: menu.timeout },
    ],
    wrongKey: [
      { kind: 'play', recording: menu.invalid_recording },
      ...again(menu.incorrect_count),
      { kind: 'go', destination: menu.invalid_destination },
    ],
    silence: [
      // Without a try left its recording is never played.
      ...(menu.timeout_tries === 0
        ? []
        : [{ kind: 'play', recording: menu.timeout_retry_recording } as const, ...again(menu.timeout_tries)]),
      { kind: 'play', recording: menu.timeout_recording },
      { kind: 'go', destination: menu.timeout_destination },
    ],
  };
}

function again(times: number): WayStep[] {
  return times === 0 ? [] : [{ kind: 'again', times }];
}
