import type { Bench } from '../bench.ts';
import { compareContenders } from '../compare-contenders.ts';
import { helloWorld } from '../contenders/hello-world.ts';
import { rotavox } from '../contenders/rotavox.ts';
import { judgeRatio } from '../goal.ts';
import { ratioOf } from '../paired-rounds.ts';

/** Fifty apps creating IVRs, each with a different name. */
export const ivrFifty: Bench = {
  name: 'ivr',
  title: 'POST /v1/ivr, 50 connections',
  async run({ quick, load }) {
    const roundsOf = await compareContenders(load, {
      contenders: [rotavox, helloWorld],
      job: { request: 'ivr', bearer: 'fixed', connections: 50 },
      ...(quick ? { turns: 3, roundMs: 1000, warmupMs: 500 } : { turns: 7, roundMs: 4000, warmupMs: 3000 }),
    });
    return [
      judgeRatio(
        'IVRs per second / the same schema, no storage',
        ratioOf(roundsOf(rotavox), roundsOf(helloWorld), (round) => round.perSecond),
        { atLeast: 0.7 },
      ),
    ];
  },
};
