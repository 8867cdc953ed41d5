import { useState } from 'react';
import type { DraftNode, IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import type { IvrDestinationType } from '../../../../contract/ivr.ts';
import { freeMenuName, freeNodeId, newEnd, newMenu, putNode } from '../../../../core/ivr/edit/edit-nodes.ts';
import { connect, type Port } from '../../../../core/ivr/edit/lines.ts';
import { destinationTypes, nodeWords } from '../../../../text/phone-menu.ts';
import { placeBeside } from '../layout/free-place.ts';
import { type ReferenceData, useDesigner, useDesignerState } from '../use-designer.ts';
import { Combo, type Offer } from './combo.tsx';
import styles from './destination-picker.module.css';
import { EndRef } from './end-fields.tsx';
import { SpecField, type TiedToPath } from './spec-field.tsx';
import { editText } from '../../../../text/designer.ts';
import { destinationText } from '../../../../text/designer-inspector.ts';

interface LeadOffer extends Offer {
  readonly lead: Lead;
}

/**
 * Where a port leads: any node of the call flow, or a new one, whose id is then entered below.
 *
 * Not a native select: that chooses at every typed letter, and a choice here may add a part.
 */
export function DestinationPicker({
  tied,
  name,
  from,
  to,
  menusOnly = false,
  isInRow = false,
}: {
  tied: Partial<TiedToPath>;
  /** Its name where it has no label, and in the text of undo: “key 1”. */
  name: string;
  from: Port;
  to: NodeId | null;
  /** The caller can only be connected to a menu. */
  menusOnly?: boolean;
  /** Whether it is a cell of the table of keys. */
  isInRow?: boolean;
}) {
  const { store, referenceData } = useDesigner();
  const nodes = useDesignerState(({ document }) => document.nodes);
  const [typed, setTyped] = useState<string | null>(null);
  const node = to === null ? undefined : nodes[to];
  const shown = node === undefined ? '' : nodeWords(node, referenceData);
  const offers = (): readonly LeadOffer[] => offersOf(Object.values(nodes), referenceData, menusOnly);

  function take(offer: Offer): void {
    const chosen = offers().find(({ value }) => value === offer.value);
    setTyped(null);
    if (chosen !== undefined)
      store.edit(editText.chooseDestination(name), (document) => leadTo(document, from, chosen.lead));
  }

  return (
    <div className={styles['pick']} data-in-row={isInRow}>
      <Combo
        isClosed
        tied={{
          ...tied,
          'aria-label': tied.id === undefined ? destinationText.label(name) : undefined,
          placeholder: to !== null && node === undefined ? destinationText.removed : destinationText.none,
        }}
        value={typed ?? shown}
        offers={offers}
        onChange={setTyped}
        onTake={take}
        onLeave={() => setTyped(null)}
      />
      {node?.kind !== 'end' || node.type === 'hangup' ? null : <EndRef end={node} isInLine />}
    </div>
  );
}

function offersOf(
  nodes: readonly DraftNode[],
  known: ReferenceData,
  menusOnly: boolean,
): readonly LeadOffer[] {
  const there = nodes
    .filter(({ kind }) => kind === 'menu' || !menusOnly)
    .toSorted((one, other) => other.kind.localeCompare(one.kind)); // menus before ends
  const newEnds = menusOnly ? [] : destinationTypes;
  return [
    ...there.map((node) => ({
      value: `node ${node.id}`,
      name: nodeWords(node, known),
      note: node.kind === 'menu' ? destinationText.menu : '',
      lead: { kind: 'node', id: node.id } as const,
    })),
    { value: 'new menu', name: destinationText.newMenu, note: '', lead: { kind: 'new-menu' } },
    ...newEnds.map(({ type, word }) => ({
      value: `new ${type}`,
      name: destinationText.newOf(word),
      note: '',
      lead: { kind: 'new-end', type } as const,
    })),
    { value: 'none', name: destinationText.none, note: '', lead: { kind: 'none' } },
  ];
}

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
  /** Its name in the text of undo: “the wrong key”. */
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

/** What a port can lead to: nothing, an existing node, or a new one. */
type Lead =
  | { readonly kind: 'none' }
  | { readonly kind: 'node'; readonly id: NodeId }
  | { readonly kind: 'new-menu' }
  | { readonly kind: 'new-end'; readonly type: IvrDestinationType };

/** Connects a port; a new node is placed beside the node of the port. */
export function leadTo(document: IvrDocument, from: Port, lead: Lead): IvrDocument {
  if (lead.kind === 'none') return connect(document, from, null);
  if (lead.kind === 'node') return connect(document, from, lead.id);
  const place = placeBeside(document, from.kind === 'caller' ? null : from.menu);
  const id = freeNodeId(document, lead.kind === 'new-menu' ? 'menu' : 'end');
  const node =
    lead.kind === 'new-menu' ? newMenu(id, freeMenuName(document), place) : newEnd(id, lead.type, '', place);
  return connect(putNode(document, node), from, id);
}
