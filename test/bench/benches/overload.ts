import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { endChild, startMessageProcess } from '../child-process.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeCount, judgeMs } from '../goal.ts';
import { type HostileJob, type HostileKind, hostileKinds } from '../hostile-job.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { residentBytesOf } from '../process-usage.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import type { Load } from '../start-load.ts';

const p99LimitMs = 250;
const memoryLimitMb = 600;
/** How long after the last hostile connection everything works as before. */
const recoveryMs = 5_000;
/** A rotation that is not answered within this time counts as refused. */
const patienceMs = 10_000;

interface Seen {
  readonly rotations: number;
  readonly refused: number;
  readonly p99Ms: number;
  /** The largest memory of the service's process. */
  readonly memoryMb: number;
  readonly descriptors: number;
}

interface Ordeal {
  readonly kind: HostileKind;
  readonly during: Seen;
  readonly after: Seen;
}

/** Apps that rotate their tokens while a thousand connections of a hostile program keep the service busy. */
export const overload: Bench = {
  name: 'overload',
  title: 'rotations beside 1,000 hostile connections of each kind',
  isLong: true,
  async run({ quick, load }) {
    const folder = createScratchFolder('overload');
    const service = await startRotavox('Rotavox', folder);
    try {
      await storeMenus(service, load, quick ? 5_000 : 20_000);
      const { access_token: token } = (await service.portal('POST', '/portal/tokens', {
        name: 'reader',
        validity_days: 1,
        scopes: ['ivr:read'],
      })) as { access_token: string };
      const apps = await service.issueTokens(4);
      const job = { port: service.port, connections: 1000, token, portalKey: service.portalKey };
      await rotateFor(service, apps, 1_000);
      const before = await rotateFor(service, apps, quick ? 1_500 : 4_000);
      const ordeals: Ordeal[] = [];
      for (const kind of hostileKinds) {
        ordeals.push(await endure(service, apps, { ...job, kind }, quick ? 3_000 : 8_000));
      }
      printSeen(before, ordeals);
      return judge(before, ordeals);
    } finally {
      await service.close();
      removeScratchFolder(folder);
    }
  },
};

/** Menus for a large list: at least this many. */
async function storeMenus(service: RunningRotavox, load: Load, atLeast: number): Promise<void> {
  load.giveTokens(service.name, await service.issueTokens(8));
  const job = { tokensOf: service.name, port: service.port, request: 'ivr', bearer: 'fixed' } as const;
  for (let stored = 0; stored < atLeast;) {
    const round = await load.run({ ...job, connections: 8, durationMs: 1_000 });
    stored += round.requests;
  }
}

async function endure(
  service: RunningRotavox,
  apps: string[],
  job: HostileJob,
  durationMs: number,
): Promise<Ordeal> {
  const hostile = startMessageProcess(join(import.meta.dirname, '../hostile-client.ts'));
  try {
    const begun = once(hostile, 'message');
    hostile.send(job);
    await begun;
    const during = await rotateFor(service, apps, durationMs);
    const gone = once(hostile, 'exit');
    hostile.send('stop');
    await gone;
    await pass(recoveryMs);
    return { kind: job.kind, during, after: await rotateFor(service, apps, 1_000) };
  } finally {
    await endChild(hostile, 0);
  }
}

/** Apps that rotate repeatedly: half of them on a connection that they keep, half on a new one each time. */
async function rotateFor({ pid, port }: RunningRotavox, apps: string[], durationMs: number): Promise<Seen> {
  const endsAt = performance.now() + durationMs;
  const took: number[] = [];
  let refused = 0;
  let memoryBytes = 0;
  const watch = setInterval(() => {
    memoryBytes = Math.max(memoryBytes, residentBytesOf(pid) ?? 0);
  }, 50);
  await Promise.all(
    apps.map(async (_, place) => {
      const agent = new Agent({ keepAlive: place % 2 === 0 });
      let key = randomUUID();
      while (performance.now() < endsAt) {
        const sentAt = performance.now();
        const next = await rotate(port, agent, apps[place] ?? '', key);
        if (next === null) refused += 1;
        else {
          apps[place] = next;
          key = randomUUID();
        }
        took.push(performance.now() - sentAt);
      }
      agent.destroy();
    }),
  );
  clearInterval(watch);
  const sorted = took.toSorted((a, b) => a - b);
  return {
    rotations: took.length,
    refused,
    p99Ms: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? NaN,
    memoryMb: memoryBytes / 1024 / 1024,
    descriptors: descriptorsOf(pid),
  };
}

/** The next token, or null if no answer contained one; then the same key returns the same answer again. */
function rotate(port: number, agent: Agent, token: string, key: string): Promise<string | null> {
  return new Promise((resolve) => {
    const call = request(
      {
        port,
        host: '127.0.0.1',
        agent,
        method: 'POST',
        path: '/v1/auth/rotate',
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
          'content-type': 'application/json',
          'content-length': 2,
        },
        timeout: patienceMs,
      },
      (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('error', () => {
          resolve(null);
        });
        answer.on('end', () => {
          const found = /"access_token":"([^"]+)"/.exec(text)?.[1];
          resolve(answer.statusCode === 200 && found !== undefined ? found : null);
        });
      },
    );
    call.on('timeout', () => call.destroy());
    call.on('error', () => {
      resolve(null);
    });
    call.end('{}');
  });
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${String(pid)}/fd`).length;
  } catch {
    return 0; // not Linux
  }
}

function printSeen(before: Seen, ordeals: readonly Ordeal[]): void {
  const cells = (seen: Seen): string[] => [
    String(seen.rotations),
    String(seen.refused),
    seen.p99Ms.toFixed(1),
    seen.memoryMb.toFixed(0),
    String(seen.descriptors),
  ];
  printTable(
    [
      '1,000 connections',
      'rotations',
      'refused',
      'p99 ms',
      'memory MB',
      'descriptors',
      '5 s later: p99 ms',
      'MB',
      'descriptors',
    ],
    [
      ['(none)', ...cells(before), '', '', ''],
      ...ordeals.map(({ kind, during, after }) => [
        kind,
        ...cells(during),
        after.p99Ms.toFixed(1),
        after.memoryMb.toFixed(0),
        String(after.descriptors),
      ]),
    ],
  );
}

/** By the worst of all kinds: a median would hide it. */
function judge(before: Seen, ordeals: readonly Ordeal[]): Goal[] {
  const worst = (figure: (ordeal: Ordeal) => number) => {
    const { min, max } = spreadOf(ordeals.map(figure));
    return { median: max, min, max };
  };
  return [
    judgeMs(
      'p99 of a rotation beside 1,000 hostile connections, worst kind',
      worst((one) => one.during.p99Ms),
      p99LimitMs,
    ),
    judgeCount(
      'rotations that were refused, worst kind',
      worst((one) => one.during.refused),
      0,
    ),
    judgeCount(
      'memory of the service in MB, worst kind',
      worst((one) => one.during.memoryMb),
      memoryLimitMb,
    ),
    judgeMs(
      'p99 of a rotation 5 s after, worst kind',
      worst((one) => one.after.p99Ms),
      Math.max(before.p99Ms * 2, 20),
    ),
    judgeCount(
      'connections and files that are left 5 s after',
      worst((one) => one.after.descriptors - before.descriptors),
      4,
    ),
  ];
}
