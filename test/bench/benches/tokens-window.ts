import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { TokenPage } from '../../../src/contract/token-list.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import type { Bench } from '../bench.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeCount, judgeMs } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { seedDataDir } from '../seed.ts';
import {
  type Frames,
  limitMs,
  longestOf,
  overLimit,
  scrollDown,
  type Searchable,
  type Typed,
  typeText,
} from '../windows/frames.ts';
import { openChromium } from '../windows/open-chromium.ts';
import { openStaticRows } from '../windows/static-rows.ts';

const tokens = 100_000;
/** Found in a thousand names, in every category, and in none. */
const texts = ['app 77', 'general', 'no such thing'];
const table = '[role="table"][aria-label="Tokens"]';

/** What was looked at, in one turn. */
interface Seen {
  readonly name: string;
  readonly scrolled: Frames;
  readonly typed: readonly Typed[];
}

/**
 * Whether 100,000 tokens scroll and are searched without noticeable frames.
 *
 * In turn: an empty page (the frames of the machine itself), a page with all rows drawn, the table.
 */
export const tokensWindow: Bench = {
  name: 'tokens-window',
  title: 'scrolling and searching 100,000 tokens in the browser',
  isLong: true,
  async run({ quick }) {
    await ensureBuilt({ tell: console.error });
    const scratch = createScratchFolder('tokens-window');
    const dataDir = join(scratch, 'data');
    await seedDataDir(dataDir, { tokens, events: tokens });
    const service = await startRotavox('Rotavox', dataDir);
    const browser = await openChromium();
    try {
      return await measure(browser, service, quick ? 1 : 5);
    } finally {
      await browser.close();
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

async function measure(browser: Browser, service: RunningRotavox, turns: number): Promise<Goal[]> {
  const rows = await rowsOf(service);
  const looks = [
    seeNothing,
    (page: Page) => seeStaticRows(page, rows),
    (page: Page) => seeTable(page, service),
  ];
  const seen: Seen[] = [];
  for (let turn = 0; turn < turns; turn += 1)
    for (const look of looks) seen.push(await inPage(browser, look));

  const names = [...new Set(seen.map(({ name }) => name))];
  const of = (name: string): Seen[] => seen.filter((one) => one.name === name);
  printTable(
    ['', 'frames', 'longest ms', 'over 50 ms', ...texts.map((text) => `“${text}” ms`)],
    names.map((name) => [name, ...describe(of(name))]),
  );
  // If the machine itself drops frames, dropped frames are not evidence.
  const isBusy = of('empty page').some((one) => overLimit(framesOf(one)) > 0);
  const goals = [
    judgeMs(
      'longest frame of the tokens',
      spreadOf(of('tokens').map((one) => longestOf(framesOf(one)))),
      limitMs,
    ),
    judgeCount('frames over 50 ms', spreadOf(of('tokens').map((one) => overLimit(framesOf(one)))), 0),
  ];
  return goals.map((goal) =>
    goal.verdict === 'missed' && isBusy ? { ...goal, verdict: 'undecided' as const } : goal,
  );
}

async function inPage(browser: Browser, look: (page: Page) => Promise<Seen>): Promise<Seen> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    return await look(page);
  } finally {
    await page.close();
  }
}

async function seeNothing(page: Page): Promise<Seen> {
  const scrolled = await scrollDown(page, { selector: null, frames: 900, pixels: 0 });
  return { name: 'empty page', scrolled, typed: [] };
}

async function seeStaticRows(page: Page, rows: readonly string[]): Promise<Seen> {
  await openStaticRows(page, rows);
  // One text is enough: each letter costs seconds here.
  return see(page, 'all rows drawn', '#list', texts.slice(0, 1), (text) => {
    const counted = rows.filter((row) => row.toUpperCase().includes(text.toUpperCase())).length;
    return { field: '#field', count: '#count', counted: String(counted), unread: null };
  });
}

async function seeTable(page: Page, { portal, port }: RunningRotavox): Promise<Seen> {
  const { url } = (await portal('POST', '/portal/sign-in-links', {})) as { url: string };
  await page.goto(url);
  await page.goto(`http://127.0.0.1:${port}/tokens?generations=all`);
  await page.waitForSelector(`${table} [role="cell"] time`);
  const counts = new Map<string, number>();
  for (const text of texts) {
    const query = new URLSearchParams({ text, limit: '1' }).toString();
    counts.set(text, ((await portal('GET', `/portal/tokens?${query}`)) as TokenPage).total);
  }
  return see(page, 'tokens', table, texts, (text) => ({
    field: 'input[type="search"]',
    count: 'search p:not([role])',
    counted: `${(counts.get(text) ?? 0).toLocaleString('en-US')} tokens`,
    unread: `${table} [data-outline]`,
  }));
}

/** From the top a part slowly and the rest quickly, then each text, letter by letter. */
async function see(
  page: Page,
  name: string,
  selector: string,
  sought: readonly string[],
  search: (text: string) => Searchable,
): Promise<Seen> {
  const slowly = await scrollDown(page, { selector, frames: 300, pixels: 100 });
  const quickly = await scrollDown(page, { selector, frames: 600, pixels: 8_000 });
  const typed: Typed[] = [];
  for (const text of sought) {
    await page.fill(search(text).field, '');
    typed.push(await typeText(page, text, search(text)));
  }
  return { name, scrolled: [...slowly, ...quickly], typed };
}

function framesOf({ scrolled, typed }: Seen): Frames {
  return [...scrolled, ...typed.flatMap(({ frames }) => frames)];
}

function describe(turns: readonly Seen[]): string[] {
  const frames = turns.flatMap(framesOf);
  const took = texts.map((_text, place) => turns.flatMap(({ typed }) => typed[place]?.tookMs ?? []));
  return [
    String(frames.length),
    longestOf(frames).toFixed(1),
    String(overLimit(frames)),
    ...took.map((times) => (times.length === 0 ? '' : spreadOf(times).median.toFixed(0))),
  ];
}

/** The rows of the table as plain text. */
async function rowsOf({ portal }: RunningRotavox): Promise<string[]> {
  const rows: string[] = [];
  for (let offset = 0; ; offset += 1000) {
    const page = (await portal('GET', `/portal/tokens?limit=1000&offset=${offset}`)) as TokenPage;
    rows.push(
      ...page.tokens.map((one) => `${one.status} ${one.name} ${one.category} ${one.expires_at} ${one.id}`),
    );
    if (page.next_after === null) return rows;
  }
}
