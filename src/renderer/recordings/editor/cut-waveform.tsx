import type { Outline } from '../outline.ts';
import { clockWords } from '../sound-words.ts';
import { Waveform } from '../waveform.tsx';
import { type Cut, moveEnd, stepMs } from './cut.ts';
import styles from './cut-waveform.module.css';

const ends = [
  { end: 'from', label: 'Beginning', at: 'fromMs' },
  { end: 'to', label: 'End', at: 'toMs' },
] as const;

/** A waveform with what is cut off shaded, and a handle at each end: sliders, moved by mouse, touch and keyboard. */
export function CutWaveform({
  outline,
  cut,
  all,
  onCut,
}: {
  outline: Outline;
  cut: Cut;
  /** All of the sound. */
  all: Cut;
  onCut: (cut: Cut) => void;
}) {
  const shareOf = (ms: number): string => `${(ms / all.toMs) * 100}%`;
  return (
    <div className={styles['cut']}>
      <div className={styles['wave']}>
        <Waveform outline={outline} />
      </div>
      <div className={styles['off']} style={{ left: 0, width: shareOf(cut.fromMs) }} />
      <div className={styles['off']} style={{ right: 0, width: shareOf(all.toMs - cut.toMs) }} />
      {ends.map(({ end, label, at }) => (
        <input
          key={end}
          type="range"
          className={styles['handle']}
          aria-label={label}
          aria-valuetext={`${clockWords(cut[at], 'tenths')} of ${clockWords(all.toMs, 'tenths')}`}
          min={0}
          max={all.toMs}
          step={stepMs}
          value={cut[at]}
          onChange={({ target }) => onCut(moveEnd(cut, end, Number(target.value), all.toMs))}
        />
      ))}
    </div>
  );
}
