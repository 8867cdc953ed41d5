import type { NodeId } from '../../../../contract/ivr-draft.ts';
import { useDesignerState } from '../use-designer.ts';
import { CallerInspector } from './caller-inspector.tsx';
import { DraftInspector } from './draft-inspector.tsx';
import { EndInspector } from './end-inspector.tsx';
import styles from './inspector.module.css';
import { MenuInspector } from './menu-inspector.tsx';
import { SeveralInspector } from './several-inspector.tsx';

/** What is selected, with everything that can be said of it. */
export function Inspector() {
  return (
    <section className={styles['inspector']} aria-label="Inspector">
      <Selected />
    </section>
  );
}

function Selected() {
  const selection = useDesignerState((state) => state.selection);
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
}
