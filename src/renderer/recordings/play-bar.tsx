import { recordingText, waveformText } from '../../text/menu/recordings-text.ts';
import { lengthText } from '../../text/time.ts';
import buttonStyles from '../kit/button.module.css';
import { Icon } from '../kit/icon.tsx';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import type { Outline } from './outline.ts';
import styles from './recordings.module.css';
import type { Player } from './use-player.ts';
import unseenStyles from '../kit/unseen.module.css';
import type { Peak } from './sound/find-sound.ts';

/** How far an arrow key moves, in milliseconds. */
const stepMs = 500;

/** Plays a sound: a button, the waveform with the position in it, and the time. The position is a slider. */
export function PlayBar({
  name,
  player,
  outline,
  lengthMs,
}: {
  name: string;
  player: Player;
  outline: Outline | null;
  /** Null while that is not known: then it can be played, but not entered in the middle. */
  lengthMs: number | null;
}) {
  const { isPlaying, atMs, toggle, seek } = player;
  const allMs = outline?.lengthMs ?? lengthMs;
  const clock = allMs === null ? lengthText(atMs) : recordingText.of(lengthText(atMs), lengthText(allMs));
  return (
    <Row gap={3} align="center">
      <button
        type="button"
        className={[buttonStyles['button'], styles['button']].join(' ')}
        aria-label={isPlaying ? recordingText.pause(name) : recordingText.play(name)}
        onClick={toggle}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <div className={styles['track']}>
        {outline === null ? (
          <div className={styles['line']} />
        ) : (
          <Waveform outline={outline} part={outline.lengthMs === 0 ? 0 : atMs / outline.lengthMs} />
        )}
        {allMs === null ? null : (
          <input
            type="range"
            className={unseenStyles['over']}
            aria-label={recordingText.position(name)}
            aria-valuetext={clock}
            min={0}
            max={Math.max(1, Math.round(allMs))}
            step={stepMs}
            value={atMs}
            onChange={({ target }) => seek(Number(target.value))}
          />
        )}
      </div>
      <Text as="span" tone="soft" size="small" isTabular isOneLine aria-hidden="true">
        {allMs === null ? lengthText(atMs) : `${lengthText(atMs)} / ${lengthText(allMs)}`}
      </Text>
    </Row>
  );
}

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
