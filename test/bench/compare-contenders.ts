/** Starts contenders, loads them in turns, prints the results and returns the rounds for ratios. */
import type { Contender, RunningContender } from './contender.ts';
import type { LoadJob } from './load-job.ts';
import { type Measured, runInTurns, runRound } from './paired-rounds.ts';
import { printRounds } from './print-rounds.ts';
import type { Load } from './start-load.ts';

export interface Comparison {
  readonly contenders: readonly Contender[];
  readonly job: Pick<LoadJob, 'request' | 'bearer' | 'connections'>;
  readonly turns: number;
  readonly roundMs: number;
  readonly warmupMs: number;
}

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
