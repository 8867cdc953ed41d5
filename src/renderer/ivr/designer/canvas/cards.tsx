import { Handle, type NodeProps, Position, type ReactFlowState, useNodeId, useStore } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import type { MenuNode } from '../../../../contract/ivr-draft.ts';
import { keyWord, outcomeWords } from '../../../../text/phone-menu.ts';
import { Drawing } from '../drawing.tsx';
import { SeveritySign } from '../severity-sign.tsx';
import { freeKeys } from './card-geometry.ts';
import type { WayWords } from './card-words.ts';
import styles from './cards.module.css';
import type { CallerCardNode, CardData, EndCardNode, MenuCardNode } from './flow-nodes.ts';
import type { CardMarks } from './marks.ts';
import { isInSight } from './screen-box.ts';

/** What every card is: an edge that shows its state, what is in it, and from afar its name, large. */
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
    </div>
  );
}

/** How far out of sight a card begins to be drawn, in pixels of the screen: it is there when it comes in. */
const marginPixels = 120;

/** Whether the words on a card can be read where the drawing stands now. */
function showsDetail(view: ReactFlowState, id: string): boolean {
  const node = view.nodeLookup.get(id);
  if (node === undefined || sightAt(view.transform[2]) === 'far') return false;
  return isInSight(node.internals.positionAbsolute, node.measured, view, marginPixels);
}

/** Where a call comes in. */
export const CallerCard = memo(function CallerCard({ data, selected }: NodeProps<CallerCardNode>) {
  return (
    <CardFrame kind="caller" name="Caller" isSelected={selected} lit={data.lit} marks={data.marks}>
      <span className={styles['sign']}>
        <Drawing name="caller" />
      </span>
      <span className={styles['words']}>
        <span className={styles['name']}>Caller</span>
        <span className={styles['kind']}>A call comes in</span>
      </span>
      <Handle
        type="source"
        position={Position.Right}
        id="caller"
        className={styles['port'] ?? ''}
        data-connected="true"
        isConnectableEnd={false}
        title="Drag to the menu that a call meets first"
      />
      <MarkLine marks={data.marks} />
    </CardFrame>
  );
});

/** Where a call leaves the drawing. What is in no directory is drawn with a broken edge, and says so. */
export const EndCard = memo(function EndCard({ data, selected }: NodeProps<EndCardNode>) {
  const { end, words, marks, lit } = data;
  return (
    <CardFrame
      kind="end"
      name={words.name}
      isSelected={selected}
      lit={lit}
      marks={marks}
      isUnknown={words.isUnknown}
    >
      <Handle
        type="target"
        position={Position.Left}
        id="in"
        className={styles['in'] ?? ''}
        isConnectableStart={false}
      />
      <span className={styles['sign']} data-type={end.type}>
        <Drawing name={end.type} />
      </span>
      <span className={styles['words']}>
        <span className={styles['name']} title={words.name}>
          {words.name}
        </span>
        <span className={styles['kind']}>{words.kind}</span>
      </span>
      {words.isUnknown ? null : <MarkLine marks={marks} />}
    </CardFrame>
  );
});

/** A menu on the canvas: what it plays, how long it waits, and a port for every way out of it. */
export const MenuCard = memo(function MenuCard({ data, selected }: NodeProps<MenuCardNode>) {
  const { menu, words, marks, lit, litPorts } = data;
  const litHandles = litPorts.split(' ');
  return (
    <CardFrame kind="menu" name={words.name} isSelected={selected} lit={lit} marks={marks}>
      <Handle
        type="target"
        position={Position.Left}
        id="in"
        className={styles['in'] ?? ''}
        isConnectableStart={false}
      />
      <div className={styles['head']}>
        <span className={styles['sign']}>
          <Drawing name="menu" />
        </span>
        <span className={styles['name']} title={words.name}>
          {words.name}
        </span>
        {marks?.parts['name'] === undefined ? null : <SeveritySign severity={marks.parts['name']} />}
      </div>
      <div className={styles['prompt']}>
        <Drawing name="recording" />
        <span className={styles['leads']} data-open={words.prompt?.isOpen} title={words.prompt?.words}>
          {words.prompt?.words}
        </span>
        {marks?.parts['prompt'] === undefined ? null : <SeveritySign severity={marks.parts['prompt']} />}
        <span className={styles['wait']}>
          {menu.timeout === null ? 'waits …' : `waits ${menu.timeout} s`}
        </span>
      </div>
      {words.keys.map((key) => (
        <WayRow
          key={key.handle}
          words={key}
          marks={marks}
          isLit={litHandles.includes(key.handle)}
          badge={<kbd className={styles['key']}>{key.key}</kbd>}
          aside={
            key.sms === null ? undefined : (
              <span className={styles['sms']} title={`Sends the SMS “${key.sms}”`}>
                <Drawing name="sms" />
                SMS
              </span>
            )
          }
        />
      ))}
      <FreeKeys menu={menu} />
      {words.invalid === null ? null : (
        <WayRow
          words={words.invalid}
          marks={marks}
          isLit={litHandles.includes('invalid')}
          badge={<span className={styles['way']}>{outcomeWords.invalid}</span>}
          aside={<Retries count={menu.incorrect_count} />}
        />
      )}
      {words.timeout === null ? null : (
        <WayRow
          words={words.timeout}
          marks={marks}
          isLit={litHandles.includes('timeout')}
          badge={<span className={styles['way']}>{outcomeWords.timeout}</span>}
          aside={<Retries count={menu.timeout_tries} />}
        />
      )}
      <MarkLine marks={marks} />
    </CardFrame>
  );
});

/** How often the menu begins again before the way is taken. */
function Retries({ count }: { count: number | null }) {
  if (count === 0) return null;
  return (
    <span className={styles['retries']} title={`Retries up to ${count ?? '…'} times`}>
      <Drawing name="again" />
      {count ?? '…'}
    </span>
  );
}

/** The keys that a menu does not use: a line drawn from one of them adds it. */
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
          title={`${keyWord(key)} is not used: drag to its destination`}
        >
          {key}
        </Handle>
      ))}
    </div>
  );
}

/** What is wrong with a card, below it: the first in words, and how many more there are. */
function MarkLine({ marks }: { marks: CardMarks | undefined }) {
  const [first, ...others] = marks?.messages ?? [];
  if (marks === undefined || first === undefined) return null;
  return (
    <p className={styles['marks']} data-severity={marks.severity} title={marks.messages.join('\n')}>
      <SeveritySign severity={marks.severity} />
      <span className={styles['message']}>{first}</span>
      {others.length === 0 ? null : <span className={styles['more']}>+{others.length}</span>}
    </p>
  );
}

/** A way out of a menu: what takes it, where it leads, and the port that its line begins at. */
function WayRow({
  words: { handle, spoken, to },
  badge,
  aside,
  marks,
  isLit,
}: {
  words: WayWords;
  badge: ReactNode;
  aside?: ReactNode;
  marks: CardMarks | undefined;
  isLit: boolean;
}) {
  const severity = marks?.parts[handle];
  return (
    <div className={styles['row']} data-handle={handle} data-lit={isLit}>
      {badge}
      <span className={styles['leads']} data-open={to === null}>
        {to ?? 'no destination'}
      </span>
      {aside}
      {severity === undefined ? null : <SeveritySign severity={severity} />}
      <Handle
        type="source"
        position={Position.Right}
        id={handle}
        className={styles['port'] ?? ''}
        data-connected={to !== null}
        isConnectableEnd={false}
        title={`${spoken}: drag to its destination`}
      />
    </div>
  );
}

/** How much of the drawing is seen at once, and so how much of each card is worth drawing. */
export type Sight = 'far' | 'middle' | 'close';

/** Below this the words on a card cannot be read: 13 pixels are less than 6. */
const farZoom = 0.45;
/** From here on few cards are in sight, and there is time to draw what only looks good: the ground's dots, and shadows. */
const closeZoom = 0.6;

/** @param zoom - magnification, 1 is 100 % */
export function sightAt(zoom: number): Sight {
  if (zoom < farZoom) return 'far';
  return zoom < closeZoom ? 'middle' : 'close';
}
