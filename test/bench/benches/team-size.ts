import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { runScript } from '../child-process.ts';
import { TeamBench } from '../contenders/team.ts';
import { printTable } from '../print-table.ts';
import { residentBytesOf } from '../process-usage.ts';
import { seedDataDir } from '../seed.ts';

const cli = join(import.meta.dirname, '../../../src/cli/index.ts');

interface Measured {
  readonly tokens: number;
  readonly copyMs: number;
  /** The first host after the copy: nobody has written a checkpoint yet. */
  readonly replayMs: number;
  /** The next one, with that of the first. */
  readonly checkpointMs: number;
  readonly followerMs: number;
  readonly leaderBytes: number;
  readonly followerBytes: number;
  readonly databaseBytes: number;
}

/** What a team with many tokens costs. No goals: these are the figures of the page on sizing. */
export const teamSize: Bench = {
  name: 'team-size',
  title: 'a team with many tokens: memory, time until ready, size of the database',
  isLong: true,
  async run({ quick }) {
    const bench = await TeamBench.start();
    try {
      const measured: Measured[] = [];
      for (const tokens of quick ? [0, 100_000] : [0, 100_000, 1_000_000])
        measured.push(await measure(bench, tokens));
      const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
      const seconds = (ms: number): string => (ms / 1000).toFixed(1);
      printTable(
        [
          'tokens',
          'copy s',
          'ready without a checkpoint s',
          'with one s',
          'follower up to date s',
          'leader MiB',
          'follower MiB',
          'database MiB',
        ],
        measured.map((one) => [
          one.tokens.toLocaleString('en'),
          seconds(one.copyMs),
          seconds(one.replayMs),
          seconds(one.checkpointMs),
          seconds(one.followerMs),
          mib(one.leaderBytes),
          mib(one.followerBytes),
          mib(one.databaseBytes),
        ]),
      );
      return [];
    } finally {
      await bench.close();
    }
  },
};

async function measure(bench: TeamBench, tokens: number): Promise<Measured> {
  const database = await bench.database();
  let copyMs = 0;
  if (tokens > 0) {
    const dataDir = join(bench.scratch, `data-${tokens}`);
    await seedDataDir(dataDir, { tokens, events: tokens });
    const passphrase = ['--vault-passphrase-file', bench.passphraseFile];
    const begunAt = performance.now();
    await runScript(
      { args: [cli, 'journal', 'copy', dataDir, database.url, ...passphrase, '--json'] },
      600_000,
    );
    copyMs = performance.now() - begunAt;
  }
  const first = await bench.host(`first ${tokens}`, database);
  // Its first change is so many events after the last checkpoint that it writes one, with which the next ones begin.
  await first.issueTokens(1);
  await first.close();
  const leader = await bench.host(`leader ${tokens}`, database);
  const follower = await bench.host(`follower ${tokens}`, database);
  try {
    // It passes calls on as soon as it knows the leader, and replays meanwhile.
    const readyAt = performance.now();
    while (((await follower.portal('GET', '/v1/health')) as { lag?: number }).lag !== 0) await wait(50);
    return {
      tokens,
      copyMs,
      replayMs: first.readyMs,
      checkpointMs: leader.readyMs,
      followerMs: follower.readyMs + performance.now() - readyAt,
      leaderBytes: residentBytesOf(leader.pid) ?? NaN,
      followerBytes: residentBytesOf(follower.pid) ?? NaN,
      databaseBytes: await bench.sizeOf(database),
    };
  } finally {
    await follower.kill();
    await leader.kill();
  }
}
