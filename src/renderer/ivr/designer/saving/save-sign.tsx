import type { DraftSaver, SaveState } from './draft-saver.ts';
import { Text } from '../../../kit/text.tsx';
import styles from './save-sign.module.css';
import { useDesignerState } from '../use-designer.ts';
import { savableDocument } from './savable-document.ts';
import { useSaveState } from './use-saver.ts';
import { savingText } from '../../../../text/menu/designer.ts';

/** Whether the draft is saved. Only failures are announced: the rest changes with every edit. */
export function SaveSign({ saver }: { saver: DraftSaver }) {
  const state = useSaveState(saver);
  const isCut = useDesignerState(({ document }) => savableDocument(document) !== document);
  const text = textFor(state, isCut);
  const isTrouble = state.kind !== 'saved' && state.kind !== 'saving';
  return (
    <Text
      tone={isTrouble ? 'bad' : 'soft'}
      size="small"
      weight={isTrouble ? 'bold' : 'regular'}
      isCut
      className={styles['sign']}
      data-trouble={isTrouble}
      title={text}
      aria-live={isTrouble ? 'polite' : 'off'}
    >
      {text}
    </Text>
  );
}

function textFor(state: SaveState, isCut: boolean): string {
  switch (state.kind) {
    case 'saved':
      if (isCut) return savingText.cut;
      return state.from === 'elsewhere' ? savingText.upToDate : savingText.saved;
    case 'saving':
      return savingText.saving;
    case 'failed':
      return savingText.failed(state.reason);
    case 'conflict':
      return savingText.conflict;
    case 'gone':
      return savingText.gone;
  }
}
