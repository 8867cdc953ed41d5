import { useState } from 'react';
import type { NodeId } from '../../../../contract/menu/ivr-draft.ts';
import type { Port } from '../../../../core/ivr/edit/lines.ts';
import { nodeTitle } from '../../../../text/menu/phone-menu.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { Combo, type Offer } from './combo.tsx';
import styles from './inspector.module.css';
import { destinationOffers, type LeadOffer, leadTo, partOfLead } from './destinations.ts';
import { firstNeed } from '../parts/place-part.ts';
import { EndRef } from './end-fields.tsx';
import { SpecField, type TiedToPath } from './spec-field.tsx';
import { editText } from '../../../../text/menu/designer.ts';
import { destinationText } from '../../../../text/menu/designer-inspector.ts';

/**
 * Where a port leads: any node of the call flow, or a new one. A new one that needs a number gets the focus in its field below.
 *
 * Not a native select: that chooses at every typed letter, and a choice here may add a part.
 */
export function DestinationPicker({
  tied,
  name,
  from,
  to,
  isStart = false,
  isInRow = false,
}: {
  tied: Partial<TiedToPath>;
  /** Its name where it has no label, and in the text of undo: “key 1”. */
  name: string;
  from: Port;
  to: NodeId | null;
  /** The caller cannot be connected to a destination. */
  isStart?: boolean;
  /** Whether it is a cell of the table of keys. */
  isInRow?: boolean;
}) {
  const { store, referenceData } = useDesigner();
  const nodes = useDesignerState(({ document }) => document.nodes);
  const [typed, setTyped] = useState<string | null>(null);
  const node = to === null ? undefined : nodes[to];
  const shown = node === undefined ? '' : nodeTitle(node, referenceData);
  const offers = (sought: string): readonly LeadOffer[] =>
    destinationOffers(nodes, referenceData, sought, { isStart });

  function take(offer: Offer): void {
    const chosen = offers(typed ?? '').find(({ value }) => value === offer.value);
    setTyped(null);
    if (chosen === undefined) return;
    const { document, added } = leadTo(store.state().document, from, chosen.lead);
    store.edit(editText.chooseDestination(name), () => document);
    const part = partOfLead(chosen.lead);
    const need = part === null ? null : firstNeed(part);
    if (added !== null && need === 'ref') store.requestFocus(`nodes.${added}.ref`);
  }

  return (
    <div className={styles['destination']} data-in-row={isInRow}>
      <div className={styles['destinationTo']}>
        <Combo
          isClosed
          tied={{
            ...tied,
            'aria-label': tied.id === undefined ? destinationText.label(name) : undefined,
            placeholder: to !== null && node === undefined ? destinationText.removed : destinationText.none,
          }}
          value={typed ?? shown}
          offers={(sought) => titled(offers(sought), sought)}
          onChange={setTyped}
          onTake={take}
          onLeave={() => setTyped(null)}
        />
      </div>
      {node?.kind !== 'end' || node.type === 'hangup' ? null : (
        <div className={styles['destinationRef']}>
          <EndRef end={node} isInLine />
        </div>
      )}
    </div>
  );
}

/** By group while nothing is typed; afterwards the best match comes first. */
function titled(offers: readonly LeadOffer[], sought: string): readonly Offer[] {
  if (sought.trim() !== '') return offers;
  return offers.map((offer) => ({ ...offer, title: destinationText.groups[offer.group] }));
}

/** Where an exit of a menu leads: a key, the wrong key or the timeout. */
export function DestinationLine({
  label,
  path,
  name,
  from,
  to,
  isStart = false,
}: {
  label: string;
  path: string;
  /** Its name in the text of undo: “the wrong key”. */
  name: string;
  from: Port;
  to: NodeId | null;
  isStart?: boolean;
}) {
  return (
    <SpecField label={label} path={path}>
      {(tied) => <DestinationPicker tied={tied} name={name} from={from} to={to} isStart={isStart} />}
    </SpecField>
  );
}
