import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import type {
  DraftNode,
  EndNode,
  IvrDocument,
  LeadingNode,
  NodeId,
} from '../../../contract/menu/ivr-draft.ts';
import { freeNodeId, newEnd, putNode, removeNodes } from '../../../core/ivr/edit/edit-nodes.ts';
import { linesOf, nodeOf, outcomesOf } from '../../../core/ivr/edit/lines.ts';
import { tallyOf } from '../../../core/ivr/finding-severity.ts';
import {
  hoursPortNames,
  nodeTitle,
  outcomeNames,
  tallyText,
  thenName,
} from '../../../text/menu/phone-menu.ts';
import { Button } from '../../kit/button.tsx';
import { MenuCallsNote } from './calls/traffic-signs.tsx';
import { DestinationLine } from './inspector/destination-picker.tsx';
import { EndFields } from './inspector/end-fields.tsx';
import { RemoveButton } from './inspector/inspector.tsx';
import { FlowPrompts } from './inspector/menu-fields.tsx';
import { LeadingFields } from './inspector/office-fields.tsx';
import { severityTones } from './severity-sign.tsx';
import { SmallButton } from './small-button.tsx';
import { FieldProblems, focusField, useProblemsAt, useRequestedFocus } from './inspector/spec-field.tsx';
import { usualSchedule } from './parts/part-groups.ts';
import { placeBeside } from './layout/free-place.ts';
import { addBeside } from './parts/place-part.ts';
import { useDesigner, useDesignerState } from './use-designer.ts';
import panel from './panel.module.css';
import styles from './outline.module.css';
import { editText } from '../../../text/menu/designer.ts';
import { inspectorText, outlineText as text } from '../../../text/menu/designer-inspector.ts';

/**
 * The call flow as a list of menus in the order of a call: everything that the canvas can do, with the keyboard alone.
 *
 * One menu is open at a time, the selected one. The arrow keys go from menu to menu; one menu is in the Tab order.
 */
export function Outline() {
  const { store, referenceData } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const selection = useDesignerState((state) => state.selection);
  const listRef = useRef<HTMLUListElement>(null);
  useRequestedFocus('fields');
  const [current, setCurrent] = useState<string | null>(null);
  const order = useMemo(() => callOrder(document), [document]);
  const menus = order.filter((node): node is LeadingNode => node.kind !== 'end');
  const open = selection.size === 1 ? [...selection][0] : undefined;
  const inTabOrder = menus.find(({ id }) => id === current)?.id ?? menus[0]?.id;

  function remove(menu: LeadingNode): void {
    const place = menus.indexOf(menu);
    const next = menus[place + 1] ?? menus[place - 1];
    flushSync(() =>
      store.edit(
        editText.remove(inspectorText.part(nodeTitle(menu, referenceData))),
        (drawn) => removeNodes(drawn, new Set([menu.id])),
        {
          select: new Set(),
        },
      ),
    );
    if (next !== undefined) focusField(`nodes.${next.id}`);
  }

  function press(event: KeyboardEvent, menu: LeadingNode): void {
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
    <Stack as="section" gap={6} className={styles['outline']} aria-label={text.title}>
      <div className={panel['group']}>
        <h2 className={panel['title']}>{text.caller}</h2>
        <div className={styles['caller']}>
          <DestinationLine
            label={inspectorText.first}
            path="caller.to"
            name={inspectorText.firstName}
            from={{ kind: 'caller' }}
            to={document.caller.to}
            isStart
          />
        </div>
      </div>
      <div className={panel['group']}>
        <Row gap={3} wraps align="center" justify="between">
          <h2 className={panel['title']}>{text.menus}</h2>
          <Row gap={2} wraps>
            <Button onPress={() => addBeside(store, { kind: 'menu' })}>{text.addMenu}</Button>
            <Button onPress={() => addBeside(store, { kind: 'hours', hours: usualSchedule(referenceData) })}>
              {text.addHours}
            </Button>
            <Button onPress={() => addBeside(store, { kind: 'message' })}>{text.addMessage}</Button>
          </Row>
        </Row>
        {menus.length === 0 ? (
          <p className={panel['note']}>{text.noMenus}</p>
        ) : (
          <ul ref={listRef} className={panel['group']} aria-label={text.menus}>
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
      <FlowPrompts />
    </Stack>
  );
}

/** The destinations of the call flow. */
function OutlineEnds({ ends }: { ends: readonly EndNode[] }) {
  const { store } = useDesigner();

  function add(): void {
    const { document } = store.state();
    const id = freeNodeId(document, 'end');
    const end = newEnd(id, 'extension', '', placeBeside(document, null, 'end'));
    flushSync(() => store.edit(editText.addDestination, (drawn) => putNode(drawn, end)));
    focusField(`nodes.${id}.type`);
  }

  return (
    <div className={panel['group']}>
      <Row gap={3} wraps align="center" justify="between">
        <h2 className={panel['title']}>{text.destinations}</h2>
        <Button onPress={add}>{text.addDestination}</Button>
      </Row>
      {ends.length === 0 ? (
        <p className={panel['note']}>{text.noDestinations}</p>
      ) : (
        <ul className={panel['group']} aria-label={text.destinations}>
          {ends.map((end) => (
            <OutlineEnd key={end.id} end={end} />
          ))}
        </ul>
      )}
    </div>
  );
}

function OutlineEnd({ end }: { end: EndNode }) {
  const { referenceData } = useDesigner();
  const problems = useProblemsAt(`nodes.${end.id}`);
  const name = nodeTitle(end, referenceData);
  return (
    <li className={styles['item']} data-path={`nodes.${end.id}`} tabIndex={-1} aria-label={name}>
      <div className={styles['ends']}>
        <EndFields end={end} />
        <RemoveButton ids={new Set([end.id])} what={inspectorText.part(name)} />
      </div>
      <FieldProblems problems={problems} />
    </li>
  );
}

/** A menu in the outline: its destinations in one line, and all its fields while it is open. */
function OutlineMenu({
  menu,
  isOpen,
  isInTabOrder,
  onFocus,
  onPress,
  onRemove,
}: {
  menu: LeadingNode;
  isOpen: boolean;
  isInTabOrder: boolean;
  onFocus: () => void;
  onPress: (event: KeyboardEvent) => void;
  onRemove: () => void;
}) {
  const { store, referenceData, check } = useDesigner();
  const name = nodeTitle(menu, referenceData);
  const problems = check.problems.filter(({ node }) => node === menu.id);
  const [worst] = problems; // the worst come first
  const tone = worst === undefined ? 'soft' : severityTones[worst.severity];
  /** Escape goes from the fields back to the list of menus. */
  function leaveFields(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented || event.target instanceof HTMLDialogElement) return;
    focusField(`nodes.${menu.id}`);
  }

  return (
    <li className={styles['item']} data-open={isOpen} onKeyDown={leaveFields}>
      <h3>
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
          <Text as="span" weight="bold" breaks>
            {name}
          </Text>
          <Text as="span" tone={tone} size="small">
            {tallyText(tallyOf(problems))}
          </Text>
          {isOpen ? null : <Summary menu={menu} />}
        </button>
      </h3>
      {menu.kind === 'menu' ? <MenuCallsNote menu={menu} /> : null}
      {isOpen ? (
        <Stack gap={4} className={styles['fields']}>
          <LeadingFields key={menu.id} node={menu} />
          <div>
            <SmallButton icon="remove" onPress={onRemove}>
              {menu.kind === 'menu' ? text.removeMenu : text.removePart}
            </SmallButton>
          </div>
        </Stack>
      ) : null}
    </li>
  );
}

/** “1: Sales · 2: Extension 101 · Wrong key: Hang up · Timeout: no destination” */
function Summary({ menu }: { menu: LeadingNode }) {
  const { referenceData } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const ways = outcomesOf(menu).map(({ from, to }) => {
    const way =
      from.kind === 'key' && menu.kind === 'menu' ? menu.keys[from.index]?.key : exitNames[from.kind];
    return [way ?? '', to] as const;
  });
  const words = ways.map(([way, to]) => {
    const node = nodeOf(document, to);
    return text.way(way, node === null ? null : nodeTitle(node, referenceData));
  });
  return (
    <Text as="span" tone="soft" size="small" className={styles['summary']}>
      {words.join(' · ')}
    </Text>
  );
}

const exitNames: Readonly<Record<string, string>> = { ...outcomeNames, ...hoursPortNames, then: thenName };

/** The nodes of a call flow in the order in which calls reach them; unreachable ones come last, in the order of the document. */
export function callOrder(document: IvrDocument): readonly DraftNode[] {
  const ledTo = new Map<string, NodeId[]>();
  for (const { from, to } of linesOf(document)) {
    if (from.kind === 'caller') continue;
    const known = ledTo.get(from.menu);
    if (known === undefined) ledTo.set(from.menu, [to]);
    else known.push(to);
  }
  const order = new Map<string, DraftNode>();
  let next: (NodeId | null)[] = [document.caller.to];
  while (next.length > 0) {
    const after: NodeId[] = [];
    for (const id of next) {
      const node = nodeOf(document, id);
      if (node === null || order.has(node.id)) continue;
      order.set(node.id, node);
      after.push(...(ledTo.get(node.id) ?? []));
    }
    next = after;
  }
  for (const node of Object.values(document.nodes)) order.set(node.id, node);
  return [...order.values()];
}

/** Which of `count` entries a key moves the focus to; null for any other key. */
export function nextOf(key: string, from: number, count: number): number | null {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, last);
    case 'ArrowUp':
      return Math.max(from - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
