import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, truncate, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sound } from '../../src/core/recording/sound.ts';
import { EngineFailure, type SpeechEngine } from '../../src/core/speech/speaker.ts';
import { highestPeak, loudnessOf, peakOf, speechLufs } from '../../src/core/speech/loudness.ts';
import { isPlausible, soundOfWav, withoutSilence } from '../../src/core/speech/speech-sound.ts';
import { invariant } from '../../src/core/unreachable.ts';
import { EngineSpeaker } from '../../src/speech/engine-speaker.ts';
import { FliteEngine, fliteFile } from '../../src/speech/flite-engine.ts';
import { PicoEngine } from '../../src/speech/pico-engine.ts';
import { finished } from '../fixtures/finished.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { pico, startPico, type TriedEngine, triedEngines } from './tried-engines.ts';

const sentence = 'Welcome to Example. For sales, press 1.';

const never = new AbortController().signal;

/** Says a text with the nth voice. */
async function said(
  engine: SpeechEngine,
  text: string,
  { nth = 0, rate = 1, signal = never } = {},
): Promise<Sound> {
  const voice = (await engine.voices())[nth];
  invariant(voice !== undefined, 'the engine has that voice');
  return engine.speak({ text, voice: voice.id, rate }, signal);
}

describe.each(triedEngines)('the engine $name', ({ start, missing, tagsOfMore }) => {
  const more = { tags: [...tagsOfMore] };
  beforeEach(({ skip }) => skip(missing !== null, missing ?? ''));
  let opened: SpeechEngine[] = [];
  afterEach(async () => {
    for (const engine of opened) await engine.close();
    opened = [];
  });
  function opening(...options: Parameters<TriedEngine['start']>): SpeechEngine {
    const engine = start(...options);
    opened.push(engine);
    return engine;
  }

  it('names its voices, each with the digest of its model', async () => {
    const voices = await opening().voices();
    expect(new Set(voices.map(({ id }) => id)).size).toBe(voices.length);
    expect(voices.length).toBeGreaterThan(1);
    for (const voice of voices) {
      expect(voice.id.startsWith(`${voice.engine}/`)).toBe(true);
      expect([voice.name, voice.licence, voice.engine_version]).not.toContain('');
      expect(Intl.getCanonicalLocales(voice.language)).toEqual([voice.language]);
      expect(voice.model_digest).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('says another text with each voice that is English', more, async () => {
    const engine = opening();
    const voices = await engine.voices();
    const english = new Set<string>();
    const ours = [...voices.entries()].filter(([, { language }]) => language.startsWith('en'));
    for (const [nth] of ours) {
      const sound = await said(engine, sentence, { nth });
      expect(isPlausible(withoutSilence(sound, 0), sentence, 1)).toBe(true);
      // espeak-ng reads some other languages by the same rules.
      english.add(digestOf(sound));
    }
    expect(english.size).toBeGreaterThan(1);
    expect(english.size).toBe(ours.length);
  });

  it('says a text with each voice', { ...more, tags: ['long'] }, async () => {
    const engine = opening();
    for (const nth of (await engine.voices()).keys())
      expect(isPlausible(withoutSilence(await said(engine, sentence, { nth }), 0), sentence, 1)).toBe(true);
  });

  it('says the same text alike, and another otherwise', more, async () => {
    const engine = opening();
    const first = digestOf(await said(engine, sentence));
    expect(digestOf(await said(engine, 'Press 2'))).not.toBe(first);
    expect(digestOf(await said(engine, sentence))).toBe(first);
    expect(digestOf(await said(opening(), sentence))).toBe(first);
  });

  it('speaks faster and slower', more, async () => {
    const engine = opening();
    const lengths: number[] = [];
    for (const rate of [0.7, 1, 1.5]) lengths.push((await said(engine, sentence, { rate })).samples.length);
    const [slow = 0, usual = 0, fast = 0] = lengths;
    expect(slow / usual).toBeGreaterThan(1.2);
    expect(fast / usual).toBeLessThan(0.85);
  });

  it('gives silence for a text that has nothing to say', async () => {
    expect(withoutSilence(await said(opening(), '...'), 0).samples).toHaveLength(0);
  });

  it('stops with the reason of the signal, and speaks again', async () => {
    const engine = opening();
    const stop = new AbortController();
    const stopped = said(engine, sentence, { signal: stop.signal });
    const reason = new Error('another text was typed');
    await Promise.resolve(); // it has been asked
    stop.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    await expect(said(engine, sentence, { signal: stop.signal })).rejects.toBe(reason);
    expect((await said(engine, sentence)).samples.length).toBeGreaterThan(0);
  });

  it('is ended when it takes too long', async () => {
    let limitMs = 0;
    const engine = opening({ limitMs: () => limitMs });
    const failure: unknown = await said(engine, sentence).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EngineFailure);
    expect(failure).toMatchObject({ reason: 'too_late' });
    limitMs = 20_000;
    expect((await said(engine, sentence)).samples.length).toBeGreaterThan(0);
  });

  const attacksOf = (folder: string): string[] => [
    `-w${folder}/x`,
    `-o ${folder}/x hello`,
    `--help`,
    `$(touch ${folder}/x)`,
    `\`touch ${folder}/x\``,
    `; touch ${folder}/x`,
    `'; touch ${folder}/x; echo '`,
    `"quoted" text`,
    '[[slnc 5000]] hello',
    '<audio src="/etc/passwd"/> hello',
    '<play file="/etc/passwd"/> hello',
    '<speak>hello</speak>',
    'hello\0there',
    'hello \u202Eereht',
    'hello 😀',
    'hello %s%n',
    '../../etc/passwd',
  ];

  async function expectObeysNothing(attacksIn: (folder: string) => readonly string[]): Promise<void> {
    const folder = makeFolder();
    const engine = opening();
    for (const text of attacksIn(folder)) {
      const sound = withoutSilence(await said(engine, text), 0);
      expect([text, sound.samples.length > 0]).toEqual([text, true]);
    }
    expect(await readdir(folder)).toEqual([]);
  }

  it('does not take a text for an option, and says it', async () => {
    await expectObeysNothing((folder) => attacksOf(folder).slice(0, 1));
  });

  it('obeys nothing that a text says, and says it', more, () => expectObeysNothing(attacksOf));

  it('says 1,000 characters', more, async () => {
    const text = 'Press one for sales. '.repeat(48).slice(0, 1000);
    expect(isPlausible(withoutSilence(await said(opening(), text), 0), text, 1)).toBe(true);
  });
});

function digestOf({ samples }: Sound): string {
  return createHash('sha256').update(samples).digest('hex');
}

describe('flite', () => {
  it('is the file whose digest its voices have', async () => {
    const digest = createHash('sha256')
      .update(await readFile(fliteFile()))
      .digest('hex');
    const voices = await new FliteEngine().voices();
    expect(voices.map(({ model_digest }) => model_digest)).toEqual(voices.map(() => digest));
  });

  it('is loaded when it speaks, and not before', async () => {
    const engine = new FliteEngine();
    await engine.voices();
    expect(engine.isLoaded).toBe(false);
    await said(engine, 'hello');
    expect(engine.isLoaded).toBe(true);
    await engine.close();
    expect(engine.isLoaded).toBe(false);
  });

  it('is given back after some time without work', async () => {
    const engine = new FliteEngine({ idleMs: 1 });
    await said(engine, 'hello');
    await expect.poll(() => engine.isLoaded).toBe(false);
  });

  it('is not left behind by what took too long', async () => {
    const engine = new FliteEngine({ limitMs: () => 0 });
    await expect(said(engine, sentence)).rejects.toThrow(EngineFailure);
    expect(engine.isLoaded).toBe(false);
  });

  async function stopAsking(engine: FliteEngine, text: string): Promise<void> {
    const stop = new AbortController();
    const stopped = said(engine, text, { signal: stop.signal });
    await new Promise(setImmediate); // it has been asked
    stop.abort(new Error('typed on'));
    await expect(stopped).rejects.toThrow('typed on');
  }

  it('stays loaded for the next text when one was stopped that it has soon said, and says it whole', async () => {
    const engine = new FliteEngine({ goingOnMs: 20_000 });
    const expected = digestOf(await said(engine, sentence));
    for (let time = 0; time < 3; time += 1) {
      await stopAsking(engine, 'Another text. '.repeat(20));
      expect(engine.isLoaded).toBe(true);
      expect(digestOf(await said(engine, sentence))).toBe(expected);
    }
    await engine.close();
    expect(engine.isLoaded).toBe(false);
  });

  it('is ended when it is still at a text that was stopped after its time', async () => {
    const engine = new FliteEngine({ goingOnMs: 1 });
    await said(engine, sentence);
    await stopAsking(engine, 'A text that takes long. '.repeat(40));
    await expect.poll(() => engine.isLoaded).toBe(false);
    expect((await said(engine, sentence)).samples.length).toBeGreaterThan(0);
    await engine.close();
  });

  it.each([
    ['Café Zürich', 'Cafe Zurich'],
    ['Straße', 'Strasse'],
    ['It costs €5', 'It costs 5 euros'],
    ['It costs £12.50', 'It costs 12.50 pounds'],
    ['It costs ₹500 or ¥80', 'It costs 500 rupees or 80 yen'],
    ['Only ½ price, 3½ hours', 'Only 1/2 price, 3 1/2 hours'],
    ['20 °C', '20 degrees C'],
    ['3 × 10²', '3 times 10 2'],
  ])('says "%s" as "%s"', async (typed, plain) => {
    const engine = new FliteEngine();
    const sound = await said(engine, typed);
    expect(digestOf(sound)).toBe(digestOf(await said(engine, plain)));
    await engine.close();
  });
});

describe('pico', () => {
  beforeEach(({ skip }) => skip('missing' in pico, 'missing' in pico ? pico.missing : ''));

  it('has a voice for each language, which sounds like no other', async () => {
    const engine = startPico();
    const voices = await engine.voices();
    expect(voices.map(({ language }) => language).sort()).toEqual(
      ['de-DE', 'en-GB', 'en-US', 'es-ES', 'fr-FR', 'it-IT'].sort(),
    );
    const digests = new Set<string>();
    for (const nth of voices.keys()) digests.add(digestOf(await said(engine, 'Menu 1', { nth })));
    expect(digests.size).toBe(voices.length);
    await engine.close();
  });

  it('speaks each language at the loudness of all speech', async () => {
    const engine = startPico();
    const speaker = new EngineSpeaker([engine]);
    for (const { id, language } of await engine.voices()) {
      const request = { text: 'Menu 1, 2, 3.', language, voice: id, rate: 1 };
      const made = await speaker.speak(request, never);
      invariant(made.ok, `${id} speaks`);
      const sound = soundOfWav(made.value.wav);
      const lufs = finished(loudnessOf(sound)) ?? 0;
      expect([id, Math.abs(lufs - speechLufs) <= 1, peakOf(sound) <= highestPeak + 0.001]).toEqual([
        id,
        true,
        true,
      ]);
    }
    await speaker.close();
  });

  it('has no voice without data, and those whose two files are there', async () => {
    const folder = makeFolder();
    const engine = new PicoEngine({ folders: [join(folder, 'none'), folder] });
    expect(await engine.voices()).toEqual([]);
    await copyData(folder, 'de-DE_ta.bin');
    expect(await engine.voices()).toEqual([]);
    await copyData(folder, 'de-DE_gl0_sg.bin');
    const [voice] = await engine.voices();
    expect(voice?.id).toBe('pico/de-DE');
    const digest = createHash('sha256');
    for (const name of ['de-DE_ta.bin', 'de-DE_gl0_sg.bin'])
      digest.update(await readFile(join(folder, name)));
    expect(voice?.model_digest).toBe(digest.digest('hex'));
  });

  it('reports damaged data as a failure, and speaks again once it is whole', async () => {
    const folder = makeFolder();
    const engine = new PicoEngine({ folders: [folder] });
    const signal = 'de-DE_gl0_sg.bin';
    for (const name of ['de-DE_ta.bin', signal]) await copyData(folder, name);
    const [whole] = await engine.voices();
    await truncate(join(folder, signal), 1000);
    const [damaged] = await engine.voices();
    expect(damaged?.model_digest).not.toBe(whole?.model_digest);
    await expect(said(engine, 'Guten Tag')).rejects.toThrow(EngineFailure);
    expect(engine.isLoaded).toBe(false);
    await copyData(folder, signal);
    await utimes(join(folder, signal), 1, 1);
    expect((await said(engine, 'Guten Tag')).samples.length).toBeGreaterThan(0);
    await engine.close();
  });

  it('says letters with marks, and a tag of its own as nothing', async () => {
    const engine = startPico();
    const nth = (await engine.voices()).findIndex(({ language }) => language === 'de-DE');
    const plain = digestOf(await said(engine, 'Grusse', { nth }));
    expect(digestOf(await said(engine, 'Grüße', { nth }))).not.toBe(plain);
    const tagged = await said(engine, '<speed level="300">Hallo</speed>', { nth });
    const words = await said(engine, 'speed level="300" Hallo /speed', { nth });
    expect(isPlausible(withoutSilence(tagged, 0), 'speed level 300 Hallo speed', 1)).toBe(true);
    expect(Math.abs(tagged.samples.length - words.samples.length)).toBeLessThan(8_000);
    await engine.close();
  });

  function copyData(folder: string, name: string): Promise<void> {
    return copyFile(join('folder' in pico ? pico.folder : '', name), join(folder, name));
  }
});
