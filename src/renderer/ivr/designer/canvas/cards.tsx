import { Handle, type NodeProps, Position, type ReactFlowState, useNodeId, useStore } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import type { LeadingNode, MenuNode, MessageNode } from '../../../../contract/menu/ivr-draft.ts';
import { keyLabel, outcomeNames } from '../../../../text/menu/phone-menu.ts';
import { PartIcon } from '../part-icon.tsx';
import { SeveritySign } from '../severity-sign.tsx';
import { freeKeys } from './card-geometry.ts';
import { ExitTrafficSign, MenuTrafficSign, CallerBadge } from '../calls/traffic-signs.tsx';
import { NameField, PromptField, RefField, useIsOnCard } from './card-field.tsx';
import { AddExtension } from '../inspector/add-extension.tsx';
import { addExtensionText } from '../../../../text/menu/designer-inspector.ts';
import { focusCard } from './screen-box.ts';
import type { CardContent, ExitContent } from './card-content.ts';
import styles from './cards.module.css';
import type {
  CallerCardNode,
  CardData,
  CardMarks,
  EndCardNode,
  MenuCardNode,
  PartCardNode,
} from './flow-nodes.ts';
import { HoursRow } from './hours-row.tsx';
import { isInSight, sightAt } from './screen-box.ts';
import { useDesigner } from '../use-designer.ts';
import { cardText } from '../../../../text/menu/designer-canvas.ts';

/** The frame of every card: its edge shows its state, and in a small picture its name is shown large. */
function CardFrame({
  kind,
  name,
  isSelected,
  lit,
  marks,
  isUnknown = false,
  children,
}: {
  kind: 'caller' | 'menu' | 'end';
  name: string;
  isSelected: boolean;
  lit: CardData['lit'];
  marks: CardMarks | undefined;
  isUnknown?: boolean;
  children: ReactNode;
}) {
  const id = useNodeId() ?? '';
  const isDetailed = useStore((state) => showsDetail(state, id));
  return (
    <div
      className={`${styles['card']} ${styles[kind]}`}
      data-name={name}
      data-selected={isSelected}
      data-lit={lit}
      data-unknown={isUnknown}
      data-severity={marks?.severity}
      data-detailed={isDetailed}
    >
      <div className={styles['inside']}>{children}</div>
      {kind !== 'menu' ? null : (
        <>
          <MenuTrafficSign node={id} />
          <CallerBadge node={id} name={name} />
        </>
      )}
    </div>
  );
}

/** How far out of sight a card is rendered in detail, in pixels of the screen. */
const marginPixels = 120;

/** Whether the text of a card can be read at this zoom and place. */
function showsDetail(view: ReactFlowState, id: string): boolean {
  const node = view.nodeLookup.get(id);
  if (node === undefined || sightAt(view.transform[2]) === 'far') return false;
  return isInSight(node.internals.positionAbsolute, node.measured, view, marginPixels);
}

/** The start of every call. */
export const CallerCard = memo(function CallerCard({ data, selected }: NodeProps<CallerCardNode>) {
  return (
    <CardFrame kind="caller" name={cardText.caller} isSelected={selected} lit={data.lit} marks={data.marks}>
      <span className={styles['sign']}>
        <PartIcon name="caller" />
      </span>
      <span className={styles['words']}>
        <span className={styles['name']}>{cardText.caller}</span>
        <span className={styles['kind']}>{cardText.callerKind}</span>
      </span>
      <Handle
        type="source"
        position={Position.Right}
        id="caller"
        className={styles['port'] ?? ''}
        data-connected="true"
        isConnectableEnd={false}
        title={cardText.dragFromCaller}
      />
      <MarkLine marks={data.marks} />
    </CardFrame>
  );
});

/** Opening hours or a message: what it says now or plays, and a row for each of its exits. */
export const PartCard = memo(function PartCard({ data, selected }: NodeProps<PartCardNode>) {
  const { part, content, marks, lit, litPorts } = data;
  const litHandles = litPorts.split(' ');
  return (
    <CardFrame kind="menu" name={content.name} isSelected={selected} lit={lit} marks={marks}>
      <CardHead node={part} name={content.name} marks={marks}>
        <span className={styles['kind']}>{content.kind}</span>
      </CardHead>
      {part.kind === 'message' ? (
        <PromptRow node={part} content={content} marks={marks} isSelected={selected} />
      ) : (
        <HoursRow hours={part} isSelected={selected} />
      )}
      {content.exits?.map((exit) => (
        <ExitRow
          key={exit.handle}
          content={exit}
          marks={marks}
          isLit={litHandles.includes(exit.handle)}
          badge={<span className={styles['way']}>{exit.spoken}</span>}
        />
      ))}
      <MarkLine marks={marks} />
    </CardFrame>
  );
});

/** Where lines end, and what a card is called; a name is edited there. */
function CardHead({
  node,
  name,
  marks,
  children,
}: {
  node: LeadingNode;
  name: string;
  marks: CardMarks | undefined;
  children?: ReactNode;
}) {
  const isNamed = useIsOnCard(`nodes.${node.id}.name`);
  return (
    <>
      <Handle
        type="target"
        position={Position.Left}
        id="in"
        className={styles['in'] ?? ''}
        isConnectableStart={false}
      />
      <div className={styles['head']}>
        <span className={styles['sign']}>
          <PartIcon name={node.kind} />
        </span>
        {isNamed && node.kind !== 'hours' ? (
          <NameField node={node} />
        ) : (
          <span className={styles['name']} title={name}>
            {name}
          </span>
        )}
        {children}
        {marks?.parts['name'] === undefined ? null : <SeveritySign severity={marks.parts['name']} />}
      </div>
    </>
  );
}

/** A destination. One that is not in the directory has a dashed edge and says so. */
export const EndCard = memo(function EndCard({ data, selected }: NodeProps<EndCardNode>) {
  const { end, content, marks, lit } = data;
  const isTyped = useIsOnCard(`nodes.${end.id}.ref`);
  return (
    <CardFrame
      kind="end"
      name={content.name}
      isSelected={selected}
      lit={lit}
      marks={marks}
      isUnknown={content.isUnknown}
    >
      <Handle
        type="target"
        position={Position.Left}
        id="in"
        className={styles['in'] ?? ''}
        isConnectableStart={false}
      />
      <span className={styles['sign']} data-type={end.type}>
        <PartIcon name={end.type} />
      </span>
      <span className={styles['words']}>
        {isTyped ? (
          <RefField end={end} />
        ) : (
          <span className={styles['name']} title={content.name}>
            {content.name}
          </span>
        )}
        {content.isUnknown && end.type === 'extension' && !isTyped ? (
          <AddExtension id={end.ref} onAdded={() => focusCard(end.id)}>
            {(ask) => (
              <span className={styles['ask']}>
                <span className={styles['kind']}>{content.kind}</span>
                <button
                  type="button"
                  className={[styles['add'], 'nodrag'].join(' ')}
                  title={addExtensionText.open}
                  aria-label={addExtensionText.open}
                  tabIndex={selected ? 0 : -1}
                  onClick={ask}
                >
                  {addExtensionText.add}
                </button>
              </span>
            )}
          </AddExtension>
        ) : (
          <span className={styles['kind']}>{content.kind}</span>
        )}
      </span>
      {content.isUnknown ? null : <MarkLine marks={marks} />}
    </CardFrame>
  );
});

/** A menu on the canvas: what it plays, how long it waits, and a port for each of its exits. */
export const MenuCard = memo(function MenuCard({ data, selected }: NodeProps<MenuCardNode>) {
  const { menu, content, marks, lit, litPorts } = data;
  const litHandles = litPorts.split(' ');
  return (
    <CardFrame kind="menu" name={content.name} isSelected={selected} lit={lit} marks={marks}>
      <CardHead node={menu} name={content.name} marks={marks} />
      <PromptRow node={menu} content={content} marks={marks} isSelected={selected}>
        <span className={styles['wait']}>{cardText.waits(menu.timeout)}</span>
      </PromptRow>
      {content.keys.map((key) => (
        <ExitRow
          key={key.handle}
          content={key}
          marks={marks}
          isLit={litHandles.includes(key.handle)}
          badge={<kbd className={styles['key']}>{key.key}</kbd>}
          aside={
            key.sms === null ? undefined : (
              <span className={styles['sms']} title={cardText.sendsSms(key.sms)}>
                <PartIcon name="sms" />
                {cardText.sms}
              </span>
            )
          }
        />
      ))}
      <FreeKeys menu={menu} />
      {content.invalid === null ? null : (
        <ExitRow
          content={content.invalid}
          marks={marks}
          isLit={litHandles.includes('invalid')}
          badge={<span className={styles['way']}>{outcomeNames.invalid}</span>}
          aside={<Retries count={menu.incorrect_count} />}
        />
      )}
      {content.timeout === null ? null : (
        <ExitRow
          content={content.timeout}
          marks={marks}
          isLit={litHandles.includes('timeout')}
          badge={<span className={styles['way']}>{outcomeNames.timeout}</span>}
          aside={<Retries count={menu.timeout_tries} />}
        />
      )}
      <MarkLine marks={marks} />
    </CardFrame>
  );
});

/** What a menu or a message plays; a double click writes it on the card. */
function PromptRow({
  node,
  content: { prompt },
  marks,
  isSelected,
  children,
}: {
  node: MenuNode | MessageNode;
  content: CardContent;
  marks: CardMarks | undefined;
  isSelected: boolean;
  children?: ReactNode;
}) {
  const { store } = useDesigner();
  const path = `nodes.${node.id}.recording`;
  const isWritten = useIsOnCard(path);
  return (
    <div
      className={styles['prompt']}
      onDoubleClick={(event) => {
        event.stopPropagation();
        store.editOnCard(path);
      }}
    >
      <PartIcon name="recording" />
      <span
        className={styles['leads']}
        data-open={prompt?.isOpen}
        data-edits={path}
        title={prompt?.text}
        {...(isSelected
          ? { role: 'button', tabIndex: 0, 'aria-label': cardText.editPrompt(prompt?.text ?? '') }
          : {})}
      >
        {prompt?.text}
      </span>
      {isWritten ? <PromptField node={node} /> : null}
      {marks?.parts['prompt'] === undefined ? null : <SeveritySign severity={marks.parts['prompt']} />}
      {children}
    </div>
  );
}

/** How often the menu is repeated before the call leaves by this exit. */
function Retries({ count }: { count: number | null }) {
  if (count === 0) return null;
  return (
    <span className={styles['retries']} title={cardText.retriesTitle(count)}>
      <PartIcon name="again" />
      {cardText.retries(count)}
    </span>
  );
}

/** The keys that a menu does not use: a line from one of them adds it. */
function FreeKeys({ menu }: { menu: MenuNode }) {
  const free = freeKeys(menu);
  if (free.length === 0) return null;
  return (
    <div className={styles['strip']}>
      {free.map((key) => (
        <Handle
          key={key}
          type="source"
          position={Position.Right}
          id={`free-${key}`}
          className={styles['free'] ?? ''}
          data-handle={`free-${key}`}
          isConnectableEnd={false}
          title={cardText.freeKey(keyLabel(key))}
        >
          {key}
        </Handle>
      ))}
    </div>
  );
}

/** The first problem of a card, and how many more there are. */
function MarkLine({ marks }: { marks: CardMarks | undefined }) {
  const [first, ...others] = marks?.messages ?? [];
  if (marks === undefined || first === undefined) return null;
  return (
    <p className={styles['marks']} data-severity={marks.severity} title={marks.messages.join('\n')}>
      <SeveritySign severity={marks.severity} />
      <span className={styles['message']}>{first}</span>
      {others.length === 0 ? null : <span className={styles['more']}>{cardText.more(others.length)}</span>}
    </p>
  );
}

/** An exit: its key or outcome, its destination, and the port that its line begins at. */
function ExitRow({
  content,
  badge,
  aside,
  marks,
  isLit,
}: {
  content: ExitContent;
  badge: ReactNode;
  aside?: ReactNode;
  marks: CardMarks | undefined;
  isLit: boolean;
}) {
  const id = useNodeId() ?? '';
  const { handle, spoken, to } = content;
  const severity = marks?.parts[handle];
  return (
    <div className={styles['row']} data-handle={handle} data-lit={isLit}>
      {badge}
      <span className={styles['leads']} data-open={to === null}>
        {to ?? cardText.noDestination}
      </span>
      {aside}
      <ExitTrafficSign node={id} exit={content} />
      {severity === undefined ? null : <SeveritySign severity={severity} />}
      <Handle
        type="source"
        position={Position.Right}
        id={handle}
        className={styles['port'] ?? ''}
        data-connected={to !== null}
        isConnectableEnd={false}
        title={cardText.dragOut(spoken)}
      />
    </div>
  );
}
