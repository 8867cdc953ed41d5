import type { DraftSaver, SaveState } from './draft-saver.ts';
import styles from './save-sign.module.css';
import { useSaveState } from './use-saver.ts';

/** Whether what is drawn is saved. Only trouble is read out: the rest changes with every edit. */
export function SaveSign({ saver }: { saver: DraftSaver }) {
  const state = useSaveState(saver);
  const words = wordsFor(state);
  const isTrouble = state.kind !== 'saved' && state.kind !== 'saving';
  return (
    <p
      className={styles['sign']}
      data-trouble={isTrouble}
      title={words}
      aria-live={isTrouble ? 'polite' : 'off'}
    >
      {words}
    </p>
  );
}

function wordsFor(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return state.from === 'elsewhere' ? 'Changed elsewhere, up to date' : 'Saved';
    case 'saving':
      return 'Saving …';
    case 'failed':
      return `Not saved: ${state.words}`;
    case 'conflict':
      return 'Not saved: changed elsewhere';
    case 'gone':
      return 'Not saved: deleted elsewhere';
  }
}
