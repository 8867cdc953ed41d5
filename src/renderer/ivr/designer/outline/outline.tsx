import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import type { MenuNode } from '../../../../contract/ivr-draft.ts';
import { putNode, removeNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { connect } from '../../../../core/ivr/edit/lines.ts';
import { freeMenuName, freeNodeId, newMenu } from '../../../../core/ivr/edit/new-node.ts';
import { Button } from '../../../kit/button.tsx';
import { DestinationLine } from '../inspector/destination-line.tsx';
import { focusField } from '../inspector/focus-field.ts';
import { nodeWords } from '../inspector/node-words.ts';
import { placeBeside } from '../layout/free-place.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { callOrder } from './call-order.ts';
import { nextOf } from './next-of.ts';
import { OutlineEnds } from './outline-ends.tsx';
import { OutlineMenu } from './outline-menu.tsx';
import styles from './outline.module.css';

/**
 * The drawing as a list of menus in the order of a call: everything that the canvas can do, with the keyboard alone.
 *
 * One menu is open at a time, the one that is selected. The arrow keys go from menu to menu; one of them is in the order
 * of Tab.
 */
export function Outline() {
  const { store, surroundings } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const selection = useDesignerState((state) => state.selection);
  const listRef = useRef<HTMLUListElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const order = useMemo(() => callOrder(document), [document]);
  const menus = order.filter((node): node is MenuNode => node.kind === 'menu');
  const open = selection.size === 1 ? [...selection][0] : undefined;
  const inTabOrder = menus.find(({ id }) => id === current)?.id ?? menus[0]?.id;

  function add(): void {
    const drawn = store.state().document;
    const id = freeNodeId(drawn, 'menu');
    const menu = newMenu(id, freeMenuName(drawn), placeBeside(drawn, null));
    const isFirst = drawn.caller.to === null;
    flushSync(() =>
      store.edit(
        'add a menu',
        (before) =>
          isFirst ? connect(putNode(before, menu), { kind: 'caller' }, id) : putNode(before, menu),
        { select: new Set([id]) },
      ),
    );
    focusField(`nodes.${id}.name`);
  }

  function remove(menu: MenuNode): void {
    const place = menus.indexOf(menu);
    const next = menus[place + 1] ?? menus[place - 1];
    flushSync(() =>
      store.edit(
        `remove “${nodeWords(menu, surroundings)}”`,
        (drawn) => removeNodes(drawn, new Set([menu.id])),
        {
          select: new Set(),
        },
      ),
    );
    if (next !== undefined) focusField(`nodes.${next.id}`);
  }

  function press(event: KeyboardEvent, menu: MenuNode): void {
    const to = nextOf(event.key, menus.indexOf(menu), menus.length);
    const next = to === null ? undefined : menus[to];
    if (next !== undefined) {
      event.preventDefault();
      listRef.current?.querySelector<HTMLElement>(`[data-path="nodes.${CSS.escape(next.id)}"]`)?.focus();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      event.preventDefault();
      store.select(new Set(event.key === 'ArrowRight' ? [menu.id] : []));
    } else if (event.key === 'Delete') {
      event.preventDefault();
      remove(menu);
    }
  }

  return (
    <section className={styles['outline']} aria-label="Outline">
      <div className={styles['part']}>
        <h2 className={styles['title']}>Caller</h2>
        <div className={styles['caller']}>
          <DestinationLine
            label="Every call comes first to"
            spec={null}
            path="caller.to"
            name="the caller"
            from={{ kind: 'caller' }}
            to={document.caller.to}
            menusOnly
          />
        </div>
      </div>
      <div className={styles['part']}>
        <div className={styles['head']}>
          <h2 className={styles['title']}>Menus</h2>
          <Button onPress={add}>Add a menu</Button>
        </div>
        {menus.length === 0 ? (
          <p className={styles['note']}>No menu yet. Add the one that callers meet first.</p>
        ) : (
          <ul ref={listRef} className={styles['list']}>
            {menus.map((menu) => (
              <OutlineMenu
                key={menu.id}
                menu={menu}
                isOpen={menu.id === open}
                isInTabOrder={menu.id === inTabOrder}
                onFocus={() => setCurrent(menu.id)}
                onPress={(event) => press(event, menu)}
                onRemove={() => remove(menu)}
              />
            ))}
          </ul>
        )}
      </div>
      <OutlineEnds ends={order.filter((node) => node.kind === 'end')} />
    </section>
  );
}
