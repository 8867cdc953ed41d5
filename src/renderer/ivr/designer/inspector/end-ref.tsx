import type { EndNode } from '../../../../contract/ivr-draft.ts';
import { changeEnd } from '../../../../core/ivr/edit/edit-nodes.ts';
import { useDesigner } from '../use-designer.ts';
import { Combo } from './combo.tsx';
import type { Offer } from './matching.ts';
import { destinationTypes } from './node-words.ts';
import type { TiedToPath } from './spec-field.tsx';

/** The id behind a destination's type, chosen by the directory's names or typed. */
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
  const { store, surroundings } = useDesigner();
  const word = destinationTypes.find(({ type }) => type === end.type)?.word ?? end.type;
  function offers(): readonly Offer[] {
    if (end.type === 'extension') return surroundings.extensions.map(({ id, name }) => ({ value: id, name }));
    return end.type === 'ivr' ? surroundings.menus.map(({ id, name }) => ({ value: id, name })) : [];
  }
  const path = `nodes.${end.id}.ref`;
  return (
    <Combo
      tied={
        isInLine
          ? { 'aria-label': `${word}: id`, placeholder: `Id of the ${word.toLowerCase()}`, 'data-path': path }
          : tied
      }
      value={end.ref}
      offers={offers}
      onChange={(ref) =>
        store.edit('change the id of a destination', (document) => changeEnd(document, end.id, { ref }), {
          merge: path,
        })
      }
      onLeave={() => store.settle()}
    />
  );
}
