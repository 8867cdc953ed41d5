import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { IvrDocument } from '../../../src/contract/menu/ivr-draft.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { type Bench, type Goal, judgeCount, judgeMs, printTable } from '../bench.ts';
import { dragAbout, type Frames, longestOf, traceMainThread, zoomAbout } from '../canvas-moves.ts';
import { openChromium } from '../open-chromium.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { spreadOf } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const nodes = 200;
const menus = 20;
/** Two frames of a screen with 60 of them a second, rounded down: what a person does not notice. */
const frameLimitMs = 32;

interface Seen {
  readonly name: string;
  readonly frames: Frames;
  readonly longestTaskMs: number;
}

/**
 * Whether a call flow of 200 nodes in 20 menus can be dragged and zoomed without noticeable frames.
 *
 * In turn: an empty page (the frames of the machine itself), and the canvas with everything visible.
 */
export const designerCanvas: Bench = {
  name: 'designer-canvas',
  title: `dragging and zooming ${nodes} nodes in ${menus} menus`,
  isLong: true,
  async run({ quick }) {
    await ensureBuilt({ tell: console.error });
    const scratch = createScratchFolder('designer-canvas');
    const service = await startRotavox('Rotavox', join(scratch, 'data'));
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
  const document = largeDrawing({ nodes, menus });
  const { id } = (await service.portal('POST', '/portal/ivrs/drafts', { document })) as { id: string };
  const seen: Seen[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    seen.push(await seeNothing(browser));
    seen.push(...(await seeCanvas(browser, service, id)));
  }
  const names = [...new Set(seen.map(({ name }) => name))];
  const of = (name: string): Seen[] => seen.filter((one) => one.name === name);
  printTable(
    ['', 'frames', 'longest ms', `over ${frameLimitMs} ms`, 'longest task ms of CPU'],
    names.map((name) => {
      const frames = of(name).flatMap((one) => one.frames);
      const longestTaskMs = Math.max(...of(name).map((one) => one.longestTaskMs));
      return [
        name,
        String(frames.length),
        longestOf(frames).toFixed(1),
        String(over(frames)),
        longestTaskMs.toFixed(1),
      ];
    }),
  );
  const isBusy = of('empty page').some(({ frames }) => over(frames) > 0);
  const goals = ['drag', 'zoom'].flatMap((name) => [
    judgeMs(
      `longest frame: ${name}`,
      spreadOf(of(name).map(({ frames }) => longestOf(frames))),
      frameLimitMs,
    ),
    judgeCount(
      `frames over ${frameLimitMs} ms: ${name}`,
      spreadOf(of(name).map(({ frames }) => over(frames))),
      0,
    ),
  ]);
  return goals.map((goal) =>
    goal.verdict === 'missed' && isBusy ? { ...goal, verdict: 'undecided' as const } : goal,
  );
}

async function seeNothing(browser: Browser): Promise<Seen> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    return await traced(page, 'empty page', () => zoomAbout(page, { selector: null, frames: 300 }));
  } finally {
    await page.close();
  }
}

async function seeCanvas(browser: Browser, { portal, port }: RunningRotavox, id: string): Promise<Seen[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    const { url } = (await portal('POST', '/portal/sign-in-links', {})) as { url: string };
    await page.goto(url);
    await page.goto(`http://127.0.0.1:${port}/ivr/drafts/${id}`);
    await page.waitForSelector('[data-id="menu7"]');
    // Not until the network is idle: the stream of changes is always open.
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    const drag = { selector: '[data-id="menu7"]', frames: 300 };
    return [
      await traced(page, 'drag', () => dragAbout(page, drag)),
      await traced(page, 'zoom', () => zoomAbout(page, { selector: '.react-flow__pane', frames: 300 })),
    ];
  } finally {
    await page.close();
  }
}

async function traced(page: Page, name: string, act: () => Promise<Frames>): Promise<Seen> {
  const { value, taskCpuMs } = await traceMainThread(page, act);
  return { name, frames: value, longestTaskMs: Math.max(...taskCpuMs) };
}

function over(frames: Frames): number {
  return frames.filter((ms) => ms > frameLimitMs).length;
}

/** A call flow of this many nodes, `menus` of them menus: a tree of menus, each with its destinations. */
function largeDrawing({ nodes, menus }: { nodes: number; menus: number }): IvrDocument {
  const endsEach = Math.floor((nodes - menus) / menus);
  const drawn: Record<string, unknown> = {};
  for (let menu = 0; menu < menus; menu += 1) {
    const x = 320 + (menu % 5) * 760;
    const y = Math.floor(menu / 5) * 900;
    const ends = Array.from({ length: endsEach }, (_, end) => `end${menu * endsEach + end}`);
    const next = [menu * 2 + 1, menu * 2 + 2].filter((other) => other < menus).map((other) => `menu${other}`);
    for (const [end, id] of ends.entries())
      drawn[id] = {
        kind: 'end',
        id,
        place: { x: x + 420, y: y + end * 90 },
        type: 'department',
        ref: `team-${menu}-${end}`,
      };
    drawn[`menu${menu}`] = {
      kind: 'menu',
      id: `menu${menu}`,
      place: { x, y },
      name: `Menu ${menu}`,
      description: 'One of many',
      recording: 'recording||welcome',
      timeout: 5,
      keys: [...ends.slice(1), ...next].map((to, key) => ({
        key: '1234567890*#'[key],
        to,
        sms_template: null,
      })),
      incorrect_count: 2,
      invalid_recording: 'recording||wrong',
      invalid_destination: ends[0],
      timeout_tries: 2,
      timeout_retry_recording: 'recording||again',
      timeout_recording: 'recording||last',
      timeout_destination: ends[0],
    };
  }
  return IvrDocument.parse({
    name: 'A large drawing',
    caller: { place: { x: 0, y: 0 }, to: 'menu0' },
    nodes: drawn,
    scenarios: {},
  });
}
