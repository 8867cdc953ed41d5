/**
 * Rounds in turn, so that other load affects every contender equally: A B C, A B C, …
 *
 * Absolute figures on a shared machine mean little; a ratio is computed within one turn, and its median over the turns
 * decides.
 */
import type { LoadJob, LoadResult } from './load-job.ts';
import { cpuSecondsOf } from './process-usage.ts';
import type { Load } from './start-load.ts';

export interface Round extends LoadResult {
  /** CPU time of the server for a request, in microseconds; undefined if the system does not report it. */
  readonly serverCpuMicros: number | undefined;
}

export interface Measured {
  readonly name: string;
  /** One per turn. */
  readonly rounds: Round[];
}

export interface Runner {
  readonly name: string;
  run(durationMs: number): Promise<Round>;
}

export async function runInTurns(
  runners: readonly Runner[],
  { turns, roundMs, warmupMs }: { turns: number; roundMs: number; warmupMs: number },
): Promise<Map<string, Measured>> {
  const measured = new Map<string, Measured>(runners.map(({ name }) => [name, { name, rounds: [] }]));
  for (const runner of runners) await runner.run(warmupMs);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const runner of runners) measured.get(runner.name)?.rounds.push(await runner.run(roundMs));
  }
  return measured;
}

/** One round of load on one server, with the tokens that the load client has under its name. */
export async function runRound(
  load: Load,
  { name, pid, port }: { readonly name: string; readonly pid: number; readonly port: number },
  job: Pick<LoadJob, 'request' | 'bearer' | 'connections' | 'durationMs'>,
): Promise<Round> {
  const before = cpuSecondsOf(pid);
  const result = await load.run({ ...job, tokensOf: name, port });
  const after = cpuSecondsOf(pid);
  const serverCpuMicros =
    before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / result.requests;
  return { ...result, serverCpuMicros };
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return {
    median: sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2,
    min: sorted[0] ?? NaN,
    max: sorted.at(-1) ?? NaN,
  };
}

/** The ratio of two contenders by `figure`, per turn. */
export function ratioOf(one: Measured, other: Measured, figure: (round: Round) => number): Spread {
  return spreadOf(
    one.rounds.map((round, turn) => {
      const paired = other.rounds[turn];
      return paired === undefined ? NaN : figure(round) / figure(paired);
    }),
  );
}
