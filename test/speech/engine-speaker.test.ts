import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type SpeechProblem, VoiceId } from '../../src/contract/menu/speech.ts';
import type { Sound } from '../../src/core/recording/sound.ts';
import { readWav } from '../../src/core/recording/wav.ts';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import { highestPeak, loudnessOf, peakOf, speechLufs } from '../../src/core/speech/loudness.ts';
import type { Speaker, SpeechRequest, SpokenAudio } from '../../src/core/speech/speaker.ts';
import { EngineSpeaker } from '../../src/speech/engine-speaker.ts';
import { FakeSpeechEngine } from '../fakes/fake-speech-engine.ts';
import { finished } from '../fixtures/finished.ts';
import { toneOf } from '../fixtures/tone-of-text.ts';
import { longTag } from '../tools/suites.ts';
import { triedEngines } from './tried-engines.ts';

const never = new AbortController().signal;

function asked(text: string, differences: Partial<SpeechRequest> = {}): SpeechRequest {
  return { text, language: 'en-US', voice: null, rate: 1, ...differences };
}

async function audioOf(speaker: Speaker, request: SpeechRequest): Promise<SpokenAudio> {
  const made = await speaker.speak(request, never);
  if (!made.ok) throw new Error(JSON.stringify(made.refusal));
  return made.value;
}

async function problemOf(speaker: Speaker, request: SpeechRequest): Promise<SpeechProblem | null> {
  const made = await speaker.speak(request, never);
  return made.ok ? null : made.refusal;
}

function soundOf({ wav }: SpokenAudio): Sound {
  const head = readWavHead(wav);
  if (!head.ok) throw new Error(head.refusal.code);
  expect(head.value).toMatchObject({ codec: 'int16', channels: 1, isPlain: true });
  const { samples, rate } = readWav(wav, head.value);
  return { samples: samples[0] ?? new Float32Array(0), rate };
}

/** The lengths of all silences of more than 50 ms, in milliseconds. */
function silencesOf({ samples, rate }: Sound): readonly number[] {
  const lengths: number[] = [];
  let run = 0;
  for (const sample of [...samples, 1]) {
    if (sample === 0) run += 1;
    else {
      if (run > rate / 20) lengths.push((run / rate) * 1000);
      run = 0;
    }
  }
  return lengths;
}

/** An engine that has made its sound before it is asked. */
class ReadyEngine extends FakeSpeechEngine {
  readonly sound: Sound = toneOf('a'.repeat(1000), 1, 1);

  override speak(): Promise<Sound> {
    return Promise.resolve({ ...this.sound, samples: this.sound.samples.slice() });
  }
}

describe('the speaker', () => {
  it('does its work on a minute of sound in another thread, so that calls go on', async () => {
    const engine = new ReadyEngine();
    expect(engine.sound.samples.length / engine.sound.rate).toBeGreaterThan(45);
    const speaker = new EngineSpeaker([engine]);
    onTestFinished(() => speaker.close());
    await audioOf(speaker, asked('a'.repeat(900)));
    const before = process.threadCpuUsage();
    await audioOf(speaker, asked('a'.repeat(1000)));
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000, 'milliseconds of this thread').toBeLessThan(50);
  });

  it('asks no further engine once one has the very language, or the voice that was chosen', async () => {
    const engines = [
      new FakeSpeechEngine({ engine: 'other', languages: ['en-GB'] }),
      new FakeSpeechEngine({ engine: 'first' }),
      new FakeSpeechEngine({ engine: 'second', languages: ['en-US', 'fr-FR', 'en-AU'] }),
    ];
    let asks = '';
    for (const engine of engines) {
      const voices = engine.voices.bind(engine);
      engine.voices = async () => {
        const [{ engine: name } = { engine: '' }] = await voices();
        asks += ` ${name}`;
        return voices();
      };
    }
    const speaker = new EngineSpeaker(engines);
    onTestFinished(() => speaker.close());
    const askedFor = async (differences: Partial<SpeechRequest>) => {
      asks = '';
      const { voice } = await audioOf(speaker, asked('Hello', differences));
      return `${voice.id}:${asks}`;
    };
    expect(await askedFor({})).toBe('first/voice0: other first');
    expect(await askedFor({ voice: VoiceId.parse('other/voice0') })).toBe('other/voice0: other');
    expect(await askedFor({ language: 'fr-FR' })).toBe('second/voice1: other first second');
    // Without the very language, the first engine of the same one speaks, as it is known when all were asked.
    expect(await askedFor({ language: 'en-ZA' })).toBe('other/voice0: other first second');
  });

  it('says the words of a text, each part for itself, with pauses of their exact length', async () => {
    const engine = new FakeSpeechEngine();
    const speaker = new EngineSpeaker([engine]);
    const text = 'One<break time="500ms"/>two <say-as interpret-as="digits">4711</say-as>';
    const audio = await audioOf(speaker, asked(text));
    // The second 1 is the first one again.
    expect(engine.parts.map((part) => part.text)).toEqual(['One', 'two', '4', '7', '1']);
    const sound = soundOf(audio);
    const expected = [100, 500, 150, 150, 150, 150, 100];
    const silences = silencesOf(sound);
    expect(silences).toHaveLength(expected.length);
    for (const [nth, ms] of silences.entries()) expect(Math.abs(ms - (expected[nth] ?? 0))).toBeLessThan(3);
    expect(audio.durationMs).toBe(Math.round((sound.samples.length / sound.rate) * 1000));
  });

  it('says words as the pronunciations have them when it speaks', async () => {
    const engine = new FakeSpeechEngine();
    let say = 'Roh ta vox';
    const speaker = new EngineSpeaker([engine], () => [{ word: 'Rotavox', say, language: null }]);
    await audioOf(speaker, asked('Rotavox here'));
    say = 'Rota vox';
    await audioOf(speaker, asked('Rotavox here'));
    expect(engine.parts.map((part) => part.text)).toEqual(['Roh ta vox here', 'Rota vox here']);
  });

  it.each([
    ['en-US', null, 'one/voice0'],
    ['en-GB', null, 'one/voice1'],
    ['EN-gb', null, 'one/voice1'],
    // Another country, rather than no voice.
    ['en-AU', null, 'one/voice0'],
    ['en', null, 'one/voice0'],
    ['de-DE', null, 'two/voice0'],
    ['en-US', 'two/voice1', 'two/voice1'],
  ])('speaks %s, asked for the voice %s, with %s', async (language, voice, expected) => {
    const speaker = new EngineSpeaker([
      new FakeSpeechEngine({ engine: 'one', languages: ['en-US', 'en-GB'] }),
      new FakeSpeechEngine({ engine: 'two', languages: ['de-DE', 'en-US'] }),
    ]);
    const request = asked('Hello', { language, voice: voice === null ? null : VoiceId.parse(voice) });
    expect((await audioOf(speaker, request)).voice.id).toBe(expected);
    expect((await speaker.voices()).map(({ id }) => id)).toEqual([
      'one/voice0',
      'one/voice1',
      'two/voice0',
      'two/voice1',
    ]);
  });

  it.each<[SpeechRequest, SpeechProblem]>([
    [asked('Hallo', { language: 'de-DE' }), { kind: 'no_voice', language: 'de-DE' }],
    [
      asked('Hello', { voice: VoiceId.parse('fake/gone') }),
      { kind: 'no_voice', language: 'en-US', voice: 'fake/gone' },
    ],
    [
      asked('Hello <audio src="x"/>'),
      { kind: 'unreadable', at: 6, found: '<audio src="x"/>', fault: 'unknown' },
    ],
    [asked('日本語'), { kind: 'nothing_to_say', letters: ['日', '本', '語'] }],
    [asked('a'.repeat(1001)), { kind: 'too_long', most: 1000 }],
  ])('refuses %o', async (request, problem) => {
    const engine = new FakeSpeechEngine();
    expect(await problemOf(new EngineSpeaker([engine]), request)).toEqual(problem);
    expect(engine.parts).toEqual([]);
  });

  it.each(['silent', 'clipped', 'short'] as const)(
    'lets a part be made once more that is %s',
    async (oddity) => {
      const engine = new FakeSpeechEngine();
      const speaker = new EngineSpeaker([engine]);
      engine.oddities.push(oddity);
      const text = 'Welcome to Example. For sales, press one.';
      const good = await audioOf(new EngineSpeaker([new FakeSpeechEngine()]), asked(text));
      expect((await audioOf(speaker, asked(text))).wav).toEqual(good.wav);
      engine.oddities.push(oddity, oddity);
      const reason = oddity === 'silent' ? 'silent' : 'implausible';
      expect(await problemOf(speaker, asked(text))).toEqual({
        kind: 'engine_failed',
        engine: 'fake',
        reason,
      });
      expect(engine.parts).toHaveLength(4);
      engine.oddities.push(oddity, oddity);
      const taken = await speaker.speak({ ...asked(text), asItIs: true }, new AbortController().signal);
      // A person can listen to it; there is nothing to hear of silence.
      expect(taken.ok).toBe(oddity !== 'silent');
    },
  );

  it.each([
    ['ends', 'ended'],
    ['slow', 'too_late'],
  ] as const)('tells of an engine that %s, and speaks again', async (oddity, reason) => {
    const engine = new FakeSpeechEngine({ limitMs: () => 1 });
    const speaker = new EngineSpeaker([engine]);
    engine.oddities.push(oddity);
    expect(await problemOf(speaker, asked('Hello'))).toEqual({
      kind: 'engine_failed',
      engine: 'fake',
      reason,
    });
    expect(await problemOf(speaker, asked('Hello'))).toBeNull();
  });

  it('makes one text at a time, and stops one without the others', async () => {
    const engine = new FakeSpeechEngine();
    const speaker = new EngineSpeaker([engine]);
    const stop = new AbortController();
    engine.oddities.push('slow');
    const stopped = speaker.speak(asked('One'), stop.signal);
    const waiting = speaker.speak(asked('Two'), stop.signal);
    const last = speaker.speak(asked('Three'), never);
    await expect.poll(() => engine.parts.length).toBe(1);
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    expect((await last).ok).toBe(true);
    expect(engine.parts.map((part) => part.text)).toEqual(['One', 'Three']);
  });

  it('closes its engines', async () => {
    const engines = [new FakeSpeechEngine(), new FakeSpeechEngine()];
    await new EngineSpeaker(engines).close();
    expect(engines.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });
});

describe.each(triedEngines)('the speaker with $name', ({ name, start, missing, tagsOfMore }) => {
  const more = { tags: [...tagsOfMore] };
  beforeEach(({ skip }) => skip(missing !== null, missing ?? ''));
  const engine = start();
  const speaker = new EngineSpeaker([engine]);
  afterAll(() => speaker.close());

  async function expectUsualLoudness(request: SpeechRequest): Promise<void> {
    const sound = soundOf(await audioOf(speaker, request));
    expect(Math.abs((finished(loudnessOf(sound)) ?? 0) - speechLufs)).toBeLessThan(1);
    expect(peakOf(sound)).toBeLessThanOrEqual(highestPeak + 1e-4);
    const silences = silencesOf(sound);
    expect(silences[0]).toBeGreaterThanOrEqual(100);
    expect(silences[0]).toBeLessThan(110);
    expect(silences.at(-1)).toBeGreaterThanOrEqual(100);
  }

  /** With a voice that is chosen: some speak only then. */
  async function askedOfFirst(text: string): Promise<SpeechRequest> {
    const english = (await engine.voices()).find(({ language }) => language.startsWith('en-'));
    return asked(text, { voice: english?.id ?? null });
  }

  it('brings the first voices of English to the loudness of speech', more, async () => {
    const english = (await engine.voices()).filter(({ language }) => language.startsWith('en-'));
    expect(english.length).toBeGreaterThan(1);
    const text = 'Welcome to Example. For sales, press 1. For technical support, press star.';
    for (const { id } of english.slice(0, 4)) await expectUsualLoudness(asked(text, { voice: id }));
  });

  it('brings every voice of every language to the loudness of speech', { tags: [longTag] }, async () => {
    // Six of espeak-ng have no words for digits; all read Latin letters.
    for (const { id, language } of await engine.voices()) {
      await expectUsualLoudness(asked('Example. 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.', { voice: id, language }));
    }
  });

  it('makes the same file of the same text, and pauses of their exact length', async () => {
    const text = 'Press <say-as interpret-as="digits">12</say-as><break time="2s"/>now';
    const request = await askedOfFirst(text);
    const audio = await audioOf(speaker, request);
    expect((await audioOf(speaker, request)).wav).toEqual(audio.wav);
    const silences = silencesOf(soundOf(audio));
    const expected = [100, 150, 150, 2000, 100];
    // What is silent at the ends of the words themselves is less than 20 ms.
    const pauses = silences.filter((ms) => expected.some((wanted) => ms >= wanted && ms < wanted + 20));
    expect(pauses.map((ms) => Math.floor(ms / 50) * 50)).toEqual(expected);
  });

  async function expectSaysAs(typed: string, plain: string): Promise<void> {
    const digest = async (text: string) =>
      createHash('sha256')
        .update((await audioOf(speaker, await askedOfFirst(text))).wav)
        .digest('hex');
    expect(await digest(typed)).toBe(await digest(plain));
  }

  it('says no markup of its own, but its words', () =>
    expectSaysAs('[[slnc 5000]] hello', 'slnc 5000 hello'));

  it.each([
    ['hello\0there', 'hello there'],
    ['hello \u202Ethere', 'hello there'],
    ['hello 😀 there', 'hello there'],
    ['hello & goodbye', 'hello and goodbye'],
    ['3 < 4', '3 4'],
    ['press * now', 'press star now'],
    ['it’s open', "it's open"],
    ['press 9# now', 'press 9 pound now'],
    ['hello... again!!!', 'hello. again!'],
    ['dial ١٢ or １２', 'dial 12 or 12'],
    ['hello 日本 there', 'hello there'],
  ])('says %j as "%s"', more, expectSaysAs);

  it.each([
    ['www', 'www'],
    ['an address', 'Visit https://www.example.com/help?x=1&y=2 or write to info@example.com'],
    ['quotes and dashes', 'naïve café — “quoted” … ok'],
    ['initials', 'A.B.C.D.E.F.'],
    ['brackets', '{json: "x"} [a] ((b))'],
    ['dots without an end', `hi${'.'.repeat(900)}`],
    ['short sentences', 'one. '.repeat(150)],
    ['marks in a row', `${'!'.repeat(200)}hi`],
    ['digits without an end', '9'.repeat(200)],
    ['signs of other scripts', '１２３ ⅷ ③'],
  ])('says a text that has %s, and is not silent', more, async (_what, text) => {
    expect(await problemOf(speaker, await askedOfFirst(text))).toBeNull();
  });

  // The fake one plays tones, which begin at once.
  if (['flite', 'pico', 'espeak-ng'].includes(name))
    it('begins and ends each part without a click', more, async () => {
      const sound = soundOf(await audioOf(speaker, await askedOfFirst('Stop<break time="300ms"/>talk back')));
      const { samples } = sound;
      const isSilent = (from: number, to: number) =>
        samples.subarray(from, to).every((sample) => sample === 0);
      const edges = samples.filter(
        (sample, at) => sample !== 0 && (isSilent(at - 20, at) || isSilent(at + 1, at + 21)),
      );
      expect(edges.length).toBeGreaterThanOrEqual(4);
      expect(Math.max(...edges.map(Math.abs)) / peakOf(sound)).toBeLessThan(0.03);
    });

  it('says no letters that its voice cannot read', async () => {
    expect(await problemOf(speaker, await askedOfFirst('日本語'))).toEqual({
      kind: 'nothing_to_say',
      letters: ['日', '本', '語'],
    });
  });
});
