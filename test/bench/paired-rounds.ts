/**
 * Rounds in turn, so that other load affects every contender equally: A B C, A B C, …
 *
 * Absolute figures on a shared machine mean little; a ratio is computed within one turn, and its median over the turns
 * decides.
 */
import { printTable } from './bench.ts';
import { cpuSecondsOf } from './child-process.ts';
import type { LoadJob, LoadResult } from './load-client.ts';
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

/** What a benchmark compares: something that runs a server in a separate process and provides credentials for it. */
export interface Contender {
  readonly name: string;
  start(): Promise<RunningContender>;
}

export interface RunningContender {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** New Active tokens, each in a new family. */
  issueTokens(count: number): Promise<string[]>;
  /** Ends its process by id and removes its folder. */
  close(): Promise<void>;
}

export interface Comparison {
  readonly contenders: readonly Contender[];
  readonly job: Pick<LoadJob, 'request' | 'bearer' | 'connections'>;
  readonly turns: number;
  readonly roundMs: number;
  readonly warmupMs: number;
}

/** Starts contenders, loads them in turns, prints the results and returns the rounds for ratios. */
export async function compareContenders(
  load: Load,
  { contenders, job, turns, roundMs, warmupMs }: Comparison,
): Promise<(contender: Contender) => Measured> {
  const running: RunningContender[] = [];
  try {
    for (const contender of contenders) {
      const started = await contender.start();
      running.push(started);
      load.giveTokens(started.name, await started.issueTokens(job.connections));
    }
    const measured = await runInTurns(
      running.map((contender) => ({
        name: contender.name,
        run: (durationMs: number) => runRound(load, contender, { ...job, durationMs }),
      })),
      { turns, roundMs, warmupMs },
    );
    printRounds([...measured.values()]);
    return ({ name }) => {
      const found = measured.get(name);
      if (found === undefined) throw new Error(`${name} did not take part`);
      return found;
    };
  } finally {
    for (const contender of running) await contender.close();
  }
}

/** The results of each contender, as the median of its turns; the worst request is the worst of all turns. */
export function printRounds(measured: readonly Measured[]): void {
  printTable(
    ['median of the turns', 'req/s', 'p50 ms', 'p99 ms', 'worst ms', 'server CPU us/req', 'client CPU'],
    measured.map(({ name, rounds }) => {
      const median = (figure: (round: Round) => number): number => spreadOf(rounds.map(figure)).median;
      const cpu = median((round) => round.serverCpuMicros ?? NaN);
      return [
        name,
        median((round) => round.perSecond).toFixed(0),
        median((round) => round.p50Ms).toFixed(2),
        median((round) => round.p99Ms).toFixed(2),
        Math.max(...rounds.map((round) => round.maxMs)).toFixed(1),
        Number.isNaN(cpu) ? '-' : cpu.toFixed(1),
        `${(median((round) => round.clientCpu) * 100).toFixed(0)} %`,
      ];
    }),
  );
}
