import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { partsText } from '../../../../text/menu/designer-canvas.ts';
import { destinationText } from '../../../../text/menu/designer-inspector.ts';
import { Text } from '../../../kit/text.tsx';
import input from '../../../kit/input.module.css';
import { type PickGroup, PickList } from '../../../kit/pick-list.tsx';
import type { Lead, LeadOffer } from '../inspector/destinations.ts';
import { PartIcon } from '../part-icon.tsx';
import styles from './destination-list.module.css';

/** A short list to choose from by mouse or by typing and the arrows: where a port leads, or what is added. Escape closes it. */
export function DestinationList({
  label,
  offersFor,
  onChoose,
  onClose,
}: {
  label: string;
  /** What is offered while this is typed, best first. */
  offersFor: (text: string) => readonly LeadOffer[];
  onChoose: (lead: Lead) => void;
  onClose: (reason: 'escape' | 'left') => void;
}) {
  const [text, setText] = useState('');
  const offers = offersFor(text);

  /** Before the list, which keeps Escape for itself. */
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose('escape');
  }
  function leave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) onClose('left');
  }

  return (
    <div className={styles['picker']} onKeyDownCapture={press} onBlur={leave}>
      <PickList
        label={label}
        placeholder={partsText.leadsToHint}
        listLabel={partsText.title}
        groups={text.trim() === '' ? byGroup(offers) : [{ title: null, items: offers.map(itemOf) }]}
        styles={{ ...styles, field: input['input'] ?? '' }}
        onSearch={setText}
        onPick={({ lead }) => onChoose(lead)}
      >
        {({ icon, name, note }) => (
          <>
            <PartIcon name={icon} />
            <Text as="span" isCut className={styles['name']} title={name}>
              {name}
            </Text>
            <Text as="span" tone="soft" size="tiny" isCut className={styles['detail']}>
              {note}
            </Text>
          </>
        )}
      </PickList>
      {offers.length === 0 ? (
        <Text tone="soft" size="medium">
          {partsText.noMatches}
        </Text>
      ) : null}
    </div>
  );
}

function itemOf(offer: LeadOffer) {
  return { id: offer.value, name: offer.name, item: offer };
}

function byGroup(offers: readonly LeadOffer[]): PickGroup<LeadOffer>[] {
  return (['flow', 'new', 'extensions', 'menus', 'none'] as const).map((group) => ({
    title: destinationText.groups[group],
    items: offers.filter((offer) => offer.group === group).map(itemOf),
  }));
}
