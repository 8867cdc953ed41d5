import { flushSync } from 'react-dom';

import type { EndNode } from '../../../../contract/ivr-draft.ts';
import { putNode } from '../../../../core/ivr/edit/edit-nodes.ts';
import { freeNodeId, newEnd } from '../../../../core/ivr/edit/new-node.ts';
import { Button } from '../../../kit/button.tsx';
import { EndFields } from '../inspector/end-fields.tsx';
import { FieldProblems, useProblemsAt } from '../inspector/field-problems.tsx';
import { focusField } from '../inspector/focus-field.ts';
import { nodeWords } from '../inspector/node-words.ts';
import { RemoveButton } from '../inspector/remove-button.tsx';
import { placeBeside } from '../layout/free-place.ts';
import { useDesigner } from '../use-designer.ts';
import styles from './outline.module.css';

/** Where calls leave the drawing. */
export function OutlineEnds({ ends }: { ends: readonly EndNode[] }) {
  const { store } = useDesigner();

  function add(): void {
    const { document } = store.state();
    const id = freeNodeId(document, 'end');
    const end = newEnd(id, 'extension', '', placeBeside(document, null));
    flushSync(() => store.edit('add a destination', (drawn) => putNode(drawn, end)));
    focusField(`nodes.${id}.type`);
  }

  return (
    <div className={styles['part']}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>Destinations</h2>
        <Button onPress={add}>Add a destination</Button>
      </div>
      {ends.length === 0 ? (
        <p className={styles['note']}>
          None yet. A key can also be led to a new one right where it is chosen.
        </p>
      ) : (
        <ul className={styles['list']}>
          {ends.map((end) => (
            <OutlineEnd key={end.id} end={end} />
          ))}
        </ul>
      )}
    </div>
  );
}

function OutlineEnd({ end }: { end: EndNode }) {
  const { surroundings } = useDesigner();
  const problems = useProblemsAt(`nodes.${end.id}`);
  const name = nodeWords(end, surroundings);
  return (
    <li className={styles['item']} data-path={`nodes.${end.id}`} tabIndex={-1} aria-label={name}>
      <div className={styles['ends']}>
        <EndFields end={end} />
        <RemoveButton ids={new Set([end.id])} what={`“${name}”`} />
      </div>
      <FieldProblems problems={problems} />
    </li>
  );
}
