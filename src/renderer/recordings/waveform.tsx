import { waveformText } from '../../text/menu/recordings-text.ts';
import type { Outline } from './outline.ts';
import type { Peak } from './sound/find-sound.ts';
import styles from './recordings.module.css';

/** The picture of a sound. What lies before `part` (from 0 to 1) is drawn as played. */
export function Waveform({ outline, part = 0 }: { outline: Outline; part?: number }) {
  const { peaks } = outline;
  const played = Math.round(part * peaks.length);
  return (
    <svg
      className={styles['waveform']}
      viewBox={`0 0 ${peaks.length} ${waveHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={waveformText(outline)}
    >
      <path className={styles['played']} d={wavePath(peaks, 0, played)} />
      <path className={styles['rest']} d={wavePath(peaks, played, peaks.length)} />
    </svg>
  );
}

/** The height of the drawing; its width is one for each bar. */
const waveHeight = 100;
/** The least that a bar is high, so that silence is a line and not nothing. */
const leastHigh = 2;

/** The bars of a waveform as the path of an SVG drawing, from one bar up to but not including another. */
export function wavePath(peaks: readonly Peak[], from: number, to: number): string {
  return peaks
    .slice(from, to)
    .map(({ low, high }, place) => {
      const top = yOf(Math.max(high, 0));
      const bottom = yOf(Math.min(low, 0));
      const missing = Math.max(0, leastHigh - (bottom - top)) / 2;
      return `M${from + place + 0.5} ${round(top - missing)}V${round(bottom + missing)}`;
    })
    .join('');
}

function yOf(sample: number): number {
  return (waveHeight / 2) * (1 - Math.max(-1, Math.min(1, sample)));
}

function round(y: number): number {
  return Math.round(y * 10) / 10;
}
