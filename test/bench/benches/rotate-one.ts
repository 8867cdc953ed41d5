import type { Bench } from '../bench.ts';
import { compareContenders } from '../compare-contenders.ts';
import { rotavox } from '../contenders/rotavox.ts';
import { sqlite } from '../contenders/sqlite.ts';
import { judgeRatio } from '../goal.ts';
import { ratioOf } from '../paired-rounds.ts';

/** A single app, which shares its syncs with no other: the cost of one durable change. */
export const rotateOne: Bench = {
  name: 'rotate-one',
  title: 'POST /v1/auth/rotate, one connection',
  async run({ quick, load }) {
    const roundsOf = await compareContenders(load, {
      contenders: [rotavox, sqlite],
      job: { request: 'rotate', bearer: 'chain', connections: 1 },
      ...(quick ? { turns: 3, roundMs: 1000, warmupMs: 700 } : { turns: 7, roundMs: 4000, warmupMs: 3000 }),
    });
    const ratio = ratioOf(roundsOf(rotavox), roundsOf(sqlite), (round) => round.perSecond);
    return [judgeRatio('rotations per second / SQLite', ratio, { atLeast: 1 })];
  },
};
