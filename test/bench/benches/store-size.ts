import { closeSync, cpSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startRotavox } from '../contenders/rotavox.ts';
import { judgeRatio } from '../goal.ts';
import { type Measured, ratioOf, type Round, runRound } from '../paired-rounds.ts';
import { printRounds } from '../print-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { seedDataDir } from '../seed.ts';
import type { Load } from '../start-load.ts';

/** A data folder with this many tokens. */
interface Size {
  readonly name: string;
  readonly seeded: string;
  /** Its Active tokens; those of the million are used up from turn to turn. */
  readonly values: readonly string[];
  readonly isCopied: boolean;
  readonly measured: Measured;
}

interface Timing {
  readonly turns: number;
  readonly warmupMs: number;
  readonly roundMs: number;
}

const perSecond = (round: Round): number => round.perSecond;

/**
 * Random tokens of the store, so that nearly every lookup in the large stores is a cold one.
 *
 * Each turn begins with a service that was just started, the smaller ones on a copy of their folder: after a few seconds of
 * rotations the store of 1,000 would otherwise have 100,000. The million may grow by some hundred thousand.
 */
export const storeSize: Bench = {
  name: 'store-size',
  title: 'POST /v1/auth/rotate, 50 connections, random tokens out of a large store',
  async run({ quick, load }) {
    const scratch = createScratchFolder('store-size');
    try {
      const thousand = await prepare(scratch, 1_000);
      const hundredThousand = await prepare(scratch, 100_000);
      const million = quick ? null : await prepare(scratch, 1_000_000);
      const sizes = [thousand, hundredThousand, ...(million === null ? [] : [million])];
      await runSizes(
        load,
        sizes,
        quick ? { turns: 2, warmupMs: 500, roundMs: 1000 } : { turns: 5, warmupMs: 3000, roundMs: 3000 },
      );
      printRounds(sizes.map(({ measured }) => measured));
      if (million === null) console.log('  1,000,000 tokens are measured without --quick.\n');
      const over = (size: Size) => ratioOf(size.measured, thousand.measured, perSecond);
      return [
        judgeRatio('rotations per second, 100,000 tokens / 1,000', over(hundredThousand), { atLeast: 0.9 }),
        ...(million === null
          ? []
          : [judgeRatio('rotations per second, 1,000,000 tokens / 1,000', over(million), { atLeast: 0.8 })]),
      ];
    } finally {
      removeScratchFolder(scratch);
    }
  },
};

async function prepare(scratch: string, tokens: number): Promise<Size> {
  const name = `${tokens.toLocaleString('en')} tokens`;
  const seeded = join(scratch, String(tokens));
  const values = await seedDataDir(seeded, { tokens, events: tokens });
  return { name, seeded, values, isCopied: tokens < 1_000_000, measured: { name, rounds: [] } };
}

async function runSizes(
  load: Load,
  sizes: readonly Size[],
  { turns, warmupMs, roundMs }: Timing,
): Promise<void> {
  const job = { request: 'rotate', bearer: 'pool', connections: 50 } as const;
  for (let turn = 0; turn < turns; turn += 1) {
    for (const { name, seeded, values, isCopied, measured } of sizes) {
      const dataDir = isCopied ? copyOf(seeded) : seeded;
      const service = await startRotavox(name, dataDir);
      try {
        if (isCopied || turn === 0) load.giveTokens(name, values);
        await runRound(load, service, { ...job, durationMs: warmupMs });
        measured.rounds.push(await runRound(load, service, { ...job, durationMs: roundMs }));
      } finally {
        await service.close();
        if (isCopied) removeScratchFolder(dataDir);
      }
    }
  }
}

/** Completely on disk, so that nothing is still being written while the service is measured. */
function copyOf(seeded: string): string {
  const copy = createScratchFolder('size');
  cpSync(seeded, copy, { recursive: true });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = openSync(join(entry.parentPath, entry.name), 'r');
    fsyncSync(file);
    closeSync(file);
  }
  return copy;
}
