import type { EndNode } from '../../../../contract/ivr-draft.ts';
import { linesOf } from '../../../../core/ivr/edit/lines.ts';
import { countWords } from '../../../kit/count-words.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { EndFields } from './end-fields.tsx';
import { FieldProblems, useProblemsAt } from './field-problems.tsx';
import { InspectorHead } from './inspector-head.tsx';
import styles from './inspector.module.css';
import { destinationOf, nodeWords } from './node-words.ts';
import { RemoveButton } from './remove-button.tsx';

export function EndInspector({ end }: { end: EndNode }) {
  const { surroundings } = useDesigner();
  const lines = useDesignerState(
    ({ document }) => linesOf(document).filter(({ to }) => to === end.id).length,
  );
  const problems = useProblemsAt(`nodes.${end.id}`);
  const name = nodeWords(end, surroundings);
  return (
    <>
      <InspectorHead kind="Destination" title={name}>
        <RemoveButton ids={new Set([end.id])} what={`“${name}”`} />
      </InspectorHead>
      <FieldProblems problems={problems} />
      <EndFields end={end} />
      <dl className={styles['facts']}>
        <dt>In the body</dt>
        <dd>
          <code>{destinationOf(end)}</code>
        </dd>
        <dt>Leads here</dt>
        <dd>{lines === 0 ? 'nothing yet' : countWords(lines, 'line')}</dd>
      </dl>
    </>
  );
}
