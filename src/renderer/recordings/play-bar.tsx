import { recordingText } from '../../text/menu/recordings-text.ts';
import { lengthText } from '../../text/time.ts';
import buttonStyles from '../kit/button.module.css';
import { Icon } from '../kit/icon.tsx';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import type { Outline } from './outline.ts';
import styles from './recordings.module.css';
import type { Player } from './use-player.ts';
import { Waveform } from './waveform.tsx';
import unseenStyles from '../kit/unseen.module.css';

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
