import type { Spread } from './paired-rounds.ts';

/** A performance goal of the project, and the result. */
export interface Goal {
  readonly what: string;
  /** As printed: `0.84x (0.80x to 0.88x)`. */
  readonly seen: string;
  /** As printed: `>= 0.8x`. */
  readonly goal: string;
  /** Undecided: the machine was too busy with other work. */
  readonly verdict: 'met' | 'missed' | 'undecided';
}

type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** Judged by the median over the turns; the spread is printed beside it, so that a lucky median shows. */
export function judgeRatio(what: string, seen: Spread, bound: Bound): Goal {
  return judge(what, seen, bound, (value) => `${value.toFixed(2)}x`);
}

export function judgeMs(what: string, seen: Spread, atMost: number): Goal {
  return judge(what, seen, { atMost }, (value) => `${value.toFixed(1)} ms`);
}

export function judgeCount(what: string, seen: Spread, atMost: number): Goal {
  return judge(what, seen, { atMost }, (value) => value.toFixed(0));
}

function judge(what: string, seen: Spread, bound: Bound, format: (value: number) => string): Goal {
  const spread = `${format(seen.median)} (${format(seen.min)} to ${format(seen.max)})`;
  return 'atLeast' in bound
    ? {
        what,
        seen: spread,
        goal: `>= ${format(bound.atLeast)}`,
        verdict: seen.median >= bound.atLeast ? 'met' : 'missed',
      }
    : {
        what,
        seen: spread,
        goal: `<= ${format(bound.atMost)}`,
        verdict: seen.median <= bound.atMost ? 'met' : 'missed',
      };
}
