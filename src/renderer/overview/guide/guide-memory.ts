import { useEffect, useSyncExternalStore } from 'react';
import type { FirstSteps } from '../../../contract/service/settings.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { changeKnown, windowCache } from '../../kit/live/window-cache.ts';
import { presentSettings } from '../../settings/use-settings.ts';

/**
 * Where a person stands with the first steps.
 *
 * `unseen`: they were never shown here. `open`: shown until the last is done. `dismissed`: hidden until a person asks for them again.
 */
export type GuideState = 'unseen' | 'open' | 'dismissed' | 'done';

/**
 * What was seen here. It lasts as long as the browser keeps it, in the desktop app until that ends: what a person chooses
 * is a setting of the service therefore, and comes before this.
 */
const key = 'rotavox:first-steps';
const changed = 'rotavox:first-steps-changed';
const states: readonly GuideState[] = ['open', 'dismissed', 'done'];

/** What was chosen in this window, until the settings say the same. */
let chosen: Exclude<FirstSteps, 'automatic'> | null = null;

/** Undefined while that is not known. */
function useGuideState(): GuideState | undefined {
  const setting = useLive(presentSettings).known?.value.first_steps;
  const here = useSyncExternalStore(follow, () => chosen ?? readSeen());
  if (chosen !== null) return chosen;
  return setting === 'automatic' ? here : setting;
}

/** Notes that they are shown here: they stay until the last is done. */
function noteGuideSeen(): void {
  keepSeen('open');
}

/** Has them shown, dismissed or done, here and wherever else this service is looked at. */
export async function chooseGuideState(state: Exclude<FirstSteps, 'automatic'>): Promise<void> {
  chosen = state;
  keepSeen(state);
  const reply = await askPortal('changeSettings', { body: { first_steps: state } });
  if (reply.kind !== 'ok') return;
  changeKnown(windowCache, presentSettings, () => reply.value);
  if (chosen === state) chosen = null;
  dispatchEvent(new Event(changed));
}

/** Shows the first steps again, on the overview. */
export function showFirstSteps(): void {
  void chooseGuideState('open');
}

function readSeen(): GuideState {
  const kept = localStorage.getItem(key);
  return states.find((state) => state === kept) ?? 'unseen';
}

function keepSeen(state: Exclude<GuideState, 'unseen'>): void {
  localStorage.setItem(key, state);
  dispatchEvent(new Event(changed));
}

function follow(listener: () => void): () => void {
  addEventListener(changed, listener);
  addEventListener('storage', listener); // another window of the same browser
  return () => {
    removeEventListener(changed, listener);
    removeEventListener('storage', listener);
  };
}

/**
 * Where the person stands with the first steps.
 *
 * They are shown on a service without credentials, until the last step is done; a service that was set up elsewhere
 * needs none. `isSetUp` is undefined while that is not known; then so may be the answer.
 */
export function useGuide(isSetUp: boolean | undefined): GuideState | undefined {
  const state = useGuideState();
  const isWanted = state === 'unseen' && isSetUp === false;
  useEffect(() => {
    if (isWanted) noteGuideSeen();
  }, [isWanted]);
  if (state === 'unseen' && isSetUp === undefined) return undefined;
  return isWanted ? 'open' : state;
}
