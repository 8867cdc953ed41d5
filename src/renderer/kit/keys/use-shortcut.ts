import { useEffect, useEffectEvent } from 'react';

/** Offers a shortcut while the view is there: `what` is how the sheet of shortcuts tells it. */
export function useShortcut(keys: string, what: string, run: () => void, isCommand = false): void {
  const act = useEffectEvent(run);
  useEffect(() => shortcuts.add({ keys, what, run: () => act(), isCommand }), [keys, what, isCommand]);
}

/** A shortcut of the view that the palette offers too. */
export function useViewCommand(keys: string, what: string, run: () => void): void {
  useShortcut(keys, what, run, true);
}

/** Tells keys in the sheet of shortcuts that the view hears itself, such as those of the browser's own copy and paste. */
export function useToldKeys(keys: string, what: string): void {
  useEffect(() => shortcuts.add({ keys, what, run: null }), [keys, what]);
}

/** Hears the window's keys from now on. */
export function hearShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || event.repeat) return;
    const found = shortcuts.press(
      {
        key: event.key,
        hasMod: event.ctrlKey || event.metaKey,
        hasShift: event.shiftKey,
        isTyping: isTyping(event.target),
      },
      event.timeStamp,
    );
    if (found === undefined || hasDialog()) return;
    event.preventDefault();
    found.run();
  });
}

/**
 * Whether letters go into what has the focus. The list below a search field hears its keys too, without having the focus. A
 * check box takes no letters, and keeps the focus for a moment after its dialog has closed.
 */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]') ||
    target.closest('[role="listbox"]') !== null
  );
}

function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** A key, a combination (`Mod+K`) or two keys one after the other (`g h`), and what it does. */
interface Shortcut {
  readonly keys: string;
  readonly what: string;
  /** Null where the view hears the keys itself, by the browser's own events: the sheet tells them all the same. */
  readonly run: (() => void) | null;
  /** Whether the palette offers it too, as an action of the view. */
  readonly isCommand?: boolean;
}

/** One that is acted upon here. */
type ActiveShortcut = Shortcut & { readonly run: () => void };

/** How long the second key of two may take, in milliseconds. */
const pairMs = 1_000;
const offKey = 'rotavox:single-keys-off';

/**
 * The shortcuts of what the window shows at this moment.
 *
 * The sheet that tells them is made from this list, so it tells what is there and nothing else. Keys without Ctrl or Cmd
 * can be turned off (WCAG 2.1.4), and mean nothing while something is typed or a dialog is open.
 */
export class ShortcutList {
  readonly #shortcuts = new Set<Shortcut>();
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** The first key of two, and when it was pressed. */
  #first: { readonly key: string; readonly atMs: number } | undefined;

  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
    this.#storage = storage;
  }

  /** In the order in which they came. */
  get all(): readonly Shortcut[] {
    return [...this.#shortcuts];
  }

  get hasSingleKeys(): boolean {
    return this.#storage().getItem(offKey) === null;
  }

  set hasSingleKeys(isOn: boolean) {
    if (isOn) this.#storage().removeItem(offKey);
    else this.#storage().setItem(offKey, '1');
  }

  /** Returns how to take it away. */
  add(shortcut: Shortcut): () => void {
    this.#shortcuts.add(shortcut);
    return () => this.#shortcuts.delete(shortcut);
  }

  /** The shortcut that a press completes, if it does. The last that came wins: a page's own before the window's. */
  press(press: KeyPress, nowMs: number): ActiveShortcut | undefined {
    const { key, hasMod, hasShift = false, isTyping } = press;
    // A letter is written large; the others have names, such as Enter.
    const name = key.length === 1 ? key.toUpperCase() : key;
    if (hasMod) return this.#find(`Mod+${hasShift ? 'Shift+' : ''}${name}`);
    if (isTyping || !this.hasSingleKeys) return undefined;
    const first =
      this.#first !== undefined && nowMs - this.#first.atMs <= pairMs ? this.#first.key : undefined;
    this.#first = undefined;
    const found = (first === undefined ? undefined : this.#find(`${first} ${key}`)) ?? this.#find(key);
    if (found === undefined) this.#first = { key, atMs: nowMs };
    return found;
  }

  #find(keys: string): ActiveShortcut | undefined {
    return this.all.findLast((one): one is ActiveShortcut => one.keys === keys && one.run !== null);
  }
}

/** A press of a key: with Ctrl or Cmd, or while something is being written or asked. */
interface KeyPress {
  readonly key: string;
  readonly hasMod: boolean;
  /** Beside Ctrl or Cmd; elsewhere the key itself says it. */
  readonly hasShift?: boolean;
  readonly isTyping: boolean;
}

/** How keys are written for a person at this machine. */
export function keyWords(keys: string, isMac: boolean): readonly string[] {
  return keys.split(' ').flatMap((part) => part.replace('Mod+', isMac ? '⌘+' : 'Ctrl+').split(/(?<=.)\+/));
}

/** Those of this window. */
export const shortcuts = new ShortcutList(() => localStorage);
