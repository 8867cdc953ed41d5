import { useDeferredValue, useMemo, useSyncExternalStore } from 'react';
import { type PageAddress, readPagePath } from '../../contract/window/window-page.ts';

/** Told to ourselves: the browser tells of back and forward only. */
const moved = 'rotavox:moved';
let moves = 0;

/** Counts the steps back and forward from now on. */
export function followSteps(): void {
  addEventListener('popstate', () => {
    moves += 1;
  });
}

/** What a window shows. */
export interface Address extends PageAddress {
  /** The path of the page that led to this one, where one did: a dialog with an address of its own opens over it. */
  readonly before: string | undefined;
}

/**
 * The address that the window is at, now and whenever it changes. What is no page is the overview, which leads everywhere.
 *
 * Deferred: while a page is loaded that was not needed before, the one before it stays instead of a blank window.
 */
export function useAddress(): Address {
  const path = useDeferredValue(useSyncExternalStore(follow, () => location.pathname));
  return useMemo(
    () => ({ ...(readPagePath(path) ?? { page: 'overview', id: '' }), before: pathBefore() }),
    [path],
  );
}

/** What the address says after its question mark: how a page is filtered and sorted. */
export function useSearch(): URLSearchParams {
  const search = useSyncExternalStore(follow, () => location.search);
  return useMemo(() => new URLSearchParams(search), [search]);
}

/**
 * Changes parts of what the address says after its question mark; undefined takes a part away.
 *
 * Without a step of its own: the way back leads to the page before, not through every letter that was typed.
 */
export function setSearch(changes: Readonly<Record<string, string | undefined>>): void {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') search.delete(name);
    else search.set(name, value);
  }
  const text = search.toString();
  if (`?${text}` === location.search || text === location.search) return;
  history.replaceState(
    history.state,
    '',
    `${location.pathname}${text === '' ? '' : `?${text}`}${location.hash}`,
  );
  dispatchEvent(new Event(moved));
}

/** Whether the window has gone from page to page since it was loaded. */
export function hasMoved(): boolean {
  return moves > 0;
}

/** Goes to another page of this window, with a way back. */
export function goTo(path: string): void {
  if (path === location.pathname + location.search) return;
  moves += 1;
  history.pushState({ isStep: true, from: location.pathname }, '', path);
  dispatchEvent(new Event(moved));
}

/** Leaves a page: the step back where one led here, else (it was opened by its address) to where it belongs. */
export function leaveFor(path: string): void {
  if (hasStep(history.state)) {
    history.back();
    return;
  }
  moves += 1;
  history.replaceState(null, '', path);
  dispatchEvent(new Event(moved));
}

function pathBefore(): string | undefined {
  const state: unknown = history.state;
  if (!hasStep(state)) return undefined;
  return typeof state.from === 'string' ? state.from : undefined;
}

function follow(onMove: () => void): () => void {
  addEventListener('popstate', onMove);
  addEventListener(moved, onMove);
  return () => {
    removeEventListener('popstate', onMove);
    removeEventListener(moved, onMove);
  };
}

function hasStep(state: unknown): state is { readonly isStep: true; readonly from?: unknown } {
  return typeof state === 'object' && state !== null && 'isStep' in state;
}

/** Replaces the current page by another one of this window: a dialog with an address of its own has done its work. */
export function goInstead(path: string): void {
  moves += 1;
  history.replaceState(history.state, '', path);
  dispatchEvent(new Event(moved));
}
