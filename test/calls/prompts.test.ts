import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type FoundPrompt, type MissingPrompt, PromptAddresses } from '../../src/calls/prompts.ts';
import type { RecordingSpeech, VoiceId } from '../../src/contract/menu/speech.ts';
import type { Recording, RecordingId } from '../../src/contract/menu/recording.ts';
import { dayMs } from '../../src/core/token/token-record.ts';
import { noon } from '../fixtures/make-events.ts';
import { tone } from './call-host.ts';
import { findWithoutPbx, silentPrompts, type SoundOwner } from '../../src/calls/silent-prompts.ts';
import { State } from '../../src/core/state.ts';
import { telephoneWav } from '../../src/calls/prompt-audio.ts';
import { encodeWav, readWav } from '../../src/core/recording/wav.ts';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import { sweep } from '../fixtures/audio-files.ts';
import { audioFiles } from './call-steps.ts';

const audio = tone(0.5);
const recording: Recording = {
  id: '42' as RecordingId,
  name: 'Greeting',
  format: 'wav',
  bytes: audio.length,
  duration_ms: 500,
  digest: hash('sha256', audio, 'hex'),
  speech: null,
  unused_since: null,
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
  const spanish = { language: 'es-ES', voice: null };
  // Better than silence, until its call flow has its own.
  expect(await find.find('outbound_tts||Hello', spanish)).toEqual(found);
  const own = {
    ...recording,
    id: '45' as RecordingId,
    digest: 'none',
    speech: { ...speech, language: 'es-ES' },
  };
  recordings.set(own.id, own);
  expect(await find.find('outbound_tts||Hello', spanish)).toBe('gone'); // its audio is another
  expect(await find.find('outbound_tts||Hello')).toEqual(found);
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

async function find(prompt: string): Promise<FoundPrompt | MissingPrompt> {
  if (prompt === 'recording||broken') return 'not_convertible';
  const found = { media: '', seconds: 1 };
  return prompt.startsWith('recording||custom/') ? { ...found, sound: prompt.slice(11) } : found;
}

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

function soundIn(bytes: Uint8Array | null): { seconds: number; rate: number; loudest: number } {
  if (bytes === null) throw new Error('nothing');
  const head = readWavHead(bytes);
  if (!head.ok) throw new Error('no WAV');
  expect(head.value).toMatchObject({ codec: 'int16', channels: 1, rate: 8000, isPlain: true });
  const { samples, rate } = readWav(bytes, head.value);
  const [only = new Float32Array()] = samples;
  return { seconds: only.length / rate, rate, loudest: Math.max(...only) };
}

describe('a recording for a telephone', () => {
  test.each([8000, 16_000, 44_100, 48_000])(
    'is converted from WAV at %i Hz with its length',
    async (rate) => {
      const samples = Float32Array.from(
        { length: rate },
        (_, at) => Math.sin((at / rate) * 2 * Math.PI * 440) / 2,
      );
      const sound = soundIn(await telephoneWav(encodeWav({ samples, rate }), 'wav'));
      expect(sound.seconds).toBeCloseTo(1, 2);
      expect(sound.loudest).toBeGreaterThan(0.4);
      expect(sound.loudest).toBeLessThan(0.6);
    },
  );

  // Stored by an earlier version as they were uploaded.
  test.each(['alaw', 'gsm', 'ima', 'ms', 'ima-stereo', 'ms-stereo'])(
    'is converted from WAV in %s',
    async (codec) => {
      const sound = soundIn(await telephoneWav(sweep(codec), 'wav'));
      expect(sound.seconds).toBeCloseTo(0.25, 1);
      expect(sound.loudest).toBeGreaterThan(0.2);
    },
  );

  test.each(audioFiles)('is converted from $name', async ({ format, bytes, seconds }) => {
    const sound = soundIn(await telephoneWav(bytes(), format));
    // Encoders add some hundredths of a second.
    expect(Math.abs(sound.seconds - seconds)).toBeLessThan(0.1);
    expect(sound.loudest).toBeGreaterThan(0.1);
  });

  test.each(['wav', 'mp3', 'ogg'] as const)('is none when %s cannot be decoded', async (format) => {
    expect(await telephoneWav(Buffer.from('OggS nothing of a sound at all, only words'), format)).toBeNull();
  });
});
