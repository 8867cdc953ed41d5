import type { Sound } from '../../../src/core/recording/sound.ts';

/** As on a telephone line: more would be lost there anyway. */
const rate = 8_000;

/** A struck tone: when it begins and how long it rings in seconds, how high it is in hertz. */
interface Tone {
  readonly at: number;
  readonly lasts: number;
  readonly hertz: number;
}

/** The sample recordings, each under the name of its file. Tones, not speech: they are for every language. */
export const sampleSounds: Readonly<Record<string, () => Sound>> = {
  // C, E, G and C again, going up: somebody is there.
  'greeting-chime': () => bell(2.2, [523.25, 659.25, 783.99, 1046.5].map(runExclusive(0.28, 1.1))),
  // Two short, low ones, a half tone apart: that was not it.
  'wrong-key-tone': () => bell(0.9, [440, 415.3].map(runExclusive(0.24, 0.5))),
  // Two soft ones with room after them: still there, take your time.
  'waiting-tone': () => bell(2, [659.25, 587.33].map(runExclusive(0.5, 0.9))),
  // The greeting, going down.
  'goodbye-chime': () => bell(2.2, [1046.5, 783.99, 659.25, 523.25].map(runExclusive(0.28, 1.1))),
};

/** Tones one after the other, each ringing on into the next. */
function runExclusive(every: number, lasts: number): (hertz: number, place: number) => Tone {
  return (hertz, place) => ({ at: place * every, lasts, hertz });
}

/** Tones that begin at once and die away, each with a quiet octave above it, loud enough together and never too loud. */
function bell(seconds: number, tones: readonly Tone[]): Sound {
  const samples = new Float32Array(Math.round(seconds * rate));
  for (const tone of tones) strike(samples, tone);
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { samples: samples.map((sample) => (sample / loudest) * 0.7), rate };
}

function strike(samples: Float32Array, { at, lasts, hertz }: Tone): void {
  const first = Math.round(at * rate);
  const end = Math.min(samples.length, first + Math.round(lasts * rate));
  for (let place = first; place < end; place += 1) {
    const t = (place - first) / rate;
    const swell = Math.min(1, t / 0.008); // no click at its beginning
    const fall = Math.exp(-4 * (t / lasts)) * (1 - t / lasts);
    const wave = Math.sin(2 * Math.PI * hertz * t) + 0.25 * Math.sin(4 * Math.PI * hertz * t);
    samples[place] = (samples[place] ?? 0) + swell * fall * wave;
  }
}
