import { useState } from 'react';
import type { EndNode } from '../../../../contract/menu/ivr-draft.ts';
import type { IvrDestinationType } from '../../../../contract/menu/ivr.ts';
import { changeEnd } from '../../../../core/ivr/edit/edit-nodes.ts';
import { internationalNumber } from '../../../../core/ivr/outside-number.ts';
import { destinationTypes, directoryName } from '../../../../text/menu/phone-menu.ts';
import { namedOf } from '../canvas/card-content.ts';
import { useDesigner } from '../use-designer.ts';
import { Combo, matching, type Offer } from './combo.tsx';
import panel from '../panel.module.css';
import { SpecField, type TiedToPath } from './spec-field.tsx';
import { editText } from '../../../../text/menu/designer.ts';
import { destinationText as text } from '../../../../text/menu/designer-inspector.ts';

/** The kind and the id of a destination. */
export function EndFields({ end }: { end: EndNode }) {
  const { store, referenceData } = useDesigner();
  // The arrow keys go through all kinds, including the one without an id.
  const [lastRef, setLastRef] = useState('');

  function setType(type: IvrDestinationType): void {
    if (end.ref !== '') setLastRef(end.ref);
    const givenRef = end.ref === '' ? lastRef : end.ref;
    const ref = type === 'hangup' ? '' : givenRef;
    store.edit(editText.changeDestinationKind, (document) => changeEnd(document, end.id, { type, ref }), {
      merge: `nodes.${end.id}.type`,
    });
  }

  return (
    <>
      <SpecField label={text.kind} path={`nodes.${end.id}.type`}>
        {(tied) => (
          <select
            {...tied}
            className={panel['select']}
            value={end.type}
            onChange={({ target }) => setType(target.value as IvrDestinationType)}
            onBlur={() => store.settle()}
          >
            {destinationTypes.map(({ type, word }) => (
              <option key={type} value={type}>
                {word}
              </option>
            ))}
          </select>
        )}
      </SpecField>
      {end.type === 'hangup' ? (
        <p className={panel['note']}>{text.ends}</p>
      ) : (
        <SpecField label={text.id} path={`nodes.${end.id}.ref`} hint={refHint()}>
          {(tied) => <EndRef end={end} tied={tied} />}
        </SpecField>
      )}
    </>
  );

  function refHint(): string {
    const name = directoryName(end, referenceData);
    if (name !== undefined) return name;
    if (end.type === 'number') return text.numberHint;
    return end.type === 'extension' || end.type === 'ivr' ? text.search : text.idOnly;
  }
}

/** The id of a destination, chosen by name from a directory or typed. */
export function EndRef({
  end,
  tied = {},
  isInLine = false,
}: {
  end: EndNode;
  tied?: Partial<TiedToPath>;
  /** Whether it stands below a choice of destinations, where nothing else names it. */
  isInLine?: boolean;
}) {
  const { store, referenceData } = useDesigner();
  const word = destinationTypes.find(({ type }) => type === end.type)?.word ?? end.type;
  function offers(sought: string): readonly Offer[] {
    const known = namedOf(end.type, referenceData) ?? [];
    return matching(
      known.map(({ id, name }) => ({ value: id, name })),
      sought,
    );
  }
  const path = `nodes.${end.id}.ref`;
  function change(ref: string): void {
    store.edit(editText.changeDestinationId, (document) => changeEnd(document, end.id, { ref }), {
      merge: path,
    });
  }
  return (
    <Combo
      tied={
        isInLine ? { 'aria-label': text.idOf(word), placeholder: text.idHint(word), 'data-path': path } : tied
      }
      value={end.ref}
      offers={offers}
      onChange={change}
      onLeave={() => {
        const number = end.type === 'number' ? internationalNumber(end.ref) : null;
        if (number !== null && number !== end.ref) change(number);
        store.settle();
      }}
    />
  );
}
