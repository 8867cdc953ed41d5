import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAudio } from '../../../src/core/recording/read-audio.ts';
import { mp3File, oggFile, opusHead, vorbisHead, wavFile } from '../../fixtures/audio-files.ts';

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

function changed(bytes: Uint8Array, place: number, ...values: number[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(values, place);
  return copy;
}

describe('audio', () => {
  it.each([
    ['WAV', wavFile(500), { format: 'wav', durationMs: 500 }],
    [
      'WAV from a pipe',
      changed(wavFile(500), 40, 0xff, 0xff, 0xff, 0xff),
      { format: 'wav', durationMs: 500 },
    ],
    ['WAV in A-law', changed(wavFile(500), 20, 6), { format: 'wav', durationMs: 500 }],
    ['MP3', mp3File(100), { format: 'mp3', durationMs: 2612 }],
    ['MP3 of one frame', mp3File(1), { format: 'mp3', durationMs: 26 }],
    ['MP3 behind an ID3 tag', mp3File(100, { id3Bytes: 500 }), { format: 'mp3', durationMs: 2612 }],
    [
      'MP3 before an ID3 tag',
      Uint8Array.from([...mp3File(10), ...latin1('TAG'), ...new Uint8Array(125)]),
      { format: 'mp3', durationMs: 261 },
    ],
    ['Ogg Opus', oggFile(opusHead(), 48_000n + 312n), { format: 'ogg', durationMs: 1000 }],
    ['Ogg Vorbis', oggFile(vorbisHead(), 88_200n), { format: 'ogg', durationMs: 2000 }],
    ['Ogg without an end', oggFile(opusHead(), 0xffff_ffff_ffff_ffffn), { format: 'ogg', durationMs: null }],
    [
      'MP3 with something else in it',
      Uint8Array.from([...mp3File(10), ...new Uint8Array(5000), ...mp3File(10)]),
      { format: 'mp3', durationMs: null },
    ],
  ])('is known by its content: %s', (_name, bytes, facts) => {
    expect(readAudio(bytes)).toEqual({ ok: true, value: facts });
  });

  it.each([
    ['nothing', new Uint8Array(), 'an empty file'],
    ['a PDF', latin1('%PDF-1.7\n'), 'a PDF file'],
    ['a ZIP', latin1('PK\x03\x04\x14\0'), 'a ZIP archive'],
    ['WebM', latin1('\x1aE\xdf\xa3\x01'), 'a WebM or Matroska file'],
    ['MP4', latin1('\0\0\0 ftypisom'), 'an MP4 file'],
    ['HTML', latin1('<!DOCTYPE html><script>alert(1)</script>'), 'a web page'],
    ['SVG', latin1('<?xml version="1.0"?><svg xmlns="x"/>'), 'an SVG picture'],
    ['a text', latin1('RIFf is not it'), 'a text'],
    ['zeros', new Uint8Array(1000), 'a file of zero bytes'],
    ['AVI', latin1('RIFF\0\0\0\0AVI LIST'), 'a RIFF file, but not a WAV file'],
    ['a WAV head alone', wavFile().subarray(0, 12), 'a WAV file without a fmt chunk'],
    ['WAV without samples', wavFile(0), 'a WAV file without a sound in it'],
    ['WAV without data', wavFile().subarray(0, 36), 'a WAV file without audio data'],
    ['WAV with no channels', changed(wavFile(), 22, 0), 'makes no sense'],
    ['WAV with odd frames', changed(wavFile(), 32, 3), 'makes no sense'],
    ['WAV with a strange codec', changed(wavFile(), 20, 0x99), 'a codec that is not known'],
    ['an ID3 tag alone', mp3File(0, { id3Bytes: 100 }), 'an ID3 tag without MP3 audio behind it'],
    ['half a frame of MP3', mp3File(1).subarray(0, 100), 'no whole frame behind it'],
    [
      'Ogg with video',
      oggFile(changed(new Uint8Array(40), 0, 0x80, ...latin1('theora')), 1n),
      'video (Theora)',
    ],
    ['Ogg with FLAC', oggFile(changed(new Uint8Array(40), 0, 0x7f, ...latin1('FLAC')), 1n), 'with FLAC'],
    ['the middle of an Ogg file', changed(oggFile(opusHead(), 1n), 5, 0), 'whose beginning is missing'],
  ])('is not %s', (_name, bytes, words) => {
    const read = readAudio(bytes);
    expect(read.ok).toBe(false);
    expect(read.ok ? '' : read.refusal).toContain(words);
    expect(read.ok ? '' : read.refusal).toMatch(/^This is (?:an?|the) .*\. Bring a WAV, MP3 or Ogg/s);
  });

  it('is judged whatever the bytes are, and a duration is never less than nothing', () => {
    const beginnings = [wavFile(50), mp3File(3), mp3File(2, { id3Bytes: 20 }), oggFile(opusHead(), 9n)];
    const damaged = fc
      .tuple(fc.constantFrom(...beginnings), fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 8 }))
      .map(([bytes, changes]) => {
        const copy = Uint8Array.from(bytes);
        for (const [place, value] of changes) if (place < copy.length) copy[place] = value;
        return copy;
      });
    fc.assert(
      fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), fc.nat(900), (bytes, end) => {
        const read = readAudio(bytes.subarray(0, end));
        if (read.ok && read.value.durationMs !== null)
          expect(read.value.durationMs).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
