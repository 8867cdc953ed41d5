import { memo, useDeferredValue } from 'react';

import type { NodeId } from '../../../../contract/ivr-draft.ts';
import type { Selection } from '../designer-store.ts';
import { shows } from '../focus-inspector.ts';
import { useDesignerState } from '../use-designer.ts';
import { CallerInspector } from './caller-inspector.tsx';
import { DraftInspector } from './draft-inspector.tsx';
import { EndInspector } from './end-inspector.tsx';
import styles from './inspector.module.css';
import { MenuInspector } from './menu-inspector.tsx';
import { SeveralInspector } from './several-inspector.tsx';

/** What is selected, with everything that can be said of it. */
export function Inspector() {
  // Deferred: a card that is let go must not stand still until its fields are drawn.
  const selection = useDeferredValue(useDesignerState((state) => state.selection));
  return (
    <section className={styles['inspector']} aria-label="Inspector" {...shows(selection)}>
      <Selected selection={selection} />
    </section>
  );
}

const Selected = memo(function Selected({ selection }: { selection: Selection }) {
  const nodes = useDesignerState(({ document }) => document.nodes);
  const [only] = selection;
  if (only === undefined) return <DraftInspector />;
  if (selection.size > 1) return <SeveralInspector ids={selection} />;
  if (only === 'caller') return <CallerInspector />;
  const node = nodes[only as NodeId];
  if (node === undefined) return <DraftInspector />;
  // Keyed: what is half typed belongs to one node.
  return node.kind === 'menu' ? (
    <MenuInspector key={node.id} menu={node} />
  ) : (
    <EndInspector key={node.id} end={node} />
  );
});
