import type { Locator, Page } from '@playwright/test';

/** How often a person looks where the focus is now before they give up. */
const mostLooks = 40;

/** A person without a mouse. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Holds Tab, or Tab with the shift key where it lies behind, until the focus is on something. */
  async reach(target: Locator): Promise<void> {
    const found = await target.elementHandle();
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const away = await found.evaluate(stopsAway);
      if (away === 0) return;
      const key = away > 0 ? 'Tab' : 'Shift+Tab';
      // Not one after the other: each answer takes as long as a frame.
      await Promise.all(Array.from({ length: Math.abs(away) }, () => this.#page.keyboard.press(key)));
    }
    throw new Error(`Tab does not lead to ${target.toString()}`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Reaches a button and presses it. */
  async use(button: Locator): Promise<void> {
    await this.reach(button);
    await this.press('Enter');
  }

  /** Reaches a field and types over what is in it. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.press('ControlOrMeta+a');
    await (text === '' ? this.press('Delete') : this.type(text));
  }
}

/** Run in the page: about how many stops of Tab an element is away from the focus, backwards below 0; 0 only on it. */
function stopsAway(target: Element): number {
  const focused = document.activeElement ?? document.body;
  if (focused === target) return 0;
  const within = document.querySelector('dialog[open]') ?? document;
  const stops = [
    ...within.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]'),
  ].filter((stop) => stop.tabIndex >= 0 && stop.checkVisibility());
  const isBehind =
    focused !== document.body &&
    (focused.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  const from = stops.findIndex((stop) => stop === focused);
  const to = stops.findIndex((stop) => stop === target);
  // From what is no stop itself, step by step.
  const away = from < 0 || to < 0 ? 1 : Math.abs(to - from);
  return isBehind ? -away : away;
}
