import { useDeferredValue, useSyncExternalStore } from 'react';

import { type Address, readAddress } from './address.ts';

/** Told to ourselves: the browser tells of back and forward only. */
const moved = 'rotavox:moved';
let moves = 0;

/**
 * The address that the window is at, now and whenever it changes.
 *
 * Deferred: while a page is loaded that was not needed before, the one before it stays instead of a blank window.
 */
export function useAddress(): Address {
  return readAddress(useDeferredValue(useSyncExternalStore(follow, () => location.pathname)));
}

/** Whether the window has gone from page to page since it was loaded. */
export function hasMoved(): boolean {
  return moves > 0;
}

/** Goes to another page of this window, with a way back. */
export function goTo(path: string): void {
  if (path === location.pathname) return;
  history.pushState({ isStep: true }, '', path);
  dispatchEvent(new Event(moved));
}

/** Leaves a page: the step back where one led here, else (it was opened by its address) to where it belongs. */
export function leaveFor(path: string): void {
  if (isStep(history.state)) {
    history.back();
    return;
  }
  history.replaceState(null, '', path);
  dispatchEvent(new Event(moved));
}

function follow(onMove: () => void): () => void {
  const move = (): void => {
    moves += 1;
    onMove();
  };
  addEventListener('popstate', move);
  addEventListener(moved, move);
  return () => {
    removeEventListener('popstate', move);
    removeEventListener(moved, move);
  };
}

function isStep(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isStep' in state;
}
