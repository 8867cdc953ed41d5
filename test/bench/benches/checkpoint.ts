import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startRotavox } from '../contenders/rotavox.ts';
import { judgeMs } from '../goal.ts';
import type { LoadResult, SlowRequest } from '../load-job.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { seedDataDir } from '../seed.ts';

/** A stretch of time, in milliseconds since the epoch. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Watch {
  /** How many have ended. */
  finished(): number;
  /** All, including one that is running. */
  seen(): Stretch[];
  forget(): void;
  stop(): void;
}

const limitMs = 50;
const listSlowerThanMs = 5;
const roundMs = 2000;
const giveUpAfterMs = 90_000;

/**
 * Whether writing the state of 100,000 tokens delays requests noticeably.
 *
 * A checkpoint lasts as long as its temporary file `state.json.….new` exists. The slowest request between checkpoints is
 * printed beside it: if that one exceeds the limit as well, the machine is busy, and the goal stays undecided.
 */
export const checkpoint: Bench = {
  name: 'checkpoint',
  title: 'the slowest request while the state of 100,000 tokens is written',
  async run({ quick, load }) {
    const scratch = createScratchFolder('checkpoint');
    const dataDir = join(scratch, 'data');
    const values = await seedDataDir(dataDir, { tokens: 100_000, events: 100_000 });
    const service = await startRotavox('Rotavox', dataDir);
    const checkpoints = watchCheckpoints(dataDir);
    try {
      load.giveTokens(service.name, values);
      const run = (durationMs: number): Promise<LoadResult> =>
        load.run({
          tokensOf: service.name,
          port: service.port,
          request: 'rotate',
          bearer: 'pool',
          connections: 50,
          durationMs,
          listSlowerThanMs,
        });
      await run(2000);
      checkpoints.forget();
      const slow: SlowRequest[] = [];
      const until = Date.now() + giveUpAfterMs;
      const wanted = quick ? 1 : 8;
      while (checkpoints.finished() < wanted && Date.now() < until) slow.push(...(await run(roundMs)).slow);
      const count = checkpoints.seen().length;
      const { inside, outside } = sortByCheckpoint(slow, checkpoints.seen());
      printTable(
        ['', 'count', 'requests over 50 ms', 'slowest ms'],
        [
          ['during checkpoints', String(count), ...describe(inside)],
          ['between checkpoints', '', ...describe(outside)],
        ],
      );
      if (count === 0) throw new Error(`no checkpoint was seen in ${giveUpAfterMs} ms of load`);
      const slowest = slowestOf(inside);
      const goal = judgeMs(
        'slowest request during a checkpoint',
        { median: slowest, min: slowest, max: slowest },
        limitMs,
      );
      const isMachineBusy = slowestOf(outside) > limitMs;
      return [goal.verdict === 'missed' && isMachineBusy ? { ...goal, verdict: 'undecided' } : goal];
    } finally {
      checkpoints.stop();
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

/** Milliseconds; requests too quick to be listed count as the limit of the list. */
function slowestOf(tookMs: readonly number[]): number {
  return tookMs.reduce((slowest, ms) => Math.max(slowest, ms), listSlowerThanMs);
}

function describe(tookMs: readonly number[]): [string, string] {
  const slowest = tookMs.length === 0 ? `under ${listSlowerThanMs}` : slowestOf(tookMs).toFixed(1);
  return [String(tookMs.filter((ms) => ms > limitMs).length), slowest];
}

/** How long each slow request took, by whether it overlapped a checkpoint. */
function sortByCheckpoint(
  slow: readonly SlowRequest[],
  checkpoints: readonly Stretch[],
): { inside: number[]; outside: number[] } {
  const overlaps = (sentAt: number, tookMs: number): boolean =>
    checkpoints.some(({ from, to }) => sentAt < to && sentAt + tookMs > from);
  const inside = slow.filter(({ sentAt, tookMs }) => overlaps(sentAt, tookMs));
  const outside = slow.filter(({ sentAt, tookMs }) => !overlaps(sentAt, tookMs));
  return { inside: inside.map(({ tookMs }) => tookMs), outside: outside.map(({ tookMs }) => tookMs) };
}

function watchCheckpoints(dataDir: string): Watch {
  let stretches: Stretch[] = [];
  let from: number | null = null;
  const watcher = watch(dataDir, (_event, name) => {
    if (name === null || !/^state\.json\.[0-9a-f]{16}\.new$/.test(name)) return;
    const isThere = existsSync(join(dataDir, name));
    if (isThere) from ??= Date.now();
    else if (from !== null) {
      stretches.push({ from, to: Date.now() });
      from = null;
    }
  });
  return {
    finished: () => stretches.length,
    seen: () => (from === null ? stretches : [...stretches, { from, to: Date.now() }]),
    forget: () => {
      stretches = [];
    },
    stop: () => {
      watcher.close();
    },
  };
}
