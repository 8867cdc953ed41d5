import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { Lifeline } from '../../../src/contract/lifeline.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import type { Bench } from '../bench.ts';
import { runScript } from '../child-process.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeCount, judgeMs } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { openDrawnRows } from '../windows/drawn-rows.ts';
import { type Frames, limitMs, longestOf, overLimit, scrollDown } from '../windows/frames.ts';
import { panBox, pressInTurn } from '../windows/lifeline-moves.ts';
import { openChromium } from '../windows/open-chromium.ts';

const count = 500;
const box = 'div:has(> div > div > ul[aria-label="Lifelines"])';
const spans = [7, 90, 30].map((days) => `input[aria-label="${days} days"]`);
/** The cost of a picture beyond that of an empty call, in milliseconds. */
const replyGoalMs = 100;

/** How long the page's own thread may work for a frame, in milliseconds: the rest of 1/60 s is for the browser. */
const frameGoalMs = 10;
const moves = ['scroll', 'pan', 'zoom'] as const;

interface Move {
  readonly frames: Frames;
  /** The work of the page's thread, in milliseconds of CPU a frame: valid even on a busy machine. */
  readonly cpuMs: number;
}

type Seen = Readonly<Record<(typeof moves)[number], Move>>;

/**
 * The cost of the lifeline of 500 credentials, with 90 past days and 90 planned ones: its reply, and its frames.
 *
 * In turn: an empty page (the frames of the machine itself), a page with everything drawn, the lifeline.
 */
export const lifeline: Bench = {
  name: 'lifeline',
  title: `the lifeline of ${count} credentials of 1, 7, 30 and 90 days`,
  isLong: true,
  async run({ quick }) {
    await ensureBuilt({ tell: console.error });
    const scratch = createScratchFolder('lifeline');
    const dataDir = join(scratch, 'data');
    await runScript(
      { args: [join(import.meta.dirname, '../seed-lifeline.ts'), dataDir, String(count)] },
      300_000,
    );
    const service = await startRotavox('Rotavox', dataDir);
    const browser = await openChromium();
    try {
      return [
        await measureReply(service, quick ? 10 : 50),
        ...(await measureFrames(browser, service, quick ? 1 : 5)),
      ];
    } finally {
      await browser.close();
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

async function measureReply({ portal }: RunningRotavox, calls: number): Promise<Goal> {
  const first = await timed(() => portal('GET', '/portal/lifeline'));
  const picture = (await portal('GET', '/portal/lifeline')) as Lifeline;
  const seen = { nothing: [] as number[], again: [] as number[], changed: [] as number[] };
  for (let call = 0; call < calls; call += 1) {
    seen.nothing.push(await timed(() => portal('GET', '/portal/settings')));
    seen.again.push(await timed(() => portal('GET', '/portal/lifeline')));
    // A pause is recorded, and moves one row.
    const name = picture.rows[call]?.name ?? '';
    await portal('POST', `/portal/credentials/${name}/${call % 2 === 0 ? 'pause' : 'resume'}`, {});
    seen.changed.push(await timed(() => portal('GET', '/portal/lifeline')));
  }
  const row = (what: string, times: readonly number[]): string[] => {
    const { median, min, max } = spreadOf(times);
    return [what, median.toFixed(1), min.toFixed(1), max.toFixed(1)];
  };
  printTable(
    ['milliseconds, with reading the JSON', 'median', 'min', 'max'],
    [
      row('settings: a call that does next to nothing', seen.nothing),
      row('lifeline, the first time', [first]),
      row('lifeline, nothing changed', seen.again),
      row('lifeline, one credential changed', seen.changed),
    ],
  );
  const lives = picture.rows.reduce((sum, { generations }) => sum + generations.length, 0);
  const marks = picture.rows.reduce(
    (sum, one) => sum + (one.kind === 'credential' ? one.planned.length : 0),
    0,
  );
  const size = (value: unknown): string => `${(JSON.stringify(value).length / 1e6).toFixed(2)} MB`;
  console.log(
    `  ${picture.rows.length} rows, ${lives} lives and ${marks} planned rotations: ${size(picture)};`,
  );
  console.log(`  with an object for each and ISO text: ${size(inObjects(picture))}.\n`);
  return judgeMs('the lifeline after a change', spreadOf(seen.changed), replyGoalMs);
}

async function measureFrames(browser: Browser, service: RunningRotavox, turns: number): Promise<Goal[]> {
  const picture = (await service.portal('GET', '/portal/lifeline')) as Lifeline;
  const seen: { empty: Seen; drawn: Seen; lifeline: Seen }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    seen.push({
      empty: await inPage(browser, (page) => see(page, null)),
      drawn: await inPage(browser, async (page) => {
        await openDrawnRows(page, picture);
        return see(page, '#list');
      }),
      lifeline: await inPage(browser, (page) => seeLifeline(page, service)),
    });
  }
  const names = { empty: 'empty page', drawn: 'everything drawn', lifeline: 'lifeline' } as const;
  printTable(
    ['', ...moves.flatMap((move) => [`${move}: CPU ms a frame`, 'longest ms', 'over 50 ms']), 'frames'],
    (['empty', 'drawn', 'lifeline'] as const).map((name) => {
      const all = seen.flatMap((turn) => framesOf(turn[name]));
      const cells = moves.flatMap((move) => {
        const frames = seen.flatMap((turn) => turn[name][move].frames);
        const cpuMs = spreadOf(seen.map((turn) => turn[name][move].cpuMs)).median;
        return [cpuMs.toFixed(1), longestOf(frames).toFixed(0), String(overLimit(frames))];
      });
      return [names[name], ...cells, String(all.length)];
    }),
  );
  // If the machine itself drops frames, dropped frames are not evidence.
  const isBusy = seen.some(({ empty }) => overLimit(framesOf(empty)) > 0);
  const decided = (goal: Goal): Goal =>
    goal.verdict === 'missed' && isBusy ? { ...goal, verdict: 'undecided' } : goal;
  const cpuOf = ({ lifeline: one }: { lifeline: Seen }): number =>
    Math.max(...moves.map((move) => one[move].cpuMs));
  return [
    judgeMs('CPU of the lifeline a frame, in the dearest move', spreadOf(seen.map(cpuOf)), frameGoalMs),
    decided(
      judgeMs(
        'longest frame of the lifeline',
        spreadOf(seen.map((turn) => longestOf(framesOf(turn.lifeline)))),
        limitMs,
      ),
    ),
    decided(
      judgeCount(
        'its frames over 50 ms',
        spreadOf(seen.map((turn) => overLimit(framesOf(turn.lifeline)))),
        0,
      ),
    ),
  ];
}

async function seeLifeline(page: Page, { portal, port }: RunningRotavox): Promise<Seen> {
  const { url } = (await portal('POST', '/portal/sign-in-links', {})) as { url: string };
  await page.goto(url);
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForSelector('ul[aria-label="Lifelines"] a');
  await page.locator(box).scrollIntoViewIfNeeded();
  return see(page, box);
}

/** Down slowly and quickly, through time slowly and quickly, and from span to span. */
async function see(page: Page, selector: string | null): Promise<Seen> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuSeconds = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
  };
  const move = async (...parts: readonly (() => Promise<Frames>)[]): Promise<Move> => {
    const before = await cpuSeconds();
    const frames: number[] = [];
    for (const act of parts) frames.push(...(await act()));
    return { frames, cpuMs: (((await cpuSeconds()) - before) * 1000) / frames.length };
  };
  return {
    scroll: await move(
      () => scrollDown(page, { selector, frames: 200, pixels: 20 }),
      () => scrollDown(page, { selector, frames: 50, pixels: 300 }),
    ),
    pan: await move(
      () => panBox(page, { selector, frames: 200, pixels: 15 }),
      () => panBox(page, { selector, frames: 100, pixels: 150 }),
    ),
    zoom: await move(() => pressInTurn(page, { choices: spans, rounds: 4, framesEach: 20 })),
  };
}

async function inPage(browser: Browser, look: (page: Page) => Promise<Seen>): Promise<Seen> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    return await look(page);
  } finally {
    await page.close();
  }
}

function framesOf(seen: Seen): Frames {
  return moves.flatMap((move) => seen[move].frames);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

/** The same picture written without regard to its size. */
function inObjects({ rows }: Lifeline): unknown {
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
  return rows.map((row) => ({
    ...row,
    generations: row.generations.map(([from, until, end], place) => ({
      generation: row.first_generation + place,
      from: iso(from),
      to: iso(until),
      end,
    })),
    ...(row.kind === 'credential' ? { planned: row.planned.map((at) => ({ at: iso(at) })) } : {}),
  }));
}
