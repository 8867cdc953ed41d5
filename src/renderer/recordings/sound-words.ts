import type { Outline } from './outline.ts';

/** A length or a place in a sound as a clock has it: `0:07`, and with `tenths` `0:07.3`. */
export function clockWords(ms: number, precision: 'seconds' | 'tenths' = 'seconds'): string {
  const unitMs = precision === 'seconds' ? 1000 : 100;
  const units = Math.round(ms / unitMs);
  const seconds = (units * unitMs) / 1000;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - minutes * 60;
  const digits = precision === 'seconds' ? 0 : 1;
  return `${minutes}:${rest.toFixed(digits).padStart(digits === 0 ? 2 : 4, '0')}`;
}

/** The size of a file, as a person counts it: `850 bytes`, `35 kB`, `1.4 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What a waveform shows, for whoever does not see it. */
export function outlineWords({ lengthMs, sound, loudest }: Outline): string {
  const length = `${clockWords(lengthMs, 'tenths')} long`;
  if (sound === null) return `Waveform: ${length}, silent throughout.`;
  const from = clockWords(sound.fromMs, 'tenths');
  const to = clockWords(sound.toMs, 'tenths');
  return `Waveform: ${length}, sound from ${from} to ${to}, ${loudnessWords(loudest)}.`;
}

/** How loud the loudest sample is, below the loudest that there is. */
function loudnessWords(loudest: number): string {
  const decibels = Math.round(20 * Math.log10(Math.max(loudest, 1e-5)));
  if (decibels >= -1) return 'as loud as can be';
  return decibels > -26 ? 'of good loudness' : 'quiet';
}

/** What should be done again about a recording just made; null when nothing. */
export function recordedAdvice(loudest: number): string | null {
  if (loudest < 0.02)
    return 'Almost nothing was heard. Check that the right microphone is chosen and not muted, then record again.';
  if (loudest >= 0.999)
    return 'It was too loud in places and sounds distorted there. Move back from the microphone a little, then record again.';
  return null;
}
