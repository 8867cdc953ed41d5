import { countWords } from '../../../kit/count-words.ts';
import { useDesigner } from '../use-designer.ts';
import { InspectorHead } from './inspector-head.tsx';
import styles from './inspector.module.css';
import { alignNodes, spreadNodes } from './line-up.ts';
import { RemoveButton } from './remove-button.tsx';
import { SmallButton } from './small-button.tsx';

/** Several parts at once: put them in line, or remove them. */
export function SeveralInspector({ ids }: { ids: ReadonlySet<string> }) {
  const { store } = useDesigner();
  const nodes = new Set([...ids].filter((id) => id !== 'caller'));
  return (
    <>
      <InspectorHead kind="Selected" title={countWords(ids.size, 'part')}>
        <RemoveButton ids={nodes} what={countWords(nodes.size, 'part')} />
      </InspectorHead>
      <div className={styles['buttons']} role="group" aria-label="Put in line">
        <SmallButton onPress={() => store.edit('align parts', (document) => alignNodes(document, ids, 'x'))}>
          Align left edges
        </SmallButton>
        <SmallButton onPress={() => store.edit('align parts', (document) => alignNodes(document, ids, 'y'))}>
          Align upper edges
        </SmallButton>
        <SmallButton
          onPress={() => store.edit('spread parts', (document) => spreadNodes(document, ids, 'y'))}
        >
          Same distance, downwards
        </SmallButton>
        <SmallButton
          onPress={() => store.edit('spread parts', (document) => spreadNodes(document, ids, 'x'))}
        >
          Same distance, sideways
        </SmallButton>
      </div>
      <p className={styles['note']}>Select one part to see and change what it says.</p>
    </>
  );
}
