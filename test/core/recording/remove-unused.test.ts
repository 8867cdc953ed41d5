import { expect, it } from 'vitest';
import type { Ivr } from '../../../src/contract/menu/ivr.ts';
import type { Recording } from '../../../src/contract/menu/recording.ts';
import { recordingUses, removeUnused } from '../../../src/core/recording/change-recording.ts';
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
    removeUnused(state, { callsSince: callsSince.map(instant), inVersions: new Set() }, atMs).value;
  expect(removed([noon - 1])).toEqual([]);
  expect(removed([noon + 1, noon])).toEqual([]);
  expect(removed([noon + 1])).toEqual([recording]);
  expect(removed([], noon + 30 * dayMs - 1)).toEqual([]);
});

it('is found among many by its text without looking at each of them for each prompt', () => {
  const state = new State();
  const many = 300;
  let reads = 0;
  for (let place = 0; place < many; place += 1) {
    const id = `rec_${place}` as Recording['id'];
    const text = `Text ${place}`;
    const recording = {
      id,
      created_at: instant(noon),
      get speech() {
        reads += 1;
        return { text, language: 'en-US' };
      },
    };
    state.recordings.set(id, recording as unknown as Recording);
    const prompt = `outbound_tts||${text}`;
    const menu = { id: `ivr_${place}`, name: text, recording: prompt, invalid_recording: prompt };
    const ivr = { ...menu, timeout_retry_recording: prompt, timeout_recording: prompt } as unknown as Ivr;
    state.ivrs.set(ivr.id, ivr);
  }
  reads = 0;
  const uses = recordingUses(state);
  expect(uses.get('rec_7')).toHaveLength(4);
  expect(uses.size).toBe(many);
  expect(reads / many, 'for each recording').toBeLessThan(20);
});
