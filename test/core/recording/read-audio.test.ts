import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAudio } from '../../../src/core/recording/read-audio.ts';
import { mp3File, oggFile, opusHead, vorbisHead, wavFile } from '../../fixtures/audio-files.ts';

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const joined = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

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
    ['WAV behind zeros', joined(new Uint8Array(5), wavFile(500)), { format: 'wav', durationMs: 500 }],
    // Windows Sound Recorder writes titles in UTF-16, whose mark looks like a frame (github.com/chmorgan/esp-libhelix-mp3/issues/1).
    [
      'MP3 behind an ID3 tag with what looks like a frame',
      changed(mp3File(100, { id3Bytes: 500 }), 21, 0xff, 0xfe, 0x4d, 0),
      { format: 'mp3', durationMs: 2612 },
    ],
    // github.com/agersant/mp3-duration/pull/8
    [
      'MP3 behind an ID3 tag and zeros that are not in its size',
      joined(mp3File(0, { id3Bytes: 50 }), new Uint8Array(77), mp3File(100)),
      { format: 'mp3', durationMs: 2612 },
    ],
    ['MP3 behind zeros', joined(new Uint8Array(731), mp3File(100)), { format: 'mp3', durationMs: 2612 }],
    [
      'MP3 behind zeros and an ID3 tag',
      joined(new Uint8Array(3), mp3File(100, { id3Bytes: 50 })),
      { format: 'mp3', durationMs: 2612 },
    ],
    // github.com/Serial-ATA/lofty-rs/pull/67
    [
      'MP3 behind bytes that are nothing',
      joined(new Uint8Array(9).fill(0xff), latin1('RJMD'), mp3File(100)),
      { format: 'mp3', durationMs: 2612 },
    ],
    // RealJukebox wrote wrong sizes (github.com/quodlibet/mutagen/issues/526).
    [
      'MP3 behind an ID3 tag whose size is wrong',
      changed(mp3File(100, { id3Bytes: 500 }), 8, 0, 20),
      { format: 'mp3', durationMs: 2612 },
    ],
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
    expect(readAudio(bytes)).toMatchObject({ ok: true, value: facts });
  });

  it.each([
    ['nothing', new Uint8Array(), 'empty'],
    ['HTML', latin1('<!DOCTYPE html><script>alert(1)</script>'), 'unknown'],
    ['zeros', new Uint8Array(1000), 'unknown'],
    ['AVI', latin1('RIFF\0\0\0\0AVI LIST'), 'unknown'],
    ['a WAV head alone', wavFile().subarray(0, 12), 'wav_damaged'],
    ['WAV without samples', wavFile(0), 'wav_empty'],
    ['WAV without data', wavFile().subarray(0, 36), 'wav_damaged'],
    ['WAV with no channels', changed(wavFile(), 22, 0), 'wav_damaged'],
    ['WAV with odd frames', changed(wavFile(), 32, 3), 'wav_damaged'],
    ['an ID3 tag alone', mp3File(0, { id3Bytes: 100 }), 'mp3_damaged'],
    ['half a frame of MP3', mp3File(1).subarray(0, 100), 'unknown'],
    ['Ogg with FLAC', oggFile(changed(new Uint8Array(40), 0, 0x7f, ...latin1('FLAC')), 1n), 'ogg_codec'],
    ['the middle of an Ogg file', changed(oggFile(opusHead(), 1n), 5, 0), 'ogg_damaged'],
    ['Ogg Opus without channels', oggFile(changed(opusHead(), 9, 0), 1n), 'ogg_damaged'],
  ])('is not %s', (_name, bytes, refusal) => {
    expect(readAudio(bytes)).toEqual({ ok: false, refusal: { code: refusal } });
  });

  it.each([
    ['m4a', '\0\0\0 ftypM4A '],
    ['m4a', '\0\0\0\x18ftypmp42'],
    ['flac', 'fLaC\0\0\0"'],
    ['flac', 'ID3\x04\0\0\0\0\0\x02\0\0fLaC'],
    ['webm', '\x1a\x45\xdf\xa3\x9f'],
    ['aiff', 'FORM\0\0\0\0AIFFCOMM'],
    ['aiff', 'FORM\0\0\0\0AIFCFVER'],
    ['aac', '\xff\xf1\x50\x80'],
    ['wma', '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9'],
    ['amr', '#!AMR\n'],
    ['au', '.snd\0\0\0\x18'],
    ['caf', 'caff\0\x01'],
    ['wave64', 'riff\x2e\x91\xcf\x11\xa5\xd6'],
  ])('in another format is known by its name: %s', (format, text) => {
    expect(readAudio(latin1(text))).toEqual({ ok: false, refusal: { code: 'other_format', format } });
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
