import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { runScript } from '../child-process.ts';
import { judgeRatio } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

interface Row {
  readonly kind: string;
  readonly count: number;
  readonly calls: number;
  readonly breaches: number;
  readonly tookMs: number;
  /** Null: it has no limit. */
  readonly leastMs: number | null;
}

/** How well the limits of services are kept, and used: the same in each turn but for the order of replies. */
export const pace: Bench = {
  name: 'pace',
  title: '1,000 credentials of six services with limits, all due at once (simulated time)',
  async run({ quick }) {
    const scratch = createScratchFolder('pace');
    const ratios: number[] = [];
    try {
      for (let turn = 0; turn < (quick ? 1 : 3); turn += 1) {
        const args = [join(import.meta.dirname, '..', 'pace-due.ts'), join(scratch, `${turn}`)];
        const { rows, realMs } = (await runScript({ args }, 140_000)) as { rows: Row[]; realMs: number };
        printTable(
          ['service', 'credentials', 'calls', 'answered 429', 'took, s', 'least by its limit, s'],
          rows.map(({ kind, count, calls, breaches, tookMs, leastMs }) => [
            kind,
            String(count),
            String(calls),
            String(breaches),
            (tookMs / 1000).toFixed(0),
            leastMs === null ? '-' : (leastMs / 1000).toFixed(0),
          ]),
        );
        console.log(`  All rotated after ${(realMs / 1000).toFixed(1)} s of work.\n`);
        const limited = rows.filter((row): row is Row & { leastMs: number } => row.leastMs !== null);
        ratios.push(Math.max(...limited.map(({ tookMs, leastMs }) => tookMs / leastMs)));
      }
    } finally {
      removeScratchFolder(scratch);
    }
    return [
      judgeRatio('the slowest service / the least that its limit allows', spreadOf(ratios), { atMost: 4 }),
    ];
  },
};
