import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RecordingSpeech, VoiceId } from '../../src/contract/menu/speech.ts';
import { PromptAddresses } from '../../src/calls/prompts.ts';
import type { Recording, RecordingId } from '../../src/contract/menu/recording.ts';
import { dayMs } from '../../src/core/token/token-record.ts';
import { noon } from '../fixtures/make-events.ts';
import { tone } from './call-host.ts';

const audio = tone(0.5);
const recording: Recording = {
  id: '42' as RecordingId,
  name: 'Greeting',
  format: 'wav',
  bytes: audio.length,
  duration_ms: 500,
  digest: hash('sha256', audio, 'hex'),
  speech: null,
  created_at: '',
  updated_at: '',
};

function spokenOf(text: string): RecordingSpeech {
  return {
    text,
    language: 'en-US',
    voice: 'flite/slt' as VoiceId,
    rate: 1,
    key: 'k',
    engine_version: '2',
    model_digest: 'm',
    made_at: '',
    automatic: true,
  };
}

const pbxUrl = 'http://127.0.0.1:8088';

function addresses(clock = { nowMs: noon }) {
  let reads = 0;
  const recordings = new Map([[recording.id, recording]]);
  const prompts = new PromptAddresses({
    recordings,
    spokenAs: () => ({ speech_language: 'en-US', speech_voice: null }),
    files: {
      keep: () => Promise.resolve(),
      forget: () => Promise.resolve(),
      read: () => {
        reads += 1;
        return Promise.resolve(
          (async function* () {
            yield await Promise.resolve(audio);
          })(),
        );
      },
    },
    clock: () => clock.nowMs,
    baseUrl: () => 'http://127.0.0.1:7682',
  });
  const pathOf = async (): Promise<string> => {
    const found = await prompts.at(() => pbxUrl).find('recording||42');
    if (typeof found === 'string') throw new Error(found);
    expect(found.seconds).toBeCloseTo(0.5, 1);
    return found.media.replace('sound:http://127.0.0.1:7682', '');
  };
  return { prompts, recordings, pathOf, clock, reads: () => reads };
}

test('an address works until the end of the next day, and is the same all day', async () => {
  const { prompts, pathOf, clock } = addresses();
  const path = await pathOf();
  clock.nowMs += dayMs / 4;
  expect(await pathOf()).toBe(path);
  expect((await prompts.read(path))?.bytes.length).toBeGreaterThan(8_000);
  clock.nowMs += dayMs;
  expect(await pathOf()).not.toBe(path);
  expect(await prompts.read(path)).not.toBeNull();
  clock.nowMs += dayMs;
  expect(await prompts.read(path)).toBeNull();
});

test('an address with any other character is unknown, and so is that of another start', async () => {
  const { prompts, pathOf } = addresses();
  const path = await pathOf();
  expect(await addresses().prompts.read(path)).toBeNull();
  for (let at = 9; at < path.length - 4; at += 1) {
    const other = path[at] === '0' ? '1' : '0';
    expect(await prompts.read(path.slice(0, at) + other + path.slice(at + 1)), String(at)).toBeNull();
  }
});

test('an address is longer than the name of a file in the cache of Asterisk', async () => {
  const { pathOf } = addresses();
  expect((await pathOf()).length).toBeGreaterThan(130);
});

test('a recording is converted once', async () => {
  const { prompts, pathOf, reads } = addresses();
  const path = await pathOf();
  await pathOf();
  await prompts.read(path);
  expect(reads()).toBe(1);
});

test('what cannot be heard is named', async () => {
  const { prompts, recordings } = addresses();
  expect(await prompts.at(() => pbxUrl).find('recording||no sound&/etc/passwd')).toBe('gone');
  expect(await prompts.at(() => pbxUrl).find('outbound_tts||Hello')).toBe('not_speech');
  recordings.set('43' as RecordingId, { ...recording, format: 'ogg' });
  expect(await prompts.at(() => pbxUrl).find('recording||43')).toBe('not_convertible');
});

test('a text is heard from the recording that was spoken of it, and never made during a call', async () => {
  const { prompts, recordings, pathOf } = addresses();
  const find = prompts.at(() => pbxUrl);
  const speech = spokenOf('Hello');
  recordings.set('44' as RecordingId, { ...recording, id: '44' as RecordingId, speech });
  const found = await find.find('outbound_tts||Hello');
  expect(found).toMatchObject({ media: `sound:http://127.0.0.1:7682${await pathOf()}` });
  expect(await find.find('outbound_tts||Hello again')).toBe('not_speech');
  // Not by its id either.
  expect(await find.find('outbound_tts||44')).toBe('not_speech');
});

test('a recording that is not here is a sound of the telephone system, played by its name', async () => {
  const { prompts } = addresses();
  const found = await prompts.at(() => pbxUrl).find('recording||custom/welcome.wav');
  expect(found).toEqual({ media: 'sound:custom/welcome', seconds: 300, sound: 'custom/welcome' });
});

test('audio that is not what was uploaded is not heard', async () => {
  const { prompts, recordings } = addresses();
  recordings.set('43' as RecordingId, { ...recording, digest: 'cd'.repeat(32) });
  expect(await prompts.at(() => pbxUrl).find('recording||43')).toBe('gone');
});
