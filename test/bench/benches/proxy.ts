import { join } from 'node:path';
import { startServerProcess } from '../child-process.ts';
import { type Bench, judgeMs, judgeRatio, printTable } from '../bench.ts';
import { rotavoxBefore } from '../contenders/rotavox.ts';
import {
  compareContenders,
  type Contender,
  ratioOf,
  type Round,
  type RunningContender,
  spreadOf,
} from '../paired-rounds.ts';
import { streamGigabyte } from '../stream-gigabyte.ts';

const contenders = join(import.meta.dirname, '../contenders');

/** The credential proxy beside a plain proxy, and beside calls without any. */
export const proxy: Bench = {
  name: 'proxy',
  title: 'GET through the proxy, 50 connections, and one gigabyte down and up',
  async run({ quick, load }) {
    const service = await startServerProcess({ args: [join(contenders, 'proxied-service.ts')] });
    const origin = `http://127.0.0.1:${String(service.ready['port'])}`;
    try {
      const direct = given('direct', () =>
        Promise.resolve({ ...addressOf(service), close: () => Promise.resolve() }),
      );
      const plain = given('@fastify/http-proxy', async () => {
        const server = await startServerProcess({ args: [join(contenders, 'http-proxy-server.ts'), origin] });
        return { ...addressOf(server), close: () => server.close() };
      });
      const ours = rotavoxBefore(origin);
      const roundsOf = await compareContenders(load, {
        contenders: [ours, plain, direct],
        job: { request: 'proxied', bearer: 'fixed', connections: 50 },
        ...(quick ? { turns: 3, roundMs: 1000, warmupMs: 500 } : { turns: 7, roundMs: 2500, warmupMs: 2000 }),
      });
      const added = (figure: (round: Round) => number) =>
        spreadOf(
          roundsOf(ours).rounds.map((round, turn) => {
            const other = roundsOf(direct).rounds[turn];
            return other === undefined ? NaN : figure(round) - figure(other);
          }),
        );
      const streams = await compareStreams([ours, plain, direct], quick ? 2 : 4);
      return [
        judgeRatio(
          'proxied requests per second / @fastify/http-proxy',
          ratioOf(roundsOf(ours), roundsOf(plain), (round) => round.perSecond),
          { atLeast: 0.8 },
        ),
        judgeMs(
          'proxy, added p50 at 50 connections',
          added((round) => round.p50Ms),
          20,
        ),
        judgeMs(
          'proxy, added p99 at 50 connections',
          added((round) => round.p99Ms),
          50,
        ),
        judgeRatio('1 GB down / @fastify/http-proxy', streams.down, { atLeast: 0.9 }),
        judgeRatio('1 GB up / @fastify/http-proxy', streams.up, { atLeast: 0.9 }),
      ];
    } finally {
      await service.close();
    }
  },
};

type Address = Pick<RunningContender, 'pid' | 'port' | 'close'>;

function addressOf({
  pid,
  ready,
}: {
  readonly pid: number;
  readonly ready: Readonly<Record<string, unknown>>;
}) {
  return { pid, port: Number(ready['port']) };
}

/** A contender that takes any token. */
function given(name: string, start: () => Promise<Address>): Contender {
  return {
    name,
    async start() {
      const address = await start();
      return {
        name,
        ...address,
        issueTokens: (count) => Promise.resolve(Array.from({ length: count }, () => 'any')),
      };
    },
  };
}

/** One gigabyte in both directions, in turn; the memory is that of the proxy's process at its most. */
async function compareStreams(contenders: readonly Contender[], turns: number) {
  const running: { readonly contender: RunningContender; readonly token: string }[] = [];
  const seconds = { down: new Map<string, number[]>(), up: new Map<string, number[]>() };
  const most = new Map<string, number>();
  try {
    for (const one of contenders) {
      const contender = await one.start();
      running.push({ contender, token: (await contender.issueTokens(1))[0] ?? '' });
    }
    for (let turn = 0; turn < turns; turn += 1) {
      for (const { contender, token } of running) {
        for (const direction of ['down', 'up'] as const) {
          const took = await streamGigabyte(contender, token, direction);
          const known = seconds[direction].get(contender.name) ?? [];
          seconds[direction].set(contender.name, [...known, took.seconds]);
          most.set(contender.name, Math.max(most.get(contender.name) ?? 0, took.grownBytes));
        }
      }
    }
  } finally {
    for (const { contender } of running) await contender.close();
  }
  const speed = (direction: 'down' | 'up', name: string) =>
    spreadOf((seconds[direction].get(name) ?? []).map((one) => 1 / one));
  printTable(
    ['median of the turns', 'down MB/s', 'up MB/s', 'memory grown MB'],
    contenders.map(({ name }) => [
      name,
      (1024 * speed('down', name).median).toFixed(0),
      (1024 * speed('up', name).median).toFixed(0),
      ((most.get(name) ?? NaN) / 1024 ** 2).toFixed(0),
    ]),
  );
  const [ours, plain] = contenders;
  const ratio = (direction: 'down' | 'up') =>
    spreadOf(
      (seconds[direction].get(ours?.name ?? '') ?? []).map(
        (own, turn) => (seconds[direction].get(plain?.name ?? '')?.[turn] ?? NaN) / own,
      ),
    );
  return { down: ratio('down'), up: ratio('up') };
}
