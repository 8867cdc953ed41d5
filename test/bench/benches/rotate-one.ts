import type { Bench } from '../bench.ts';
import { compareContenders } from '../compare-contenders.ts';
import type { Contender } from '../contender.ts';
import { rotavox } from '../contenders/rotavox.ts';
import { sqlitePerRequest, sqlitePerRequestById } from '../contenders/sqlite.ts';
import { judgeRatio } from '../goal.ts';
import { ratioOf, type Spread } from '../paired-rounds.ts';

/** A single app, which shares its syncs with no other: the cost of one durable change. */
export const rotateOne: Bench = {
  name: 'rotate-one',
  title: 'POST /v1/auth/rotate, one connection',
  async run({ quick, load }) {
    const roundsOf = await compareContenders(load, {
      contenders: [rotavox, sqlitePerRequest, sqlitePerRequestById],
      job: { request: 'rotate', bearer: 'chain', connections: 1 },
      ...(quick ? { turns: 3, roundMs: 1000, warmupMs: 700 } : { turns: 7, roundMs: 4000, warmupMs: 3000 }),
    });
    const over = (other: Contender): Spread =>
      ratioOf(roundsOf(rotavox), roundsOf(other), (round) => round.perSecond);
    return [
      judgeRatio('rotations per second / SQLite per request', over(sqlitePerRequest), { atLeast: 1 }),
      judgeRatio('rotations per second / SQLite per request, id in token', over(sqlitePerRequestById), {
        atLeast: 1,
      }),
    ];
  },
};
