import { describe, expect, it } from 'vitest';
import type { RecordingSpeech, VoiceId } from '../../../src/contract/menu/speech.ts';
import { spokenRecordingOf, spokenTextOf } from '../../../src/core/speech/spoken-recording.ts';

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
  return { id, speech: speech === null ? null : { ...usual, ...speech }, created_at: createdAt };
}

const usual = { speech_language: 'en-US', speech_voice: null };

describe('the recording that callers hear for a text', () => {
  it('is one that was spoken of exactly this text', () => {
    const all = [
      recording('uploaded', null),
      recording('other', { text: 'hello' }),
      recording('one', { text: 'Hello' }),
    ];
    expect(spokenRecordingOf(all, 'Hello', usual)).toMatchObject({
      recording: { id: 'one' },
      isAsWanted: true,
    });
    expect(spokenRecordingOf(all, 'Hello ', usual)).toBeNull();
  });

  it('stays as wanted when only the version or the model of its engine is another', () => {
    const wanted = { speech_language: 'en-US', speech_voice: voice('flite/slt') };
    for (const speech of [{ engine_version: '3' }, { model_digest: 'n' }])
      expect(spokenRecordingOf([recording('one', speech)], 'Hello', wanted)?.isAsWanted).toBe(true);
    for (const speech of [{ language: 'en-GB' }, { voice: voice('flite/rms') }])
      expect(spokenRecordingOf([recording('one', speech)], 'Hello', wanted)?.isAsWanted).toBe(false);
  });

  it.each([
    [
      'the wanted voice before another',
      { speech_language: 'en-US', speech_voice: voice('flite/rms') },
      'rms',
      true,
    ],
    ['the oldest of the language without a wanted voice', usual, 'slt', true],
    ['the wanted language before another', { speech_language: 'de-DE', speech_voice: null }, 'german', true],
    [
      'another voice before silence',
      { speech_language: 'en-US', speech_voice: voice('flite/awb') },
      'slt',
      false,
    ],
    ['another language before silence', { speech_language: 'fr-FR', speech_voice: null }, 'german', false],
  ])('is %s', (_what, wanted, id, isAsWanted) => {
    const all = [
      recording('rms', { voice: voice('flite/rms') }, '2026-01-03'),
      recording('slt', {}, '2026-01-02'),
      recording('german', { language: 'de-DE', voice: voice('pico/de-DE') }, '2026-01-01'),
    ];
    for (const order of [all, all.toReversed()])
      expect(spokenRecordingOf(order, 'Hello', wanted)).toMatchObject({ recording: { id }, isAsWanted });
  });

  it('is asked for by spoken prompts only', () => {
    expect(spokenTextOf('outbound_tts||Hello')).toBe('Hello');
    expect(spokenTextOf('recording||42')).toBeNull();
    expect(spokenTextOf('Hello')).toBeNull();
  });
});
