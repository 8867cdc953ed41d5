import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../src/renderer/recordings/outline.ts';
import {
  audioRefusalText,
  microphoneProblemText,
  recordedAdvice,
  sizeText,
  trimmedText,
  undecodableText,
  usesText,
  waveformText,
} from '../../src/text/menu/recordings-text.ts';
import { lengthText } from '../../src/text/time.ts';
import { together, tone } from '../renderer/recordings/tones.ts';

describe('the text of a sound', () => {
  it('says how long it is, where it sounds and how loud', () => {
    const sound = together(tone(0, 500), tone(440, 1000), tone(0, 500));
    expect(waveformText(outlineOf(sound))).toBe(
      'Waveform: 0:02.0 long, sound from 0:00.5 to 0:01.5, good level.',
    );
    expect(waveformText(outlineOf(tone(440, 300, { loud: 0.03 })))).toContain('low level');
    expect(waveformText(outlineOf(tone(440, 300, { loud: 1 })))).toContain('maximum level');
    expect(waveformText(outlineOf(tone(0, 300)))).toBe('Waveform: 0:00.3 long, silent.');
  });

  it.each([
    [0, '0:00', '0:00.0'],
    [999, '0:01', '0:01.0'],
    [59_960, '1:00', '1:00.0'],
    [61_240, '1:01', '1:01.2'],
    [600_000, '10:00', '10:00.0'],
  ])('writes %d ms like a clock', (ms, seconds, tenths) => {
    expect([lengthText(ms), lengthText(ms, 'tenths')]).toEqual([seconds, tenths]);
  });

  it.each([
    [1, '1 byte'],
    [999, '999 bytes'],
    [1500, '2 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [20_971_520, '21.0 MB'],
  ])('writes %d bytes in the unit that fits', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  it('advises to record again what nobody could hear, and what is distorted', () => {
    expect(recordedAdvice(0.005)).toContain('Almost nothing was heard');
    expect(recordedAdvice(0.3)).toBeNull();
    expect(recordedAdvice(1)).toContain('too loud');
  });
});

it('the text of a refused upload says what is wrong and what to upload', () => {
  expect(audioRefusalText({ code: 'unknown' })).toBe(
    'This is not a WAV, MP3 or Ogg file. Upload a WAV, MP3 or Ogg (Vorbis or Opus) file.',
  );
  expect(audioRefusalText({ code: 'wav_codec', codec: 0x45 })).toBe(
    'The codec of this WAV file (G.726) is not supported. Upload a WAV, MP3 or Ogg (Vorbis or Opus) file.',
  );
  expect(audioRefusalText({ code: 'other_format', format: 'm4a' })).toBe(
    'This is a file in the format m4a. Upload a WAV, MP3 or Ogg (Vorbis or Opus) file. The Recordings window converts m4a, FLAC and WebM when you upload them there.',
  );
  expect(undecodableText({ code: 'other_format', format: 'amr' })).toContain(
    'This browser cannot decode it.',
  );
  expect(audioRefusalText({ code: 'too_long', bytes: 35_000_000 })).toBe(
    'Converted for telephones, this WAV file would have 35.0 MB; the limit is 21.0 MB. Save it as MP3 or Ogg, or shorten it.',
  );
});

describe('the text of what trimming removes', () => {
  it.each([
    [500, 990, 'Removes 0.50 s at the beginning and 0.99 s at the end.'],
    [10, 0, 'Removes 0.01 s at the beginning.'],
    [0, 1000, 'Removes 1.00 s at the end.'],
    [0, 0, null],
  ])('after %d ms at the beginning and %d ms at the end is %j', (startMs, endMs, text) => {
    expect(trimmedText(startMs, endMs)).toBe(text);
  });
});

describe('the text of what a recording is played for', () => {
  it('names each use once, whatever the path of its field', () => {
    expect(usesText('ivr', ['recording', 'invalid_recording'])).toBe('prompt and after a wrong key');
    expect(usesText('draft', ['nodes.m1.timeout_recording', 'nodes.m2.timeout_recording'])).toBe(
      'draft, after the last timeout',
    );
  });
});

describe('the text without a microphone', () => {
  it.each([
    ['NotFoundError', 'Connect one'],
    ['NotReadableError', 'Close that program'],
    ['SecurityError', '127.0.0.1'],
    ['OddError', '(OddError)'],
  ])('tells after %s what to do', (name, words) => {
    expect(microphoneProblemText(name, false)).toContain(words);
    expect(microphoneProblemText(name, true)).toContain(words);
  });

  it('names who has to allow it: the browser, or the system where the app has allowed it already', () => {
    expect(microphoneProblemText('NotAllowedError', false)).toContain('beside the address');
    expect(microphoneProblemText('NotAllowedError', true)).toContain('privacy settings');
  });
});
