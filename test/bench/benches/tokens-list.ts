import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeMs } from '../goal.ts';
import { type Round, type Runner, runInTurns, runRound, spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { seedDataDir } from '../seed.ts';
import type { Load } from '../start-load.ts';

const tokens = 100_000;
const limitMs = 20;

const lists = [
  { what: 'all, newest first', query: 'sort=created' },
  { what: 'all, by end', query: 'sort=expires' },
  { what: 'all, by name', query: 'sort=name' },
  { what: 'newest of each family', query: 'newest=true&sort=changed' },
  { what: 'nothing found', query: 'sort=name&category=none' },
] as const;

/** How long a new list of 100,000 tokens takes, and whether it delays an app that rotates meanwhile. */
export const tokensList: Bench = {
  name: 'tokens-list',
  title: 'listing 100,000 tokens',
  isLong: true,
  async run({ quick, load }) {
    const scratch = createScratchFolder('tokens-list');
    const dataDir = join(scratch, 'data');
    const values = await seedDataDir(dataDir, { tokens, events: tokens });
    const service = await startRotavox('Rotavox', dataDir);
    try {
      await measureLists(service, quick ? 3 : 15);
      load.giveTokens(service.name, values);
      return await measureRotations(service, load, quick);
    } finally {
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

let asked = 0;
/**
 * Contained in every id, and still a separate list for each of eight spellings: the search ignores
 * case. The service remembers fewer lists than that.
 */
function newText(): string {
  asked += 1;
  return 'tok_'.replace(/[a-z]/g, (letter, place: number) =>
    (asked >> place) % 2 === 1 ? letter.toUpperCase() : letter,
  );
}

async function measureLists({ portal }: RunningRotavox, turns: number): Promise<void> {
  const figures: string[][] = [];
  for (const { what, query } of lists) {
    const [first, next]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < turns; turn += 1) {
      const text = newText();
      for (const [took, offset] of [
        [first, 0],
        [next, 100],
      ] as const) {
        const before = performance.now();
        await portal('GET', `/portal/tokens?${query}&text=${text}&limit=100&offset=${offset}`);
        took.push(performance.now() - before);
      }
    }
    const [one, other] = [spreadOf(first), spreadOf(next)];
    figures.push([what, one.median.toFixed(0), one.max.toFixed(0), other.median.toFixed(1)]);
  }
  printTable(['list', 'first page, median ms', 'longest ms', 'another page, median ms'], figures);
}

async function measureRotations(service: RunningRotavox, load: Load, quick: boolean): Promise<Goal[]> {
  const job = { request: 'rotate', bearer: 'pool', connections: 1 } as const;
  const rotating = (durationMs: number) => runRound(load, service, { ...job, durationMs });
  /** Like a window in which a person types: another list each time, and its total. */
  const listing = async (ending: AbortSignal): Promise<void> => {
    while (!ending.aborted) {
      const text = newText();
      await service.portal('GET', `/portal/tokens?text=${text}&sort=expires&limit=100`);
      await service.portal('GET', `/portal/tokens/facets?text=${text}`);
    }
  };
  const runners: Runner[] = [
    { name: 'alone', run: rotating },
    {
      name: 'beside lists without a pause',
      async run(durationMs) {
        const ending = new AbortController();
        const listed = listing(ending.signal);
        try {
          return await rotating(durationMs);
        } finally {
          ending.abort();
          await listed;
        }
      },
    },
  ];
  const measured = await runInTurns(
    runners,
    quick ? { turns: 2, roundMs: 1000, warmupMs: 500 } : { turns: 7, roundMs: 3000, warmupMs: 1000 },
  );
  const figures = (name: string, figure: (round: Round) => number) =>
    spreadOf((measured.get(name)?.rounds ?? []).map(figure));
  printTable(
    ['rotations, one connection', 'a second', 'p50 ms', 'p99 ms', 'slowest ms'],
    runners.map(({ name }) => [
      name,
      figures(name, ({ perSecond }) => perSecond).median.toFixed(0),
      figures(name, ({ p50Ms }) => p50Ms).median.toFixed(2),
      figures(name, ({ p99Ms }) => p99Ms).median.toFixed(2),
      figures(name, ({ maxMs }) => maxMs).median.toFixed(1),
    ]),
  );
  const p99 = ({ p99Ms }: Round): number => p99Ms;
  const goal = judgeMs(
    'p99 of a rotation while tokens are listed',
    figures('beside lists without a pause', p99),
    limitMs,
  );
  const isMachineBusy = figures('alone', p99).median > limitMs;
  return [goal.verdict === 'missed' && isMachineBusy ? { ...goal, verdict: 'undecided' } : goal];
}
