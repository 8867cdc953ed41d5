import type { FileChooser, Locator, Page } from '@playwright/test';

/** How often a person looks where the focus is now before they give up. */
const mostLooks = 40;

/** A person without a mouse. */
export class Keyboard {
  readonly #page: Page;
  #count = 0;

  /** Keys pressed so far; a text that is typed counts as one, however long it is. */
  get count(): number {
    return this.#count;
  }

  constructor(page: Page) {
    this.#page = page;
  }

  /** Holds Tab, or Tab with the shift key where it lies behind, until the focus is on something. */
  async reach(target: Locator): Promise<void> {
    const found = await target.elementHandle();
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const { stops: away, isInToolbar } = await found.evaluate(stopsAway);
      if (away === 0) return;
      const [forward, back] = isInToolbar
        ? (['ArrowRight', 'ArrowLeft'] as const)
        : (['Tab', 'Shift+Tab'] as const);
      const key = away > 0 ? forward : back;
      // Not one after the other: each answer takes as long as a frame.
      await Promise.all(Array.from({ length: Math.abs(away) }, () => this.press(key)));
    }
    throw new Error(`Tab does not lead to ${target.toString()}`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#count += 1;
      await this.#page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    this.#count += 1;
    await this.#page.keyboard.type(text);
  }

  /** Takes a file that the system asks for, by its name and Enter. */
  async take(chooser: FileChooser, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
    this.#count += 2;
    await chooser.setFiles(file);
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

/**
 * Run in the page: about how many stops an element is away from the focus, backwards below 0; 0 only on it.
 *
 * Stops of Tab, where a toolbar is one; inside a toolbar, presses of an arrow key.
 */
function stopsAway(target: Element): { readonly stops: number; readonly isInToolbar: boolean } {
  const toolbarOf = (element: Element): Element | null => element.closest('[role="toolbar"]');
  const focused = document.activeElement ?? document.body;
  if (focused === target) return { stops: 0, isInToolbar: false };
  const within = document.querySelector('dialog[open]') ?? document;
  const all = [
    ...within.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]'),
  ].filter((stop) => stop.tabIndex >= 0 && stop.checkVisibility());
  const toolbar = toolbarOf(target);
  if (toolbar !== null && toolbar === toolbarOf(focused)) {
    const items = all.filter((stop) => toolbar.contains(stop));
    const away = items.findIndex((one) => one === target) - items.findIndex((one) => one === focused);
    return { stops: away, isInToolbar: true };
  }
  const isFirstOfToolbar = (stop: Element, place: number): boolean => {
    const around = toolbarOf(stop);
    return around === null || place === 0 || toolbarOf(all[place - 1]!) !== around;
  };
  const stops = all.filter(isFirstOfToolbar);
  const isBehind =
    focused !== document.body &&
    (focused.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  const placeOf = (element: Element): number => {
    const around = toolbarOf(element);
    return stops.findIndex((stop) => stop === element || around?.contains(stop) === true);
  };
  const from = placeOf(focused);
  const to = placeOf(target);
  // From what is no stop itself, step by step.
  const away = from < 0 || to < 0 ? 1 : Math.max(1, Math.abs(to - from));
  return { stops: isBehind ? -away : away, isInToolbar: false };
}
