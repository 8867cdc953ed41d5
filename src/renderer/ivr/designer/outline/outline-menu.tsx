import type { KeyboardEvent } from 'react';

import type { MenuNode } from '../../../../contract/ivr-draft.ts';
import { nodeOf } from '../../../../core/ivr/node-of.ts';
import { tallyOf } from '../../../../core/ivr/tally.ts';
import { tallyWords } from '../../tally-words.ts';
import { MenuFields } from '../inspector/menu-fields.tsx';
import { nodeWords } from '../inspector/node-words.ts';
import { SmallButton } from '../inspector/small-button.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import styles from './outline.module.css';

/** A menu in the outline: where each of its ways leads, and all its fields while it is open. */
export function OutlineMenu({
  menu,
  isOpen,
  isInTabOrder,
  onFocus,
  onPress,
  onRemove,
}: {
  menu: MenuNode;
  isOpen: boolean;
  isInTabOrder: boolean;
  onFocus: () => void;
  onPress: (event: KeyboardEvent) => void;
  onRemove: () => void;
}) {
  const { store, surroundings, check } = useDesigner();
  const name = nodeWords(menu, surroundings);
  const problems = check.problems.filter(({ node }) => node === menu.id);
  const isBroken = problems.some(({ severity }) => severity === 'error');
  const state = problems.length === 0 ? 'fine' : isBroken ? 'error' : 'warning';
  return (
    <li className={styles['item']} data-open={isOpen}>
      <h3 className={styles['heading']}>
        <button
          type="button"
          className={styles['toggle']}
          data-path={`nodes.${menu.id}`}
          tabIndex={isInTabOrder ? 0 : -1}
          aria-expanded={isOpen}
          aria-keyshortcuts="Delete"
          onFocus={onFocus}
          onKeyDown={onPress}
          onClick={() => store.select(new Set(isOpen ? [] : [menu.id]))}
        >
          <span className={styles['name']}>{name}</span>
          <span className={styles['state']} data-state={state}>
            {tallyWords(tallyOf(problems))}
          </span>
          {isOpen ? null : <Summary menu={menu} />}
        </button>
      </h3>
      {isOpen ? (
        <div className={styles['fields']}>
          <MenuFields key={menu.id} menu={menu} />
          <div>
            <SmallButton icon="remove" onPress={onRemove}>
              Remove this menu
            </SmallButton>
          </div>
        </div>
      ) : null}
    </li>
  );
}

/** “1: Sales. 2: Extension 101. Wrong key: Hang up. Silence: still open.” */
function Summary({ menu }: { menu: MenuNode }) {
  const { surroundings } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const ways = [
    ...menu.keys.map(({ key, to }) => [key === '' ? '?' : key, to] as const),
    ['Wrong key', menu.invalid_destination] as const,
    ['Silence', menu.timeout_destination] as const,
  ];
  const words = ways.map(([way, to]) => {
    const node = nodeOf(document, to);
    return `${way}: ${node === null ? 'still open' : nodeWords(node, surroundings)}`;
  });
  return <span className={styles['summary']}>{words.join(' · ')}</span>;
}
