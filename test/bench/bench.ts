import type { Load } from './start-load.ts';
import type { Spread } from './paired-rounds.ts';

export interface Bench {
  /** As on the command line: `npm run bench -- rotate`. */
  readonly name: string;
  readonly title: string;
  /** Opens a desktop or a browser, or fills a store only to read it: with `--quick` it runs only if it is named. */
  readonly isLong?: true;
  /** Prints its own tables and returns the goals with their results. */
  run(circumstances: Circumstances): Promise<Goal[]>;
}

export interface Circumstances {
  /** Fewer and shorter turns: all benchmarks that are not long take two minutes together. Figures are rougher. */
  readonly quick: boolean;
  readonly load: Load;
}

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

/** Prints rows under their heads: the first column left-aligned, figures right-aligned. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [heads, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('  ')}`);
  }
  console.log();
}

export function printGoals(goals: readonly Goal[]): void {
  printTable(
    ['', 'seen: median (min to max)', 'goal', ''],
    goals.map(({ what, seen, goal, verdict }) => [
      what,
      seen,
      goal,
      verdict === 'missed' ? 'MISSED' : verdict,
    ]),
  );
}
