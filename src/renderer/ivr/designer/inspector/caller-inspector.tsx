import { useDesignerState } from '../use-designer.ts';
import { DestinationLine } from './destination-line.tsx';
import { InspectorHead } from './inspector-head.tsx';
import styles from './inspector.module.css';

export function CallerInspector() {
  const to = useDesignerState(({ document }) => document.caller.to);
  return (
    <>
      <InspectorHead kind="Where every call begins" title="Caller" />
      <DestinationLine
        label="Every call comes first to"
        spec={null}
        path="caller.to"
        name="the caller"
        from={{ kind: 'caller' }}
        to={to}
        menusOnly
      />
      <p className={styles['note']}>
        The body says nothing of this: it is the menu that a telephone number is connected with.
      </p>
    </>
  );
}
