import type { NodeId, ScenarioEnd } from '../../../../contract/ivr-draft.ts';
import { isSameReference } from '../../../../core/ivr/reference.ts';
import { destinationOf } from '../inspector/node-words.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { endWords } from './end-words.ts';
import styles from './scenario-list.module.css';

/** Where a scenario has to come out: at a destination of the drawing, or waiting in one of its menus. */
export function ExpectedEnd({
  path,
  expected,
  onChange,
}: {
  path: string;
  expected: ScenarioEnd;
  onChange: (expected: ScenarioEnd) => void;
}) {
  const { store, surroundings } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const destinations = new Set<string>();
  const menus: NodeId[] = [];
  for (const node of Object.values(document.nodes)) {
    if (node.kind === 'menu') menus.push(node.id);
    else destinations.add(destinationOf(node));
  }
  // One that the drawing has no more stays what is expected.
  const isDrawn =
    expected.kind === 'menu'
      ? menus.includes(expected.menu)
      : [...destinations].some((other) => isSameReference(other, expected.destination));
  const words = (end: ScenarioEnd) => endWords(document, end, surroundings);
  return (
    <select
      className={styles['select']}
      data-path={path}
      value={writeEnd(expected)}
      onChange={({ target }) => onChange(readEnd(target.value))}
      onBlur={() => store.settle()}
    >
      {isDrawn ? null : <option value={writeEnd(expected)}>{words(expected)}</option>}
      <optgroup label="Destinations">
        {[...destinations].map((destination) => (
          <option key={destination} value={`destination ${destination}`}>
            {words({ kind: 'destination', destination })}
          </option>
        ))}
      </optgroup>
      <optgroup label="Waits in a menu">
        {menus.map((menu) => (
          <option key={menu} value={`menu ${menu}`}>
            {words({ kind: 'menu', menu })}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

function writeEnd(end: ScenarioEnd): string {
  return end.kind === 'menu' ? `menu ${end.menu}` : `destination ${end.destination}`;
}

function readEnd(value: string): ScenarioEnd {
  const [kind = ''] = value.split(' ');
  const rest = value.slice(kind.length + 1);
  return kind === 'menu'
    ? { kind: 'menu', menu: rest as NodeId }
    : { kind: 'destination', destination: rest };
}
