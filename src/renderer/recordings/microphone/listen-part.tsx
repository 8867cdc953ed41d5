import { clockWords } from '../sound-words.ts';
import { LevelMeter } from './level-meter.tsx';
import styles from './record-dialog.module.css';
import type { MicrophoneState } from './use-microphone.ts';

/** What is said and shown before a recording and while it is made. */
export function ListenPart({ state }: { state: MicrophoneState }) {
  const isRecording = state.kind === 'recording';
  return (
    <div className={styles['listen']}>
      <p role="status" className={styles['told']}>
        {isRecording
          ? 'Recording. Speak as you would on the telephone.'
          : state.kind === 'asking'
            ? 'Allow the microphone, if you are asked for it.'
            : 'Press Record and speak. Nothing is heard before, and nothing is kept until you save it.'}
      </p>
      <p className={styles['clock']} aria-hidden="true">
        {isRecording ? clockWords(state.heardMs, 'tenths') : '0:00.0'}
        {isRecording ? <span className={styles['most']}> of {clockWords(state.mostMs)} at most</span> : null}
      </p>
      <LevelMeter level={isRecording ? state.level : 0} />
    </div>
  );
}
