import { describe, expect, it } from 'vitest';
import type { RecordingId } from '../../../src/contract/menu/recording.ts';
import type { RecordingSpeech, VoiceId } from '../../../src/contract/menu/speech.ts';
import {
  recordingOfDraft,
  recordingOfPrompt,
  spokenAsOf,
  spokenPrompts,
  spokenRecordingOf,
  spokenTextOf,
  speakTextAs,
} from '../../../src/core/speech/spoken-recording.ts';

const voice = (id: string) => id as VoiceId;

function recording(id: string, speech: Partial<RecordingSpeech> | null, createdAt = '2026-01-01') {
  const usual: RecordingSpeech = {
    text: 'Hello',
    language: 'en-US',
    voice: voice('flite/slt'),
    rate: 1,
    key: id,
    engine_version: '2',
    model_digest: 'm',
    made_at: createdAt,
    automatic: true,
  };
  return {
    id: id as RecordingId,
    speech: speech === null ? null : { ...usual, ...speech },
    created_at: createdAt,
  };
}

const usual = { speech_language: 'en-US', speech_voice: null };

describe('the recording that callers hear for a text', () => {
  it('is one that was spoken of exactly this text', () => {
    const all = [
      recording('uploaded', null),
      recording('other', { text: 'hello' }),
      recording('one', { text: 'Hello' }),
    ];
    expect(spokenRecordingOf(all, 'Hello', usual)).toMatchObject({ id: 'one' });
    expect(spokenRecordingOf(all, 'Hello ', usual)).toBeNull();
  });

  it('stays the oldest when only the version or the model of its engine is another, and gives way to one that is as wanted', () => {
    const wanted = { speech_language: 'en-US', speech_voice: voice('flite/slt') };
    const later = recording('later', {}, '2026-02-01');
    for (const speech of [{ engine_version: '3' }, { model_digest: 'n' }])
      expect(spokenRecordingOf([recording('one', speech), later], 'Hello', wanted)?.id).toBe('one');
    for (const speech of [{ language: 'en-GB' }, { voice: voice('flite/rms') }])
      expect(spokenRecordingOf([recording('one', speech), later], 'Hello', wanted)?.id).toBe('later');
  });

  it.each([
    [
      'the wanted voice before another',
      { speech_language: 'en-US', speech_voice: voice('flite/rms') },
      'rms',
    ],
    ['the oldest of the language without a wanted voice', usual, 'slt'],
    ['the wanted language before another', { speech_language: 'de-DE', speech_voice: null }, 'german'],
    ['another voice before silence', { speech_language: 'en-US', speech_voice: voice('flite/awb') }, 'slt'],
    ['another language before silence', { speech_language: 'fr-FR', speech_voice: null }, 'german'],
  ])('is %s', (_what, wanted, id) => {
    const all = [
      recording('rms', { voice: voice('flite/rms') }, '2026-01-03'),
      recording('slt', {}, '2026-01-02'),
      recording('german', { language: 'de-DE', voice: voice('pico/de-DE') }, '2026-01-01'),
    ];
    for (const order of [all, all.toReversed()])
      expect(spokenRecordingOf(order, 'Hello', wanted)).toMatchObject({ id });
  });

  it('is asked for by spoken prompts only', () => {
    expect(spokenTextOf('outbound_tts||Hello')).toBe('Hello');
    expect(spokenTextOf('recording||42')).toBeNull();
    expect(spokenTextOf('Hello')).toBeNull();
  });
});

describe('a call flow that says how its texts are spoken', () => {
  const spanish = { language: 'es-ES', voice: null };
  const english = recording('english', {});
  const carla = recording('carla', { language: 'es-ES', voice: voice('pico/es-ES') });
  const prompt = 'outbound_tts||Hello';

  it('has its own recording, and another call flow that of the settings', () => {
    const all = [english, carla];
    expect(recordingOfPrompt(all, prompt, spokenAsOf(usual, spanish))?.id).toBe('carla');
    expect(recordingOfPrompt(all, prompt, spokenAsOf(usual, undefined))?.id).toBe('english');
  });

  it('has another one during a call while there is none of its own, and none where it is spoken when it is published', () => {
    const wanted = spokenAsOf(usual, spanish);
    expect(recordingOfPrompt([english], prompt, wanted)?.id).toBe('english');
    expect(recordingOfDraft([english], prompt, wanted)).toBeNull();
    expect(recordingOfDraft([carla], prompt, wanted)?.id).toBe('carla');
    // What the settings say changes nothing before a menu is spoken again.
    expect(recordingOfDraft([carla], prompt, usual)?.id).toBe('carla');
    const otherVoice = spokenAsOf(usual, { ...spanish, voice: voice('piper/es_ES-x') });
    expect(recordingOfDraft([carla], prompt, otherVoice)).toBeNull();
    expect(recordingOfDraft([english], 'recording||english', wanted)?.id).toBe('english');
  });

  it('is asked for with its language and voice, and otherwise without', () => {
    expect(speakTextAs('Hello', spokenAsOf(usual, spanish))).toEqual({ text: 'Hello', ...spanish });
    expect(speakTextAs('Hello', spokenAsOf(usual, undefined))).toEqual({ text: 'Hello' });
  });

  it('counts a text once for each way in which it is spoken', () => {
    const prompts = [undefined, spanish, undefined, spanish].map((speech) => ({ prompt, speech }));
    expect(spokenPrompts([...prompts, { prompt: 'recording||1', speech: spanish }])).toEqual([
      { text: 'Hello', speech: undefined },
      { text: 'Hello', speech: spanish },
    ]);
  });
});
