import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryMatches } from '../../../src/contract/history.ts';
import type { Bench } from '../bench.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeMs, judgeRatio } from '../goal.ts';
import { type Measured, type Runner, runInTurns, runRound, spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { seedDataDir } from '../seed.ts';
import type { Load } from '../start-load.ts';

const searches = [
  { what: 'nothing', query: 'text=no%20such%20thing' },
  { what: 'few, by name', query: 'text=app%2077' },
  { what: 'many', query: 'text=holiday' },
  { what: 'all', query: 'text=app' },
  { what: 'one letter, only in fields', query: 'text=j' },
  { what: 'a kind', query: 'kind=token.rotated' },
  { what: 'everything', query: '' },
] as const;
const limitMs = 20;

/** How long a search of 100,000 events takes, and whether it delays an app that rotates meanwhile. */
export const historySearch: Bench = {
  name: 'history-search',
  title: 'searching a history of 100,000 events',
  isLong: true,
  async run({ quick, load }) {
    const scratch = createScratchFolder('history-search');
    const dataDir = join(scratch, 'data');
    const values = await seedDataDir(dataDir, { tokens: 20_000, events: 100_000 });
    const service = await startRotavox('Rotavox', dataDir);
    try {
      const found = await measureSearches(service, join(dataDir, 'journal'), quick ? 3 : 15);
      load.giveTokens(service.name, values);
      return [...found, ...(await measureRotations(service, load, quick))];
    } finally {
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

/** For comparison: reading the files and parsing every line at once. */
async function measureSearches(service: RunningRotavox, journal: string, turns: number): Promise<Goal[]> {
  const took = new Map<string, number[]>(searches.map(({ what }) => [what, []]));
  const found = new Map<string, HistoryMatches>();
  const parsed: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    parsed.push(timeParsing(journal));
    for (const { what, query } of searches) {
      const before = performance.now();
      found.set(what, (await service.portal('GET', `/portal/history/matches?${query}`)) as HistoryMatches);
      took.get(what)?.push(performance.now() - before);
    }
  }
  printTable(
    ['text that matches', 'events', 'numbers on the wire', 'median ms', 'longest ms'],
    [
      ...searches.map(({ what }) => {
        const { median, max } = spreadOf(took.get(what) ?? []);
        const { count = 0, runs = [] } = found.get(what) ?? {};
        return [what, String(count), String(runs.length), median.toFixed(0), max.toFixed(0)];
      }),
      ['(every line parsed)', '', '', spreadOf(parsed).median.toFixed(0), spreadOf(parsed).max.toFixed(0)],
    ],
  );
  const ratios = (took.get('nothing') ?? []).map((ms, turn) => ms / (parsed[turn] ?? NaN));
  return [judgeRatio('a search that finds nothing / parsing every line', spreadOf(ratios), { atMost: 1 })];
}

function timeParsing(journal: string): number {
  const before = performance.now();
  let found = 0;
  for (const name of readdirSync(journal))
    for (const line of readFileSync(join(journal, name), 'utf8').split('\n'))
      if (line !== '' && JSON.stringify(JSON.parse(line)).toUpperCase().includes('NO SUCH THING')) found += 1;
  if (found > 0) throw new Error('the text that matches nothing was found');
  return performance.now() - before;
}

async function measureRotations(service: RunningRotavox, load: Load, quick: boolean): Promise<Goal[]> {
  const job = { request: 'rotate', bearer: 'pool', connections: 1 } as const;
  const rotating = (durationMs: number) => runRound(load, service, { ...job, durationMs });
  const runners: Runner[] = [
    { name: 'alone', run: rotating },
    {
      name: 'beside searches without a pause',
      async run(durationMs) {
        const ending = new AbortController();
        const searching = (async () => {
          while (!ending.signal.aborted)
            await service.portal('GET', '/portal/history/matches?text=no%20such%20thing');
        })();
        try {
          return await rotating(durationMs);
        } finally {
          ending.abort();
          await searching;
        }
      },
    },
  ];
  const turns = quick
    ? { turns: 2, roundMs: 1000, warmupMs: 500 }
    : { turns: 7, roundMs: 3000, warmupMs: 1000 };
  const measured = await runInTurns(runners, turns);
  const figures = (name: string, figure: (round: Measured['rounds'][number]) => number) =>
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
  const p99 = ({ p99Ms }: { p99Ms: number }): number => p99Ms;
  const goal = judgeMs(
    'p99 of a rotation while the history is searched',
    figures(runners[1]!.name, p99),
    limitMs,
  );
  const isMachineBusy = figures('alone', p99).median > limitMs;
  return [goal.verdict === 'missed' && isMachineBusy ? { ...goal, verdict: 'undecided' } : goal];
}
