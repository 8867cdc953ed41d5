import { type Spread, spreadOf } from '../paired-rounds.ts';

type Runs<N extends string, T> = Readonly<Record<N, () => Promise<T>>>;

/** Runs all of them in turn, this many times; returns the results of each. */
export async function inTurns<N extends string, T>(runs: Runs<N, T>, turns: number): Promise<Record<N, T[]>> {
  const names = Object.keys(runs) as N[];
  const seen = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, T[]>;
  for (let turn = 0; turn < turns; turn += 1) {
    for (const name of names) seen[name].push(await runs[name]());
  }
  return seen;
}

/** The ratio of two figures, turn by turn. */
export function ratioOf<T>(one: readonly T[], other: readonly T[], figure: (seen: T) => number): Spread {
  return spreadOf(one.map((seen, turn) => figure(seen) / figure(other[turn]!)));
}

export function medianOf<T>(seen: readonly T[], figure: (seen: T) => number): number {
  return spreadOf(seen.map(figure)).median;
}
