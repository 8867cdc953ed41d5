import type { Flow } from '../../../../core/ivr/flow.ts';
import { referenceWords } from '../../../../core/ivr/reference-words.ts';
import { readReference } from '../../../../core/ivr/reference.ts';
import { recordingWords } from '../inspector/recording-words.ts';
import { destinationWords } from '../inspector/node-words.ts';
import { type Surroundings, useDesigner } from '../use-designer.ts';
import type { PlayState } from './play-clock.ts';
import styles from './play-phone.module.css';

/** Where the call is, what plays, and how much of the menu's time is left. */
export function CallScreen({ flow, state: { call, leftMs } }: { flow: Flow; state: PlayState }) {
  const { surroundings } = useDesigner();
  if (call.kind === 'ended') {
    return (
      <div className={styles['screen']} data-kind="ended">
        <p className={styles['where']}>The call came to</p>
        <p className={styles['now']}>{destinationWords(call.destination, surroundings)}</p>
        <code className={styles['where']}>{call.destination}</code>
      </div>
    );
  }
  const menu = flow.menus.get(call.menu);
  const wholeMs = (menu?.timeoutSeconds ?? 1) * 1000;
  return (
    <div className={styles['screen']} data-kind={call.kind}>
      <p className={styles['where']}>{menu?.name}</p>
      {call.kind === 'playing' ? (
        <p className={styles['now']}>Plays {promptName(call.prompts[0].recording, surroundings)}</p>
      ) : (
        <>
          <p className={styles['now']}>Waits for a key</p>
          <p className={styles['left']}>{((leftMs ?? wholeMs) / 1000).toFixed(1)} s left</p>
          <div className={styles['bar']} aria-hidden="true">
            <div className={styles['rest']} style={{ width: `${(100 * (leftMs ?? wholeMs)) / wholeMs}%` }} />
          </div>
        </>
      )}
    </div>
  );
}

/** A recording by its name where it is known here, a spoken text by its words. */
function promptName(prompt: string, { recordings }: Surroundings): string {
  const reference = readReference(prompt);
  if (reference === null) return prompt;
  if (reference.type === 'outbound_tts') return `“${reference.id}”`;
  return recordingWords(reference.id, recordings) ?? referenceWords(prompt);
}
