import { expect, it } from 'vitest';
import type { Recording } from '../../../src/contract/menu/recording.ts';
import { removeUnused } from '../../../src/core/recording/change-recording.ts';
import { State } from '../../../src/core/state.ts';
import { noon } from '../../fixtures/make-events.ts';

const dayMs = 86_400_000;
const instant = (ms: number) => new Date(ms).toISOString();

it('is not removed while a call runs that began before nothing played it', () => {
  const state = new State();
  const recording = {
    id: 'rec_1',
    name: 'Welcome',
    speech: { text: 'Welcome', automatic: true },
    unused_since: instant(noon),
  } as Recording;
  state.recordings.set(recording.id, recording);
  const removed = (callsSince: number[], atMs = noon + 30 * dayMs) =>
    removeUnused(state, { callsSince: callsSince.map(instant) }, atMs).value;
  expect(removed([noon - 1])).toEqual([]);
  expect(removed([noon + 1, noon])).toEqual([]);
  expect(removed([noon + 1])).toEqual([recording]);
  expect(removed([], noon + 30 * dayMs - 1)).toEqual([]);
});
