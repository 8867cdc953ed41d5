import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import type { Bench } from '../bench.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeCount, judgeMs } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { seedDataDir } from '../seed.ts';
import { type Frames, limitMs, longestOf, overLimit } from '../windows/frames.ts';
import { lookAt, type Plan, type Seen } from '../windows/look-at.ts';
import { openChromium } from '../windows/open-chromium.ts';
import { openHistory, readRows } from '../windows/open-history.ts';
import { openStaticRows } from '../windows/static-rows.ts';

/** Found in a few rows by name, in most rows by their text, and in none. */
const texts = ['app 77', 'holiday', 'no such thing'];
/** So few rows that any machine scrolls them without a pause. */
const fewRows = 300;

interface Turn {
  readonly few: Seen;
  readonly allRows: Seen;
  readonly history: Seen;
}

/**
 * Whether 100,000 events scroll and are searched without noticeable frames.
 *
 * In turn: a page of a few rows (the cost of any scrolling), a page with all rows drawn, the history. Frames
 * are what a person sees, but on a busy machine they measure the machine; the tasks of the page's main thread, in CPU
 * time, measure only the page.
 */
export const historyWindow: Bench = {
  name: 'history-window',
  title: 'scrolling and searching 100,000 events in the browser',
  isLong: true,
  async run({ quick }) {
    await ensureBuilt({ tell: console.error });
    const scratch = createScratchFolder('history-window');
    const dataDir = join(scratch, 'data');
    await seedDataDir(dataDir, { tokens: 20_000, events: 100_000 });
    const service = await startRotavox('Rotavox', dataDir);
    const browser = await openChromium();
    try {
      return judgeTurns(await takeTurns(browser, service, quick ? 1 : 5));
    } finally {
      await browser.close();
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

async function takeTurns(browser: Browser, service: RunningRotavox, count: number): Promise<Turn[]> {
  const rows = await readRows(service);
  const turns: Turn[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    turns.push({
      few: await lookAt(browser, (page) => openRows(page, rows.slice(0, fewRows))),
      allRows: await lookAt(browser, (page) => openRows(page, rows)),
      history: await lookAt(browser, (page) => openHistory(page, service, texts)),
    });
  }
  return turns;
}

async function openRows(page: Page, rows: readonly string[]): Promise<Plan> {
  await openStaticRows(page, rows);
  return {
    selector: '#list',
    // One text is enough: with all rows drawn each letter may cost seconds.
    sought: texts.slice(0, 1),
    searchFor: (text) => {
      const counted = rows.filter((row) => row.toUpperCase().includes(text.toUpperCase())).length;
      return { field: '#field', count: '#count', counted: String(counted), unread: null };
    },
  };
}

function judgeTurns(turns: readonly Turn[]): Goal[] {
  printTable(
    ['', 'frames', 'longest ms', 'over 50 ms', 'longest task CPU ms', ...texts.map((text) => `“${text}” ms`)],
    [
      describe(
        `${fewRows} rows drawn`,
        turns.map(({ few }) => few),
      ),
      describe(
        'all rows drawn',
        turns.map(({ allRows }) => allRows),
      ),
      describe(
        'history',
        turns.map(({ history }) => history),
      ),
    ],
  );
  // If the machine itself drops frames, dropped frames are not evidence.
  const isBusy = turns.some(({ few }) => overLimit(few.scrolled) > 0);
  const decided = (goal: Goal): Goal =>
    goal.verdict === 'missed' && isBusy ? { ...goal, verdict: 'undecided' } : goal;
  const ofHistory = (figure: (seen: Seen) => number) => spreadOf(turns.map(({ history }) => figure(history)));
  return [
    judgeMs(
      'longest task of the history, in CPU time',
      ofHistory(({ taskCpuMs }) => longestOf(taskCpuMs)),
      limitMs,
    ),
    decided(
      judgeMs(
        'longest frame of the history',
        ofHistory((seen) => longestOf(framesOf(seen))),
        limitMs,
      ),
    ),
    decided(
      judgeCount(
        'frames over 50 ms',
        ofHistory((seen) => overLimit(framesOf(seen))),
        0,
      ),
    ),
  ];
}

function framesOf({ scrolled, typed }: Seen): Frames {
  return [...scrolled, ...typed.flatMap(({ frames }) => frames)];
}

/** The longest of all turns, and the median time from the last letter to the rows. */
function describe(name: string, seen: readonly Seen[]): string[] {
  const frames = seen.flatMap(framesOf);
  const took = texts.map((_text, place) => seen.flatMap(({ typed }) => typed[place]?.tookMs ?? []));
  return [
    name,
    String(frames.length),
    longestOf(frames).toFixed(1),
    String(overLimit(frames)),
    longestOf(seen.flatMap(({ taskCpuMs }) => taskCpuMs)).toFixed(1),
    ...took.map((times) => (times.length === 0 ? '' : spreadOf(times).median.toFixed(0))),
  ];
}
