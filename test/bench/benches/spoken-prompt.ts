import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { speechPreview } from '../../../src/contract/downloads.ts';
import { NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { changeMenu } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { ensureBuilt } from '../../../src/launcher/ensure-built.ts';
import { spokenSoundText } from '../../../src/text/menu/prompt-field.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { DesignerPanels } from '../../journeys/pages/designer-panels.ts';
import { type Bench, type Goal, printTable } from '../bench.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import { openChromium } from '../open-chromium.ts';
import { spreadOf } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

/** What a person does not notice as waiting. */
const goalMs = 400;
const label = 'Callers hear';

const openings = [
  'Welcome to Example',
  'Good morning',
  'Thank you for calling',
  'You have reached the office',
];
const choices = [
  'For sales, press 1',
  'For technical support, press 2',
  'For our opening hours, press star',
  'Please hold the line, and your call will be answered shortly',
];

/** From 12 to 170 characters, as prompts of menus are; no two alike, so that nothing is played twice. */
const texts = Array.from({ length: 30 }, (_, nth) => {
  const opening = `${openings[nth % openings.length] ?? ''}, line ${String(nth + 1)}`;
  return [opening, ...choices.slice(0, nth % (choices.length + 1))].join('. ') + '.';
});

/**
 * How long a person who has typed a prompt and plays it waits for its sound: from the last key, in the built page, with the voice that is
 * built in. No text has a recording, and none is made while it is typed, but for ten that somebody types on while they are spoken.
 */
export const spokenPrompt: Bench = {
  name: 'spoken-prompt',
  title: `from the last key of a typed prompt to its sound, ${String(texts.length)} texts`,
  isLong: true,
  async run() {
    await ensureBuilt({ tell: console.error });
    const scratch = createScratchFolder('spoken-prompt');
    const service = await startRotavox('Rotavox', join(scratch, 'data'));
    const browser = await openChromium(['--autoplay-policy=no-user-gesture-required']);
    try {
      return await measure(await browser.newPage({ viewport: { width: 1280, height: 900 } }), service);
    } finally {
      await browser.close();
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

async function measure(page: Page, { portal, port }: RunningRotavox): Promise<Goal[]> {
  const reception = NodeId.parse('reception');
  const document = changeMenu(twoMenus, reception, { recording: 'outbound_tts||Welcome' });
  const { id } = (await portal('POST', '/portal/ivrs/drafts', { document })) as { id: string };
  const { url } = (await portal('POST', '/portal/sign-in-links', {})) as { url: string };
  await page.goto(url);
  await page.goto(`http://127.0.0.1:${port}/ivr/drafts/${id}`);
  const panels = new DesignerPanels(page);
  await panels.button('Outline').click();
  await panels.outlined('Reception').click();
  const field = page.getByLabel(label, { exact: true }).first();
  await field.waitFor();
  async function hear(text: string): Promise<number> {
    const ms = await field.evaluate(lastKeyToSound, { last: text, play: spokenSoundText.play(label) });
    await page
      .getByRole('button', { name: spokenSoundText.stop(label) })
      .first()
      .click();
    return ms;
  }
  const waits: number[] = [];
  for (const text of texts) {
    await field.fill(text.slice(0, -1));
    waits.push(await hear(text));
  }
  const typedOn: number[] = [];
  for (const text of texts.slice(-10)) {
    const asked = page.waitForRequest((request) => request.url().endsWith(speechPreview.path));
    await field.fill(`${text} Goodbye`);
    await asked; // nothing was typed for a while
    typedOn.push(await hear(`${text} Goodbye.`));
  }
  // The first one loads the engine.
  const [first = NaN, ...others] = waits;
  const sorted = others.toSorted((one, other) => one - other);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
  const longest = sorted.at(-1) ?? NaN;
  const figures = {
    first,
    median: spreadOf(others).median,
    '95 of 100': p95,
    longest,
    'typed on while it was spoken': spreadOf(typedOn).median,
  };
  printTable(['', ...Object.keys(figures)], [['ms', ...Object.values(figures).map((ms) => ms.toFixed(0))]]);
  return [
    {
      what: 'from the last key to the sound: 95 of 100 texts',
      seen: `${p95.toFixed(0)} ms (longest ${longest.toFixed(0)} ms)`,
      goal: `<= ${String(goalMs)} ms`,
      verdict: p95 <= goalMs ? 'met' : 'missed',
    },
  ];
}

/** Runs in the page: types the last key, presses the button, and waits until the audio plays. */
function lastKeyToSound(field: Element, { last, play }: { last: string; play: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const start = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      HTMLMediaElement.prototype.play = start;
      this.addEventListener('playing', () => resolve(performance.now() - began), { once: true });
      return start.call(this);
    };
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, last);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(function press() {
      const button = document.querySelector<HTMLButtonElement>(`button[aria-label="${play}"]`);
      if (button === null) requestAnimationFrame(press);
      else button.click();
    });
    setTimeout(() => reject(new Error('nothing played for 30 s')), 30_000);
  });
}
