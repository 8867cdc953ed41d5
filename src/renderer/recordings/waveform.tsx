import type { Outline } from './outline.ts';
import { outlineWords } from './sound-words.ts';
import { waveHeight, wavePath } from './wave-path.ts';
import styles from './waveform.module.css';

/** The picture of a sound. What lies before `part` (from 0 to 1) is drawn as played. */
export function Waveform({ outline, part = 0 }: { outline: Outline; part?: number }) {
  const { peaks } = outline;
  const played = Math.round(part * peaks.length);
  return (
    <svg
      className={styles['wave']}
      viewBox={`0 0 ${peaks.length} ${waveHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={outlineWords(outline)}
    >
      <path className={styles['played']} d={wavePath(peaks, 0, played)} />
      <path className={styles['rest']} d={wavePath(peaks, played, peaks.length)} />
    </svg>
  );
}
