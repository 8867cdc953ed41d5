import { expect, test } from 'vitest';
import type { FoundPrompt, MissingPrompt } from '../../src/calls/prompts.ts';
import type { Recording, RecordingId } from '../../src/contract/menu/recording.ts';
import type { RecordingSpeech } from '../../src/contract/menu/speech.ts';
import { State } from '../../src/core/state.ts';
import { findWithoutPbx, silentPrompts, type SoundOwner } from '../../src/calls/silent-prompts.ts';

const find = (prompt: string): Promise<FoundPrompt | MissingPrompt> =>
  Promise.resolve(
    prompt === 'recording||broken'
      ? 'not_convertible'
      : prompt.startsWith('recording||custom/')
        ? { media: '', seconds: 1, sound: prompt.slice(11) }
        : { media: '', seconds: 1 },
  );

function owner(name: string, sounds: readonly string[] | null): SoundOwner {
  return { name, hasSound: (sound) => Promise.resolve(sounds?.includes(sound) ?? null) };
}

const welcome = 'recording||custom/welcome';

test('a prompt is silent where calls would not find it, and is reported once', async () => {
  const prompts = ['recording||1', 'recording||broken', 'recording||broken'];
  expect(await silentPrompts(prompts, find, [])).toEqual([
    { prompt: 'recording||broken', reason: 'not_convertible', pbx: null },
  ]);
});

test.each([
  ['no telephone system', [], [{ prompt: welcome, reason: 'unknown_sound', pbx: null }]],
  ['one that cannot tell', [owner('a', null)], [{ prompt: welcome, reason: 'unknown_sound', pbx: null }]],
  ['one that has it', [owner('a', ['custom/welcome']), owner('b', null)], []],
  [
    'one that has it and one that has it not',
    [owner('a', ['custom/welcome']), owner('b', [])],
    [{ prompt: welcome, reason: 'no_sound', pbx: 'b' }],
  ],
])('a sound of the telephone system is asked for on each: %s', async (_what, owners, silent) => {
  expect(await silentPrompts([welcome], find, owners)).toEqual(silent);
});

test('without a telephone system what is known without one is said', async () => {
  const state = new State();
  const recording = { id: '1' as RecordingId, created_at: '' } as Recording;
  const speech = { text: 'Good morning', language: 'en-US' } as RecordingSpeech;
  state.recordings.set(recording.id, { ...recording, speech });
  const found = findWithoutPbx(state);
  const prompts = [
    'recording||1',
    welcome,
    'recording||not a sound',
    'outbound_tts||Hello',
    'outbound_tts||Good morning',
  ];
  expect(await silentPrompts(prompts, found, [])).toEqual([
    { prompt: welcome, reason: 'unknown_sound', pbx: null },
    { prompt: 'recording||not a sound', reason: 'gone', pbx: null },
    { prompt: 'outbound_tts||Hello', reason: 'not_speech', pbx: null },
  ]);
});
