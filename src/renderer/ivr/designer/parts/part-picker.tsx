import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import { partsText } from '../../../../text/designer-canvas.ts';
import { Text } from '../../../kit/text.tsx';
import input from '../../../kit/input.module.css';
import { PickList } from '../../../kit/pick-list.tsx';
import { PartIcon } from '../part-icon.tsx';
import type { NodePart, PartGroup } from './part-groups.ts';
import styles from './part-picker.module.css';

/** As many as a list shows of a group; the search finds the others. */
const shownAtMost = 30;

/** A short list to choose from by mouse or by typing and the arrows: what a line shall lead to. */
export function PartPicker({
  groupsFor,
  onChoose,
  onClose,
}: {
  /** What is offered while this is typed. */
  groupsFor: (text: string) => readonly PartGroup[];
  onChoose: (part: NodePart) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState('');
  const groups = groupsFor(text).map(({ title, parts }) => ({
    title,
    items: parts.slice(0, shownAtMost).map((item) => ({
      id: `${title} ${item.name} ${item.detail}`,
      name: item.name,
      item,
    })),
  }));

  /** Before the list, which keeps Escape for itself. */
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  }
  function leave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) onClose();
  }

  return (
    <div className={styles['picker']} onKeyDownCapture={press} onBlur={leave}>
      <PickList
        label={partsText.leadsTo}
        placeholder={partsText.leadsToHint}
        listLabel={partsText.title}
        groups={groups}
        styles={{ ...styles, field: input['input'] ?? '' }}
        onSearch={setText}
        onPick={({ part }) => {
          if (part.kind === 'menu' || part.kind === 'end') onChoose(part);
        }}
      >
        {({ icon, name, detail }) => (
          <>
            <PartIcon name={icon} />
            <Text as="span" isCut className={styles['name']}>
              {name}
            </Text>
            <Text as="span" tone="soft" size="tiny" isCut className={styles['detail']}>
              {detail}
            </Text>
          </>
        )}
      </PickList>
      {groups.every(({ items }) => items.length === 0) ? (
        <Text tone="soft" size="medium">
          {partsText.noMatches}
        </Text>
      ) : null}
    </div>
  );
}
