import type { Sound } from '../../../src/core/recording/sound.ts';

/** A tone as loud as is said, so long, without a beginning or an end that swells. */
export function tone(hertz: number, ms: number, { rate = 8_000, loud = 0.5 } = {}): Sound {
  const samples = Float32Array.from(
    { length: Math.round((ms / 1000) * rate) },
    (_, place) => loud * Math.sin((2 * Math.PI * hertz * place) / rate),
  );
  return { samples, rate };
}

/** Sounds one after the other. */
export function together(...sounds: Sound[]): Sound {
  const samples = Float32Array.from(sounds.flatMap((one) => Array.from(one.samples)));
  return { samples, rate: sounds[0]!.rate };
}

/** How loud a sound is at one pitch, from 0 to 1: the tone that would sound alike (Goertzel). Its ends are left out. */
export function loudnessAt({ samples, rate }: Sound, hertz: number): number {
  const part = samples.slice(Math.floor(samples.length / 4), Math.floor((samples.length * 3) / 4));
  let [real, imaginary] = [0, 0];
  for (const [place, sample] of part.entries()) {
    real += sample * Math.cos((2 * Math.PI * hertz * place) / rate);
    imaginary += sample * Math.sin((2 * Math.PI * hertz * place) / rate);
  }
  return (2 * Math.hypot(real, imaginary)) / part.length;
}
