import type { NodeId } from '../../../../contract/ivr-draft.ts';
import type { Port } from '../../../../core/ivr/edit/port.ts';
import { DestinationPicker } from './destination-picker.tsx';
import { SpecField } from './spec-field.tsx';

/** Where a way out of a menu leads. */
export function DestinationLine({
  label,
  spec,
  path,
  name,
  from,
  to,
  menusOnly = false,
}: {
  label: string;
  spec: string | null;
  path: string;
  /** How undo tells it: “the wrong key”. */
  name: string;
  from: Port;
  to: NodeId | null;
  menusOnly?: boolean;
}) {
  return (
    <SpecField label={label} spec={spec} path={path}>
      {(tied) => <DestinationPicker tied={tied} name={name} from={from} to={to} menusOnly={menusOnly} />}
    </SpecField>
  );
}
