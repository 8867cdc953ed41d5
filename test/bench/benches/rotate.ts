import { join } from 'node:path';
import { type Bench, judgeRatio } from '../bench.ts';
import { startServerProcess } from '../child-process.ts';
import { rotavox } from '../contenders/rotavox.ts';
import { compareContenders, type Contender, ratioOf, type Round } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const contenders = join(import.meta.dirname, '../contenders');

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

const helloWorld: Contender = {
  name: 'hello-world',
  async start() {
    const server = await startServerProcess({ args: [join(contenders, 'hello-world-server.ts')] });
    const token = String(server.ready['token']);
    return {
      name: this.name,
      pid: server.pid,
      port: Number(server.ready['port']),
      issueTokens: (count) => Promise.resolve(Array.from({ length: count }, () => token)),
      close: () => server.close(),
    };
  },
};

/** A transaction for each request. */
const sqlite: Contender = {
  name: 'SQLite',
  async start() {
    const folder = createScratchFolder('sqlite');
    const server = await startServerProcess({
      args: [join(contenders, 'sqlite-server.ts'), '--data-dir', folder],
    });
    const port = Number(server.ready['port']);
    return {
      name: this.name,
      pid: server.pid,
      port,
      async issueTokens(count) {
        const response = await fetch(`http://127.0.0.1:${String(port)}/bench/tokens`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ count }),
        });
        return (await response.json()) as string[];
      },
      async close() {
        await server.close();
        removeScratchFolder(folder);
      },
    };
  },
};
