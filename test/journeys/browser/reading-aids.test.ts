import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { SeededMonth } from '../../fixtures/month/seeded-month.ts';
import type { StatusPage } from '../pages/status-page.ts';
import { expectAccessible } from './expect-good-view.ts';
import { test } from './serve-host.ts';

/** Every window but the designer's inside: what it is called, and where it is in the month. */
const views: readonly (readonly [name: string, path: (month: SeededMonth) => string])[] = [
  ['the overview', () => '/'],
  ['the tokens', () => '/tokens'],
  ['the dialog that issues a token', () => '/tokens/issue'],
  ['a token family', ({ families }) => `/tokens/family/${families.dashboard}`],
  ['the credentials', () => '/credentials'],
  ['the dialog that adds a credential', () => '/add-credential'],
  ['a credential', ({ credentials }) => `/credentials/${credentials.fine}`],
  ['the history', () => '/history'],
  ['an event', () => '/history?event=9'],
  ['the recordings', () => '/recordings'],
  ['the extensions', () => '/extensions'],
  ['the SMS templates', () => '/sms-templates'],
  ['the calls', () => '/calls'],
  ['the opening hours', () => '/opening-hours'],
  ['the telephone systems', () => '/telephone-systems'],
  ['the page that connects a telephone system', () => '/add-telephone-system'],
  ['the phone menus', () => '/ivr'],
  ['the settings', () => '/settings'],
];

const inEveryWay = 'can be read and used in large text, in forced colours and in both themes';

test(`the first page ${inEveryWay}`, ({ status, owner }) => readInEveryWay(status, owner.baseUrl));

test.describe('after a month', { tag: '@long' }, () => {
  test.use({ seeded: true });

  for (const [name, path] of views)
    test(`${name} ${inEveryWay}`, ({ status, month, owner }) =>
      readInEveryWay(status, owner.baseUrl + path(month)));
});

async function readInEveryWay(status: StatusPage, url: string): Promise<void> {
  const { page } = status;
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await expect(page.locator('main')).not.toContainText('Loading');

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await test.step(`axe, ${colorScheme}`, () => expectAccessible(page));
  }
  for (const width of [1280, 900]) {
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await page.setViewportSize({ width, height: 800 });
    await status.expectNoSidewaysScroll();
    // A long list measures its rows again, a frame later.
    await expect
      .poll(() => page.evaluate(findUnreadable), `at ${width} pixels, in text of twice the size`)
      .toEqual([]);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  expect(await unseenStops(page), 'where the focus is not seen').toEqual([]);
}

/**
 * What of the text that is in sight lies over other text, or is cut off without a sign of it or nearly as a whole.
 *
 * Runs in the page.
 */
function findUnreadable(): string[] {
  interface Piece {
    readonly words: string;
    readonly owner: Element;
    /** Whether other text may go by below it. */
    readonly isStuck: boolean;
    readonly rect: { left: number; right: number; top: number; bottom: number };
  }
  const tolerance = 4;
  const found: string[] = [];
  const pieces: Piece[] = [];
  const dialog = document.querySelector('[role=dialog], dialog[open]');
  const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const owner = node.parentElement!;
    const words = node.textContent!.trim();
    if (
      words === '' ||
      !owner.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true })
    )
      continue;
    if (owner.closest('svg, option, script, style') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const rect = { left, right, top, bottom };
      let isCut = false;
      let isStuck = false;
      let isHidden = right - left < 2;
      for (let box: Element | null = owner; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.position === 'sticky') isStuck = true;
        if (style.overflow === 'visible') continue;
        const edge = box.getBoundingClientRect();
        if (edge.width < 3 || edge.height < 3) isHidden = true; // heard, not seen
        const isTold = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
        const scrolls = /auto|scroll/.test(style.overflow);
        const over = rect.right > edge.right + tolerance || rect.bottom > edge.bottom + tolerance;
        if (over && !isTold && !scrolls) isCut = true;
        // With a sign of it, but too little is left to tell what it was.
        const begins = rect.left - edge.left < tolerance;
        if (over && isTold && begins && edge.width < 3 * Number.parseFloat(style.fontSize)) isCut = true;
        rect.left = Math.max(rect.left, edge.left);
        rect.right = Math.min(rect.right, edge.right);
        rect.top = Math.max(rect.top, edge.top);
        rect.bottom = Math.min(rect.bottom, edge.bottom);
        // What is scrolled out of sight is neither cut off nor in the way.
        if (scrolls && (rect.right <= rect.left || rect.bottom <= rect.top)) isHidden = true;
      }
      if (isHidden) continue;
      if (isCut) found.push(`cut off: ${words.slice(0, 60)}`);
      else if (rect.right > rect.left && rect.bottom > rect.top) pieces.push({ words, owner, isStuck, rect });
    }
  }
  for (const [place, one] of pieces.entries())
    for (const other of pieces.slice(place + 1)) {
      if (one.owner === other.owner || one.isStuck !== other.isStuck) continue;
      const wide = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const high = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      const least = Math.min(one.rect.bottom - one.rect.top, other.rect.bottom - other.rect.top);
      if (wide > tolerance && high > least / 2)
        found.push(`over each other: ${one.words.slice(0, 40)} | ${other.words.slice(0, 40)}`);
    }
  return [...new Set(found)];
}

/** How many stops are gone through with Tab; a list of a thousand rows is one of them. */
const stops = 40;

/** What has the focus, of the first stops of Tab, and is out of sight or does not show that it has it. */
async function unseenStops(page: Page): Promise<string[]> {
  const unseen = new Set<string>();
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    const trouble = await page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return null;
      const { left, right, top, bottom } = focused.getBoundingClientRect();
      const isInSight = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
      const hasOutline = (style: CSSStyleDeclaration): boolean =>
        style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
      // The field itself, what a whole row or tile makes of it, or the label that is drawn instead of it.
      let isMarked =
        hasOutline(getComputedStyle(focused)) || hasOutline(getComputedStyle(focused, '::after'));
      const label = focused.nextElementSibling;
      if (label !== null && hasOutline(getComputedStyle(label))) isMarked = true;
      for (let box = focused.parentElement; box !== null && !isMarked; box = box.parentElement)
        isMarked = hasOutline(getComputedStyle(box));
      // A second stop in the same field is at a part that is the browser's own, and marked by the browser.
      if (!isMarked && focused.hasAttribute('data-was-marked')) isMarked = true;
      if (isMarked && focused.matches('input[type=date], input[type=time]'))
        focused.setAttribute('data-was-marked', '');
      if (isInSight && isMarked) return null;
      const name = focused.getAttribute('aria-label') ?? focused.textContent;
      return `${isInSight ? 'not marked' : 'out of sight'}: ${focused.tagName} ${name.slice(0, 60)}`;
    });
    if (trouble !== null) unseen.add(trouble);
  }
  return [...unseen];
}
