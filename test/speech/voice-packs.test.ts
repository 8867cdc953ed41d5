import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { VoiceId } from '../../src/contract/menu/speech.ts';
import type { VoicePackProblem } from '../../src/contract/menu/voice-pack.ts';
import { EngineFailure } from '../../src/core/speech/speaker.ts';
import { PiperEngine, type PiperEngineOptions } from '../../src/speech/piper-engine.ts';
import { VoicePackFolder, type VoicePackFolderParts } from '../../src/speech/voice-pack-folder.ts';
import type { PinnedVoice } from '../../src/speech/voice-sources.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { archiveOf, archiveOfEntries, testRuntime, testVoice } from '../fixtures/piper-voice.ts';

const voice = 'piper/en_US-tones-low' as VoiceId;
const never = new AbortController().signal;
const { runtime, archive: runtimeArchive } = await testRuntime();
const voiceArchive = await archiveOf(testVoice());

const pinned: PinnedVoice = {
  voice,
  name: 'tones-low',
  language: 'en-US',
  licence: 'CC0',
  url: 'https://example.com/vits-piper-en_US-tones-low.tar.gz',
  bytes: voiceArchive.length,
  sha256: hash('sha256', voiceArchive, 'hex'),
};

/** A web server: what it has at an address, or how it fails. */
type Web = Readonly<Record<string, (signal: AbortSignal | null) => Promise<Response> | Response>>;

const wholeWeb: Web = {
  [runtime.url]: () => answer(runtimeArchive),
  [pinned.url]: () => answer(voiceArchive),
};

function answer(bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes));
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
}

function openPacks(web: Web = wholeWeb, parts: Partial<VoicePackFolderParts> = {}) {
  const folder = join(makeFolder(), 'voices');
  const asked: string[] = [];
  const fetch = (async (url: string, init?: { signal?: AbortSignal }) => {
    asked.push(url);
    return (await web[url]?.(init?.signal ?? null)) ?? new Response('', { status: 404 });
  }) as typeof globalThis.fetch;
  const packs = new VoicePackFolder({ folder, fetch, runtime, voices: [pinned], clock: () => 0, ...parts });
  const add = (bytes: Uint8Array) => packs.add(inChunks(bytes), never);
  const left = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return { packs, folder, asked, add, left };
}

function openEngine(packs: VoicePackFolder, options?: PiperEngineOptions): PiperEngine {
  const engine = new PiperEngine(packs, options);
  onTestFinished(() => engine.close());
  return engine;
}

/** With one byte changed. */
function changed(bytes: Uint8Array, at: number): Uint8Array {
  const other = Uint8Array.from(bytes);
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

describe('adding a voice', () => {
  it('reads no more than the beginning of its card', async () => {
    const { add } = openPacks();
    const card = `${'\n'.repeat(100_000)}License: MIT\n`;
    expect(await add(await archiveOf({ ...testVoice(), MODEL_CARD: card }))).toMatchObject({
      ok: true,
      value: { pack: { licence: null } },
    });
  });

  it('installs an archive, with the runtime before the first one, and names what its card says', async () => {
    const { packs, add, asked, left } = openPacks();
    expect(await packs.voices()).toEqual([]);
    expect(await add(voiceArchive)).toEqual({
      ok: true,
      value: {
        pack: {
          voice,
          name: 'tones-low',
          language: 'en-US',
          licence: 'CC0',
          bytes: Object.values(testVoice()).join('').length,
          model_digest: hash('sha256', 'tones', 'hex'),
          added_at: '1970-01-01T00:00:00.000Z',
          problem: null,
        },
        runtimeAdded: true,
      },
    });
    expect(asked).toEqual([runtime.url]);
    expect(left().sort()).toEqual(['en_US-tones-low', 'runtime-1.13.8']);
    expect(await packs.voices()).toMatchObject([
      {
        id: voice,
        language: 'en-US',
        quality: 'natural',
        engine: 'piper',
        engine_version: '1.13.8',
        licence: 'CC0',
      },
    ]);
    expect(await packs.list()).toMatchObject({
      packs: [{ voice }],
      offered: [],
      runtime: { installed: true },
    });
    expect(await add(voiceArchive), 'the same again').toMatchObject({
      ok: true,
      value: { runtimeAdded: false },
    });
  });

  describe('from a zip', () => {
    const files = Object.fromEntries(
      Object.entries(testVoice()).map(([path, body]) => [
        `vits-piper-en_US-tones-low/${path}`,
        Buffer.from(body),
      ]),
    );

    it.each([
      ['packed', 6],
      ['stored', 0],
    ] as const)('with %s entries', async (_what, level) => {
      const { add } = openPacks();
      expect(await add(zipSync(files, { level }))).toMatchObject({ ok: true, value: { pack: { voice } } });
    });

    it('that is cut off or has one changed byte is refused, or gives the very same voice', () =>
      expectSame(4));

    it('does so wherever the byte is', { tags: ['long'] }, () => expectSame(24));

    /** So many bytes are changed, each in a zip of its own. */
    async function expectSame(count: number): Promise<void> {
      const whole = zipSync({
        ...files,
        'vits-piper-en_US-tones-low/README.md': Buffer.alloc(3000, 'abcdefg'),
      });
      const { packs, add } = openPacks({});
      await add(runtimeArchive);
      const changes = Array.from({ length: count }, (_one, nth) =>
        changed(whole, nth * Math.floor(whole.length / count)),
      );
      const cuts = [10, 100, whole.length - 30, whole.length - 1].map((end) => whole.subarray(0, end));
      let refused = 0;
      for (const bytes of [...cuts, ...changes]) {
        const made = await add(bytes);
        if (made.ok) expect(await packs.remove(made.value.pack?.voice ?? voice)).toMatchObject({ ok: true });
        else refused += 1;
      }
      expect(refused).toBeGreaterThan(changes.length / 2);
    }
  });

  it('installs without a network once the runtime was added from its file', async () => {
    const { add, asked } = openPacks({});
    expect(await add(runtimeArchive)).toEqual({ ok: true, value: { pack: null, runtimeAdded: true } });
    expect(await add(voiceArchive)).toMatchObject({ ok: true, value: { runtimeAdded: false } });
    expect(asked).toEqual([]);
  });

  it('downloads a voice of the list, and tells how far it is', async () => {
    const { packs, asked } = openPacks({
      ...wholeWeb,
      [pinned.url]: () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(new Uint8Array(voiceArchive.subarray(0, 10)));
              await expect
                .poll(async () => (await packs.list()).downloading)
                .toEqual({ voice, received: 10, bytes: pinned.bytes });
              controller.enqueue(new Uint8Array(voiceArchive.subarray(10)));
              controller.close();
            },
          }),
        ),
    });
    expect(await packs.list()).toMatchObject({
      offered: [{ voice, bytes: pinned.bytes, licence: 'CC0' }],
      runtime: { installed: false },
    });
    expect(await packs.download(voice, never)).toMatchObject({ ok: true, value: { pack: { voice } } });
    expect(asked).toEqual([pinned.url, runtime.url]);
    expect(await packs.list()).toMatchObject({ offered: [], downloading: null });
  });

  it('adds one at a time', async () => {
    const { packs, add } = openPacks();
    const first = add(voiceArchive);
    expect(await packs.download(voice, never)).toEqual({ ok: false, refusal: { kind: 'busy' } });
    expect(await first).toMatchObject({ ok: true });
  });
});

describe('what is refused, and changes nothing', () => {
  const large = 'x'.repeat(3_000_000);
  const link = (type: 'symlink' | 'link') =>
    archiveOfEntries([{ header: { name: 'v/tokens.txt', type, linkname: '/etc/passwd', size: 0 } }]);
  const named = (name: string) => archiveOfEntries([{ header: { name, size: 1 }, body: 'x' }]);
  const path = (entry: string): VoicePackProblem => ({ kind: 'unsafe_entry', entry, fault: 'path' });

  const cases: Readonly<Record<string, [() => Promise<Uint8Array> | Uint8Array, Partial<VoicePackProblem>]>> =
    {
      'something else': [() => Buffer.from('RIFF, a sound'), { kind: 'not_archive' }],
      nothing: [() => new Uint8Array(0), { kind: 'not_archive' }],
      'half an archive': [
        () => voiceArchive.subarray(0, voiceArchive.length / 2),
        { kind: 'damaged_archive' },
      ],
      'one changed byte': [
        () => changed(voiceArchive, Math.floor(voiceArchive.length / 2)),
        { kind: 'damaged_archive' },
      ],
      'a checksum that differs': [
        () => changed(voiceArchive, voiceArchive.length - 8),
        { kind: 'damaged_archive' },
      ],
      'a folder above': [() => named('v/../../etc/x'), path('v/../../etc/x')],
      'an absolute path': [() => named('/etc/x'), path('/etc/x')],
      'a path of Windows': [() => named('v\\..\\x'), path('v\\..\\x')],
      'a stream of Windows': [() => named('v/tokens.txt:x'), path('v/tokens.txt:x')],
      'a device of Windows': [() => named('v/NUL.onnx'), path('v/NUL.onnx')],
      'a line break': [() => named('v/a\nb'), path('v/a\nb')],
      'a symbolic link': [() => link('symlink'), { kind: 'unsafe_entry', fault: 'link' }],
      'a hard link': [() => link('link'), { kind: 'unsafe_entry', fault: 'link' }],
      'a device': [
        () => archiveOfEntries([{ header: { name: 'v/null', type: 'character-device', size: 0 } }]),
        { kind: 'unsafe_entry', fault: 'special' },
      ],
      'a file twice': [
        () =>
          archiveOfEntries([
            { header: { name: 'v/tokens.txt', size: 1 }, body: 'x' },
            { header: { name: 'v/TOKENS.txt', size: 1 }, body: 'y' },
          ]),
        { kind: 'unsafe_entry', fault: 'twice' },
      ],
      'a file that is a folder, too': [
        () =>
          archiveOfEntries([
            { header: { name: 'v/espeak-ng-data', size: 1 }, body: 'x' },
            { header: { name: 'v/espeak-ng-data/phontab', size: 1 }, body: 'y' },
          ]),
        { kind: 'unsafe_entry', fault: 'twice' },
      ],
      'a few bytes that unpack to millions': [
        () => archiveOf({ ...testVoice(), 'tokens.txt': large }),
        { kind: 'too_large', most_bytes: 1_000_000 },
      ],
      'millions where nobody looks': [
        () => archiveOf({ ...testVoice(), 'samples/hello.wav': large }),
        { kind: 'too_large', most_bytes: 1_000_000 },
      ],
      'thousands of entries': [
        () =>
          archiveOfEntries(
            Array.from({ length: 5001 }, (_one, nth) => ({ header: { name: `v/${nth}`, size: 0 } })),
          ),
        { kind: 'too_large' },
      ],
      'an archive without a model': [
        () => archiveOf({ 'tokens.txt': 'x' }),
        { kind: 'not_voice', missing: 'model' },
      ],
      'a voice without phonemes': [
        () => archiveOf({ 'en_US-tones-low.onnx': 'tones', 'tokens.txt': 'x' }),
        { kind: 'not_voice', missing: 'espeak-ng-data/phontab' },
      ],
      'a voice without a name': [() => archiveOf(testVoice('model'), 'voice'), { kind: 'not_voice' }],
      'a model that does not speak': [
        () => archiveOf(testVoice('en_US-tones-low', 'other')),
        { kind: 'model_fails' },
      ],
      'a model that reads other files': [
        () => archiveOf(testVoice('en_US-tones-low', 'tones\n\x08location\x12\x0b/etc/passwd')),
        { kind: 'model_fails' },
      ],
    };

  it.each(Object.keys(cases))('%s', async (name) => {
    const [make, problem] = cases[name] ?? [() => new Uint8Array(0), {}];
    const { packs, add, left } = openPacks(wholeWeb, { limits: { unpackedBytes: 1_000_000 } });
    expect(await add(await make())).toMatchObject({ ok: false, refusal: problem });
    // What it was tried with is of use for the next one.
    expect(left()).toEqual(problem.kind === 'model_fails' ? ['runtime-1.13.8'] : []);
    expect(await packs.voices()).toEqual([]);
  });

  it('an archive that is larger than it may be', async () => {
    const { add, left } = openPacks(wholeWeb, { limits: { packedBytes: 100 } });
    expect(await add(voiceArchive)).toEqual({ ok: false, refusal: { kind: 'too_large', most_bytes: 100 } });
    expect(left()).toEqual([]);
  });

  it('an archive that takes too long to unpack, which is ended', async () => {
    const { packs, add, left } = openPacks(wholeWeb, { limits: { unpackingMs: 1 } });
    const archive = await archiveOf({ ...testVoice(), 'samples/hello.wav': 'x'.repeat(50_000_000) });
    expect(await add(archive)).toEqual({ ok: false, refusal: { kind: 'too_slow', limit_ms: 1 } });
    expect(left()).toEqual([]);
    expect(await packs.voices()).toEqual([]);
  });

  it('what is aborted while it is unpacked', async () => {
    const { packs, folder, left } = openPacks();
    const archive = await archiveOf({ ...testVoice(), 'samples/hello.wav': 'x'.repeat(300_000_000) });
    const ending = new AbortController();
    const added = packs.add(inChunks(archive), ending.signal);
    const unpacked = () => left().flatMap((name) => readdirSync(join(folder, name)));
    await expect.poll(unpacked, { interval: 5 }).toContain('voice');
    ending.abort(new Error('nobody waits'));
    await expect(added).rejects.toThrow('nobody waits');
    expect(left()).toEqual([]);
  });

  it('another model for a voice that is there', async () => {
    const { packs, add } = openPacks();
    await add(voiceArchive);
    const before = await packs.voices();
    expect(await add(await archiveOf(testVoice('en_US-tones-low', 'tones ')))).toEqual({
      ok: false,
      refusal: { kind: 'id_taken', voice },
    });
    expect(await packs.voices()).toEqual(before);
  });

  it.each<[string, Web, Partial<VoicePackProblem>]>([
    ['is not there', {}, { kind: 'not_downloaded', url: pinned.url, error: 'HTTP 404' }],
    [
      'cannot be reached',
      {
        [pinned.url]: () =>
          Promise.reject(
            new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }),
          ),
      },
      { kind: 'not_downloaded', error: 'ENOTFOUND' },
    ],
    [
      'has one changed byte',
      { [pinned.url]: () => answer(changed(voiceArchive, 20)) },
      { kind: 'wrong_file', expected: pinned.sha256 },
    ],
    ['is half of it', { [pinned.url]: () => answer(voiceArchive.subarray(0, 100)) }, { kind: 'wrong_file' }],
    [
      'is longer',
      { [pinned.url]: () => answer(Buffer.concat([voiceArchive, voiceArchive])) },
      { kind: 'too_large' },
    ],
    [
      'stands still',
      {
        [pinned.url]: (signal) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      },
      { kind: 'not_downloaded', error: 'TIMEOUT' },
    ],
  ])('a download that %s', async (_name, web, problem) => {
    const { packs, left } = openPacks(web, { limits: { standstillMs: 50 } });
    expect(await packs.download(voice, never)).toMatchObject({ ok: false, refusal: problem });
    expect(left()).toEqual([]);
  });

  it('a voice without its runtime', async () => {
    const { add, left } = openPacks({ [runtime.url]: () => answer(changed(runtimeArchive, 20)) });
    expect(await add(voiceArchive)).toMatchObject({
      ok: false,
      refusal: { kind: 'wrong_file', name: 'runtime.tgz' },
    });
    expect(left()).toEqual([]);
  });

  it('what is aborted', async () => {
    const ending = new AbortController();
    const { packs, left } = openPacks({
      [pinned.url]: (signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
          ending.abort(new Error('nobody waits'));
        }),
    });
    await expect(packs.download(voice, ending.signal)).rejects.toThrow('nobody waits');
    expect(left()).toEqual([]);
    expect(await packs.add(inChunks(voiceArchive), never), 'another one can be added').toMatchObject({
      ok: false,
    });
  });

  it('a voice that nobody offers or has', async () => {
    const { packs } = openPacks();
    const other = 'piper/xx_XX-nobody-low' as VoiceId;
    expect(await packs.download(other, never)).toEqual({
      ok: false,
      refusal: { kind: 'not_offered', voice: other },
    });
    expect(await packs.remove(other)).toEqual({
      ok: false,
      refusal: { kind: 'not_installed', voice: other },
    });
  });
});

describe('an added voice', () => {
  const part = { text: 'Welcome to Example.', voice, rate: 1 };

  it('speaks in a worker that ends after a while without work', async () => {
    const { packs, add } = openPacks();
    await add(voiceArchive);
    const engine = openEngine(packs, { idleMs: 20 });
    expect(engine.isLoaded).toBe(false);
    const { samples, rate } = await engine.speak(part, never);
    expect([samples.length, rate]).toEqual([part.text.length * 1200, 16_000]);
    expect((await engine.speak({ ...part, rate: 2 }, never)).samples).toHaveLength(part.text.length * 600);
    await expect.poll(() => engine.isLoaded).toBe(false);
  });

  it.each([
    ['crashes', 'crash', 'ended'],
    ['never ends', 'forever', 'too_late'],
  ])('that %s leaves no worker, and the next part starts another', async (_name, text, reason) => {
    const { packs, add } = openPacks();
    await add(voiceArchive);
    const engine = openEngine(packs, {
      limitMs: (said) => (said === 'forever' ? 500 : 20_000),
      loadingMs: 0,
    });
    await expect(engine.speak({ ...part, text }, never)).rejects.toMatchObject({ reason });
    expect(engine.isLoaded).toBe(false);
    expect((await engine.speak(part, never)).samples.length).toBeGreaterThan(0);
  });

  it('is ended when nobody waits for it any more', async () => {
    const { packs, add } = openPacks();
    await add(voiceArchive);
    const engine = openEngine(packs, { goingOnMs: 100 });
    const ending = new AbortController();
    const spoken = engine.speak({ ...part, text: 'forever' }, ending.signal);
    await expect.poll(() => engine.isLoaded).toBe(true);
    ending.abort(new Error('nobody waits'));
    await expect(spoken).rejects.toThrow('nobody waits');
    await expect.poll(() => engine.isLoaded).toBe(false);
  });

  it.each([
    ['a dictionary of the voice', 'en_US-tones-low/espeak-ng-data/lang/gmw/en-US', 'damaged'],
    ['the model', 'en_US-tones-low/en_US-tones-low.onnx', 'damaged'],
    ['the runtime', 'runtime-1.13.8/sherpa-onnx-tts.js', 'no_runtime'],
  ])(
    'does not speak when a byte of %s was changed, until it is added again',
    async (_name, file, problem) => {
      const { packs, add, folder } = openPacks();
      await add(voiceArchive);
      writeFileSync(join(folder, file), changed(readFileSync(join(folder, file)), 2));
      const engine = openEngine(packs);
      const failure = engine.speak(part, never);
      await expect(failure).rejects.toBeInstanceOf(EngineFailure);
      await expect(failure).rejects.toMatchObject({ reason: 'damaged' });
      expect(await packs.voices()).toEqual([]);
      expect((await packs.list()).packs).toMatchObject([{ voice, problem }]);
      expect(await add(voiceArchive)).toMatchObject({ ok: true });
      expect((await engine.speak(part, never)).samples.length).toBeGreaterThan(0);
    },
  );

  it('is removed with its files, and speaks no more', async () => {
    const { packs, add, left } = openPacks();
    await add(voiceArchive);
    const engine = openEngine(packs);
    await engine.speak(part, never);
    // By two at the same time.
    const removed = await Promise.all([packs.remove(voice), packs.remove(voice)]);
    expect(removed).toContainEqual({ ok: true, value: voice });
    expect(removed).toContainEqual({ ok: false, refusal: { kind: 'not_installed', voice } });
    expect(left()).toEqual(['runtime-1.13.8']);
    await expect(engine.speak(part, never)).rejects.toMatchObject({ reason: 'damaged' });
    expect(engine.isLoaded).toBe(false);
  });

  it('is found by another start of the program, without what a crash left', async () => {
    const { packs, add, folder, left } = openPacks();
    await add(voiceArchive);
    writeFileSync(join(folder, '.new-0123456789abcdef'), 'half');
    const again = new VoicePackFolder({ folder, fetch, runtime, voices: [] });
    expect(await again.voices()).toEqual(await packs.voices());
    await again.add(inChunks(voiceArchive), never);
    expect(left().sort()).toEqual(['en_US-tones-low', 'runtime-1.13.8']);
  });
});
