import type { Bench } from '../bench.ts';
import { compareContenders } from '../compare-contenders.ts';
import { helloWorld } from '../contenders/hello-world.ts';
import { rotavox } from '../contenders/rotavox.ts';
import { judgeRatio } from '../goal.ts';
import { ratioOf, type Round } from '../paired-rounds.ts';

const perSecond = (round: Round): number => round.perSecond;
const p99 = (round: Round): number => round.p99Ms;

/** Fifty apps, each rotating its own token again and again. */
export const rotateFifty: Bench = {
  name: 'rotate',
  title: 'POST /v1/auth/rotate, 50 connections',
  async run({ quick, load }) {
    const roundsOf = await compareContenders(load, {
      contenders: [rotavox, helloWorld],
      job: { request: 'rotate', bearer: 'chain', connections: 50 },
      ...(quick ? { turns: 3, roundMs: 1000, warmupMs: 500 } : { turns: 7, roundMs: 4000, warmupMs: 4000 }),
    });
    const ours = roundsOf(rotavox);
    return [
      judgeRatio('rotations per second / hello-world', ratioOf(ours, roundsOf(helloWorld), perSecond), {
        atLeast: 0.8,
      }),
      judgeRatio('p99 / hello-world', ratioOf(ours, roundsOf(helloWorld), p99), { atMost: 2 }),
    ];
  },
};
