import { countWords } from '../../../kit/count-words.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { InspectorHead } from './inspector-head.tsx';
import styles from './inspector.module.css';
import { TextLine } from './text-line.tsx';

/** Nothing is selected: the drawing as a whole, and how to go on. */
export function DraftInspector() {
  const { store, check } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const nodes = Object.values(document.nodes);
  const menus = nodes.filter(({ kind }) => kind === 'menu').length;
  const errors = check.problems.filter(({ severity }) => severity === 'error').length;
  return (
    <>
      <InspectorHead kind="Drawing" title={document.name} />
      <TextLine
        label="Name of the drawing"
        spec={null}
        path="name"
        value={document.name}
        onType={(name) => {
          // A drawing is never without a name: it is what it is found by.
          if (name.trim() !== '' && name.length <= 100)
            store.edit('rename the drawing', (drawn) => ({ ...drawn, name }), { merge: 'name' });
        }}
      />
      <dl className={styles['facts']}>
        <dt>Menus</dt>
        <dd>{menus}</dd>
        <dt>Destinations</dt>
        <dd>{nodes.length - menus}</dd>
        <dt>Scenarios</dt>
        <dd>{Object.keys(document.scenarios).length}</dd>
        <dt>Proved</dt>
        <dd>{errors === 0 ? 'nothing keeps it from being published' : countWords(errors, 'error')}</dd>
      </dl>
      {menus > 0 ? (
        <p className={styles['note']}>Select a part of the drawing to see and change what it says.</p>
      ) : (
        <ol className={styles['steps']}>
          <li>Add a menu from the palette, or begin with a template.</li>
          <li>Say what callers hear, and add a key for each thing they may want.</li>
          <li>Lead each key somewhere: an extension, another menu, the end of the call.</li>
          <li>Play it, and publish it when nothing is wrong any more.</li>
        </ol>
      )}
    </>
  );
}
