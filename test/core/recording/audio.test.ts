import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWav, toInt16 } from '../../../src/core/recording/wav.ts';
import { isWav, readWavHead, type WavHead } from '../../../src/core/recording/wav-head.ts';
import { storedAudio } from '../../../src/core/recording/stored-audio.ts';
import { mp3File, oggFile, opusHead, sweep, vorbisHead, wavFile } from '../../fixtures/audio-files.ts';
import { pbxSound, soundOfPrompt } from '../../../src/core/recording/pbx-sound.ts';
import { readAudio } from '../../../src/core/recording/read-audio.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

interface Parts {
  readonly codec?: number;
  readonly channels?: number;
  readonly bits?: number;
  readonly rate?: number;
  /** What the head says of a block; default: the right size. */
  readonly block?: number;
  readonly data?: Buffer;
  /** What the head says; default: the right one. */
  readonly size?: number;
  readonly riff?: 'RIFF' | 'RF64' | 'BW64';
  /** Chunks in this order; `data` and `fmt ` are the file's own. */
  readonly order?: readonly (string | Buffer)[];
  /** After the first 16 bytes of the format. */
  readonly extra?: Buffer;
}

function chunk(tag: string, content: Buffer, size = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(tag, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Two channels of 16 bits with two samples each, unless something else is asked for. */
function wavOf({ codec = 1, channels = 2, bits = 16, rate = 8000, ...parts }: Parts = {}): Uint8Array {
  const { data = sixteen, size = data.length, riff = 'RIFF', order = ['fmt ', 'data'] } = parts;
  const form = Buffer.alloc(16);
  form.writeUInt16LE(codec, 0);
  form.writeUInt16LE(channels, 2);
  form.writeUInt32LE(rate, 4);
  form.writeUInt32LE((rate * channels * bits) / 8, 8);
  form.writeUInt16LE(parts.block ?? (channels * bits) / 8, 12);
  form.writeUInt16LE(bits, 14);
  const own: Record<string, Buffer> = {
    'fmt ': chunk('fmt ', Buffer.concat([form, parts.extra ?? Buffer.alloc(0)])),
    data: chunk('data', data, size),
  };
  const chunks = Buffer.concat(order.map((one) => (typeof one === 'string' ? own[one]! : one)));
  const head = Buffer.alloc(8);
  head.write(riff, 'latin1');
  head.writeUInt32LE(riff === 'RIFF' ? chunks.length + 4 : 0xffff_ffff, 4);
  return new Uint8Array(Buffer.concat([head, latin1('WAVE'), chunks]));
}

function headOf(file: Uint8Array): WavHead {
  const head = readWavHead(file);
  if (!head.ok) throw new Error(JSON.stringify(head.refusal));
  return head.value;
}

/** The long form: the real codec is in an identifier (WAVEFORMATEXTENSIBLE). */
function longForm(codec: number, bits: number): Buffer {
  const extra = Buffer.alloc(24);
  extra.writeUInt16LE(22, 0);
  extra.writeUInt16LE(bits, 2);
  extra.writeUInt16LE(codec, 8);
  Buffer.from('000000001000800000aa00389b71', 'hex').copy(extra, 10);
  return extra;
}

function sizes64(dataBytes: number): Buffer {
  const content = Buffer.alloc(28);
  content.writeBigUInt64LE(BigInt(dataBytes), 8);
  return chunk('ds64', content);
}

const eight = Buffer.from([0x80, 0xff, 0xc0, 0x40]);
const sixteen = Buffer.from(Int16Array.from([0, 32_767, 16_384, -16_384]).buffer);
const twentyFour = Buffer.from([0, 0, 0, 0xff, 0xff, 0x7f, 0, 0, 0x40, 0, 0, 0xc0]);
const thirtyTwo = Buffer.from(Int32Array.from([0, 2_147_483_647, 2 ** 30, -(2 ** 30)]).buffer);
const floats = Buffer.from(Float32Array.from([0, 1, 0.5, -0.5]).buffer);
const doubles = Buffer.from(Float64Array.from([0, 1, 0.5, -0.5]).buffer);
const muLaw = Buffer.from([0xff, 0x80, 0x90, 0x10]);
const aLaw = Buffer.from([0xd5, 0xaa, 0xba, 0x3a]);
const list = chunk('LIST', latin1('abc'));
/** Without the byte that fills it up: some programs forget it. */
const unfilled = chunk('LIST', latin1('abc')).subarray(0, 11);

describe('a WAV file', () => {
  it.each([
    ['8 bits', wavOf({ bits: 8, data: eight }), true],
    ['16 bits', wavOf(), true],
    ['24 bits', wavOf({ bits: 24, data: twentyFour }), true],
    ['32 bits', wavOf({ bits: 32, data: thirtyTwo }), true],
    ['32-bit floats', wavOf({ codec: 3, bits: 32, data: floats }), true],
    ['64-bit floats', wavOf({ codec: 3, bits: 64, data: doubles }), false],
    ['A-law', wavOf({ codec: 6, bits: 8, data: aLaw }), true],
    ['µ-law', wavOf({ codec: 7, bits: 8, data: muLaw }), true],
    ['the long form', wavOf({ codec: 0xfffe, extra: longForm(1, 16) }), true],
    ['the long form of A-law', wavOf({ codec: 0xfffe, bits: 8, data: aLaw, extra: longForm(6, 8) }), false],
    ['RF64', wavOf({ riff: 'RF64', size: 0xffff_ffff, order: [sizes64(8), 'fmt ', 'data', list] }), false],
    ['BW64', wavOf({ riff: 'BW64', size: 0xffff_ffff, order: [sizes64(8), 'fmt ', 'data', list] }), false],
    ['data before the format', wavOf({ order: ['data', list, 'fmt '] }), false],
    ['other chunks around', wavOf({ order: [list, 'fmt ', list, 'data', list] }), true],
    ['an odd chunk that is not filled up', wavOf({ order: [unfilled, 'fmt ', unfilled, 'data'] }), true],
    // A pipe: ffmpeg writes the largest size, some recorders 0, SoX 0x7ffff000 (github.com/kaldi-asr/kaldi/issues/1567).
    ['a size of 0', wavOf({ size: 0 }), false],
    ['the largest size', wavOf({ size: 0xffff_ffff }), false],
    ['a size of SoX in a pipe', wavOf({ size: 0x7fff_f000 }), false],
    // rmbrone/flutter_audio_recorder#11, pdeljanov/Symphonia#409.
    ['the size of a block of one channel', wavOf({ block: 2 }), false],
    ['the size of a block in bits', wavOf({ block: 32 }), false],
    ['half the size of a block of floats', wavOf({ codec: 3, bits: 32, block: 4, data: floats }), false],
    ['the bits of a float wrong', wavOf({ codec: 3, bits: 16, block: 8, data: floats }), false],
    ['half a sample at its end', wavOf({ data: Buffer.concat([sixteen, Buffer.from([1])]) }), true],
  ])('is read with %s', (_what, file, isPlain) => {
    expect(isWav(file)).toBe(true);
    const head = headOf(file);
    expect(head.isPlain).toBe(isPlain);
    const { samples, rate } = readWav(file, head);
    expect(rate).toBe(8000);
    expect(samples.map(({ length }) => length)).toEqual([2, 2]);
    for (const [place, one] of [0, 0.5].entries()) expect(samples[0]![place]).toBeCloseTo(one, 1);
    for (const [place, one] of [1, -0.5].entries()) expect(samples[1]![place]).toBeCloseTo(one, 1);
  });

  // What SoX decodes them to: `sox sweep-gsm.wav -D -t s16 - | sha256sum`.
  it.each([
    ['gsm', 'b6e1b8a20e6bb9f5'],
    ['ima', '2b5f4fa7cc78cad5'],
    ['ms', 'd928d26d49a98bf4'],
    ['ima-stereo', 'a869cdb1a0010fca'],
    ['ms-stereo', '69472b94f71cac90'],
    ['alaw', 'f76e6a1c0e031051'],
  ])('in %s is decoded to exactly the samples that its encoder meant', (codec, digest) => {
    const file = sweep(codec);
    const { samples } = readWav(file, headOf(file));
    const length = samples[0]!.length;
    const decoded = Int16Array.from(
      { length: length * samples.length },
      (_, nth) => samples[nth % samples.length]![Math.floor(nth / samples.length)]! * 32_768,
    );
    expect(createHash('sha256').update(decoded).digest('hex').slice(0, 16)).toBe(digest);
  });

  it.each([
    [
      'the size of its samples',
      wavOf({ size: 0, data: Buffer.alloc(0), order: ['fmt ', 'data', list] }),
      'wav_empty',
    ],
    ['a format', wavOf({ order: ['data'] }), 'wav_damaged'],
    ['samples', wavOf({ order: ['fmt '] }), 'wav_damaged'],
    ['channels', wavOf({ channels: 0 }), 'wav_damaged'],
    ['a whole byte for each sample', wavOf({ bits: 12 }), 'wav_damaged'],
    ['one meaning of 24 bits in four bytes', wavOf({ bits: 24, block: 8 }), 'wav_damaged'],
    ['one meaning of 16 bits in four bytes', wavOf({ block: 8 }), 'wav_damaged'],
    ['the size of a block of A-law', wavOf({ codec: 6, bits: 8, block: 1 }), 'wav_damaged'],
    ['the identifier of its long form', wavOf({ codec: 0xfffe }), 'wav_damaged'],
  ])('is refused without %s', (_what, file, code) => {
    expect(readWavHead(file)).toEqual({ ok: false, refusal: { code } });
  });

  it('is refused with the number of a codec that is not known', () => {
    expect(readWavHead(wavOf({ codec: 0x45 }))).toEqual({
      ok: false,
      refusal: { code: 'wav_codec', codec: 0x45 },
    });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 128, -(2 ** 1000)])(
    'is silent where it has %d',
    (value) => {
      const data = Buffer.from(Float64Array.of(0.5, value).buffer);
      const file = wavOf({ codec: 3, bits: 64, data });
      const { samples } = readWav(file, headOf(file));
      expect(samples).toEqual([Float32Array.of(0.5), Float32Array.of(0)]);
    },
  );

  it('is read whatever its bytes are, and never has a sample that is no number', () => {
    const whole = [
      wavOf(),
      ...['gsm', 'ima-stereo', 'ms-stereo'].map(sweep),
      wavOf({ codec: 3, bits: 64, data: doubles }),
    ];
    const change = fc.tuple(fc.nat(2200), fc.nat(255));
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.array(change, { maxLength: 8 }),
        fc.nat(2200),
        (file, changes, end) => {
          const copy = file.slice(0, end);
          for (const [place, value] of changes) if (place < copy.length) copy[place] = value;
          const head = isWav(copy) ? readWavHead(copy) : null;
          if (head?.ok !== true || head.value.codec === 'mp3') return;
          const { samples } = readWav(copy, head.value);
          expect(samples.every((one) => one.every(Number.isFinite))).toBe(true);
        },
      ),
    );
  });
});

describe('what is stored of an upload', () => {
  const storedOf = (upload: Uint8Array) => {
    const stored = storedAudio(upload);
    if (!stored.ok) throw new Error(JSON.stringify(stored.refusal));
    return stored.value;
  };

  it.each([
    ['a plain WAV file', wavOf()],
    ['A-law', sweep('alaw')],
    ['MP3 behind an ID3 tag', mp3File(5, { id3Bytes: 40 })],
  ])('is the upload itself: %s', (_what, upload) => {
    expect(Buffer.from(storedOf(upload).bytes).equals(Buffer.from(upload))).toBe(true);
  });

  it.each(['gsm', 'ima', 'ms', 'ima-stereo', 'ms-stereo'])(
    'is a WAV file of 16 bits and one channel: %s',
    (codec) => {
      const { bytes, format, durationMs } = storedOf(sweep(codec));
      const head = headOf(bytes);
      expect([format, head.codec, head.channels, head.isPlain]).toEqual(['wav', 'int16', 1, true]);
      const [samples] = readWav(bytes, head).samples;
      expect(Math.abs((samples!.length / 8000) * 1000 - durationMs!)).toBeLessThan(1);
      const energy = Math.sqrt(samples!.reduce((sum, one) => sum + one * one, 0) / samples!.length);
      expect(toInt16(energy)).toBeGreaterThan(4000);
    },
  );

  it('has a head that is right where that of the upload was not', () => {
    for (const upload of [wavOf({ size: 0 }), wavOf({ order: ['data', 'fmt '] })]) {
      const head = headOf(storedOf(upload).bytes);
      expect([head.isPlain, head.bytes]).toEqual([true, 4]);
    }
  });

  it('is the MP3 file that a WAV file contains', () => {
    const inside = mp3File(20);
    const stored = storedOf(wavOf({ codec: 0x55, bits: 8, data: Buffer.from(inside) }));
    expect([stored.format, stored.durationMs]).toEqual(['mp3', 522]);
    expect(Buffer.from(stored.bytes).equals(Buffer.from(inside))).toBe(true);
  });

  it('is an MP3 file without the zeros before it', () => {
    const upload = new Uint8Array(Buffer.concat([Buffer.alloc(731), mp3File(3)]));
    expect(Buffer.from(storedOf(upload).bytes).equals(Buffer.from(mp3File(3)))).toBe(true);
  });

  it('is an MP3 file without a tag whose size is wrong', () => {
    const tagged = mp3File(5, { id3Bytes: 500 });
    tagged.fill(0x41, 10, 510);
    tagged.set([0, 20], 8);
    expect(Buffer.from(storedOf(tagged).bytes).equals(Buffer.from(mp3File(5)))).toBe(true);
  });

  it('is nothing when it would be larger than the limit, and then nothing is decoded', () => {
    const blocks = Buffer.alloc(65 * 33_000);
    const gsm = Buffer.from(sweep('gsm'));
    const upload = Buffer.concat([gsm.subarray(0, 60), blocks]);
    upload.writeUInt32LE(blocks.length, 56);
    expect(storedAudio(upload)).toEqual({
      ok: false,
      refusal: { code: 'too_long', bytes: 44 + 33_000 * 640 },
    });
  });
});

it.each([
  ['custom/welcome', 'custom/welcome'],
  ['vm-goodbye', 'vm-goodbye'],
  ['en/custom/opening_hours.2', 'en/custom/opening_hours.2'],
  // Asterisk adds the ending itself, and finds no `welcome.wav.wav`.
  ['custom/welcome.wav', 'custom/welcome'],
  ['custom/welcome.WAV', 'custom/welcome'],
  ['custom/welcome.sln16', 'custom/welcome'],
  ['/var/lib/asterisk/sounds/custom/welcome.gsm', '/var/lib/asterisk/sounds/custom/welcome'],
])('the recording %s is a sound of the telephone system', (id, sound) => {
  expect(pbxSound(id)).toBe(sound);
});

it.each([
  '',
  '/',
  '.',
  '../spool/asterisk/voicemail/default/101/INBOX/msg0000',
  'custom/../../spool/asterisk/monitor/call',
  '/var/spool/asterisk/voicemail/default/101/INBOX/msg0000',
  '/var/lib/asterisk/sounds/../../../spool/x',
  'http://192.0.2.1/sound.wav',
  'custom/a&custom/b',
  'custom/a,custom/b',
  'custom/${EXTEN}',
  'custom//a',
  'custom/',
  'a b',
  'ä',
  'a'.repeat(201),
])('no sound is played for the recording %j', (id) => {
  expect(pbxSound(id)).toBeNull();
});

it('a prompt is a sound of the telephone system when it is a recording that is not stored here', () => {
  const stored = new Set(['welcome']);
  expect(soundOfPrompt('recording||bye', stored)).toBe('bye');
  expect(soundOfPrompt('recording||welcome', stored)).toBeNull();
  expect(soundOfPrompt('outbound_tts||custom/welcome', stored)).toBeNull();
  expect(soundOfPrompt('recording||custom/welcome', null)).toBe('custom/welcome');
  expect(soundOfPrompt('recording||welcome', null)).toBeNull();
});

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
    [
      'MP3 behind an ID3 tag with a picture, and what an editor has left behind it',
      joined(mp3File(0, { id3Bytes: 100_000 }), latin1('    padding    '), mp3File(100)),
      { format: 'mp3', durationMs: 2612 },
    ],
    // RealJukebox wrote wrong sizes (github.com/quodlibet/mutagen/issues/526).
    [
      'MP3 behind an ID3 tag whose size is wrong',
      changed(mp3File(100, { id3Bytes: 500 }), 8, 0, 20),
      { format: 'mp3', durationMs: 2612 },
    ],
    // A size that ends within the audio.
    [
      'MP3 behind an ID3 tag whose size is too large',
      changed(mp3File(100, { id3Bytes: 500 }), 8, 8, 100).map((byte, at) =>
        at > 510 && byte === 0 ? 0x55 : byte,
      ),
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
    ['WAV with samples of no bits', changed(wavFile(), 34, 0), 'wav_damaged'],
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
