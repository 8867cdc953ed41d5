import {
  Background,
  BackgroundVariant,
  type EdgeProps,
  type EdgeTypes,
  MiniMap,
  type NodeTypes,
  Panel,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { memo, useLayoutEffect, useState } from 'react';
import { useShortcut } from '../../../kit/keys/use-shortcut.ts';
import { matchParts, type NodePart, nodePartGroups, type PartGroup } from '../parts/part-groups.ts';
import { PartPicker } from '../parts/part-picker.tsx';
import { placeAtLine } from '../parts/place-part.ts';
import { ToolButton } from '../tool-button.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import styles from './canvas.module.css';
import { endSize, headHeight } from './card-geometry.ts';
import { CallerCard, EndCard, MenuCard, sightAt } from './cards.tsx';
import { type LineEdge, pathNow } from './flow-lines.ts';
import type { CardNode } from './flow-nodes.ts';
import { isWhollyInSight, useShowSelected } from './screen-box.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { useCards } from './use-cards.ts';
import { type LooseLine, useDrawingLines } from './use-drawing-lines.ts';
import { useDropping } from './use-dropping.ts';
import { useMoving } from './use-moving.ts';

const cardTypes = { caller: CallerCard, menu: MenuCard, end: EndCard } satisfies NodeTypes;

/** A line from a port to a card, with its arrow. Wrong keys and silence are broken lines; the way of a call is a thick one. */
const DrawnLine = memo(function DrawnLine(line: EdgeProps<LineEdge>) {
  const { sourceX, sourceY, targetX, targetY, data, selected = false } = line;
  if (data === undefined) return null;
  const path = pathNow(data.way, { x: sourceX, y: sourceY }, { x: targetX, y: targetY });
  const isWayOut = data.from.kind === 'invalid' || data.from.kind === 'timeout';
  return (
    <g className={styles['line']} data-way-out={isWayOut} data-lit={data.isLit} data-selected={selected}>
      <path d={path} className={styles['hit']} />
      <path d={path} className={styles['stroke']} />
      <path
        d={`M${targetX - 8} ${targetY - 4.5}L${targetX} ${targetY}L${targetX - 8} ${targetY + 4.5}z`}
        className={styles['arrow']}
      />
    </g>
  );
});

const lineTypes = { line: DrawnLine } satisfies EdgeTypes;
const fitOptions = { padding: 0.08, maxZoom: 1, minZoom: 0.1 };
const withMiddleOrRight = [1, 2];
const manyKeys = ['Shift', 'Meta', 'Control'];
const labels = {
  'node.a11yDescription.default':
    'Enter opens the inspector, space selects, arrows go to the next part or move what is selected, Delete removes it.',
  'minimap.ariaLabel': 'The whole drawing, small',
};

/** The drawing to be dragged about. Everything it can do, the outline can do by keyboard. */
export const Canvas = memo(function Canvas() {
  const document = useDesignerState((state) => state.document);
  const isLit = useDesignerState((state) => state.lit !== null);
  const sight = useStore(({ transform: [, , zoom] }) => sightAt(zoom));
  const [selectedLine, setSelectedLine] = useState<string | null>(null);
  const { moved, change, arrive } = useMoving(document);
  const { nodes, lines } = useCards(moved, selectedLine);
  const { loose, setLoose, ...drawing } = useDrawingLines();
  const handlers = useSteady({
    ...drawing,
    onNodesChange: change,
    onNodeDragStop: arrive,
    onSelectionDragStop: (event: unknown, cards: CardNode[]) => {
      if (cards[0] !== undefined) arrive(event, cards[0], cards);
    },
    onNodeClick: () => setSelectedLine(null),
    onEdgeClick: (_event: unknown, line: LineEdge) => setSelectedLine(line.id),
    onPaneClick: () => {
      setSelectedLine(null);
      setLoose(null);
    },
  });
  const dropping = useDropping();
  const press = useCanvasKeys(selectedLine);
  useShowSelected();

  return (
    <div
      className={styles['canvas']}
      data-lit={isLit}
      data-sight={sight}
      onKeyDownCapture={press}
      {...dropping}
    >
      <ReactFlow<CardNode, LineEdge>
        nodes={nodes}
        edges={lines}
        nodeTypes={cardTypes}
        edgeTypes={lineTypes}
        aria-label="Canvas"
        ariaLabelConfig={labels}
        fitView
        fitViewOptions={fitOptions}
        minZoom={0.1}
        maxZoom={2}
        connectionRadius={28}
        edgesFocusable={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={manyKeys}
        selectNodesOnDrag={false}
        selectionOnDrag
        selectionMode={SelectionMode.Partial}
        panOnDrag={withMiddleOrRight}
        panOnScroll
        zoomOnDoubleClick={false}
        {...handlers}
      >
        {sight === 'close' ? <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} /> : null}
        <SmallMap />
        <ZoomControls />
      </ReactFlow>
      {Object.keys(document.nodes).length === 0 ? <EmptyWord /> : null}
      {loose === null ? null : <LooseEnd loose={loose} onClose={() => setLoose(null)} />}
    </div>
  );
});

/** What to do first, in the middle of a canvas without a card. */
function EmptyWord() {
  return (
    <div className={styles['word']}>
      <p className={styles['title']}>Nothing is drawn yet</p>
      <p>Drag a menu from the parts, or draw a line from the caller and choose what it leads to.</p>
    </div>
  );
}

/** The whole drawing, small: there while a part of it is out of sight, for then it says where one is. */
function SmallMap() {
  const isNeeded = useStore((view) =>
    view.nodes.some(({ position, measured }) => !isWhollyInSight(position, measured ?? {}, view)),
  );
  if (!isNeeded) return null;
  return (
    <MiniMap<CardNode>
      pannable
      zoomable
      position="bottom-right"
      nodeClassName={({ type }) => `map-${type}`}
    />
  );
}

/** How much the drawing is magnified, and the ways to change that. */
function ZoomControls() {
  const flow = useReactFlow();
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const motion = matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { duration: 160 };
  const fit = (): void => void flow.fitView({ padding: 0.08, maxZoom: 1, ...motion });
  useShortcut('f', 'Fit the drawing into the canvas', fit);
  useShortcut('+', 'Zoom in', () => void flow.zoomIn(motion));
  useShortcut('-', 'Zoom out', () => void flow.zoomOut(motion));

  return (
    <Panel position="bottom-left" className={styles['controls'] ?? ''}>
      <ToolButton drawing="minus" name="Zoom out" onPress={() => void flow.zoomOut(motion)} />
      <button
        type="button"
        className={styles['percent']}
        title="Show at 100 %"
        onClick={() => void flow.zoomTo(1, motion)}
      >
        {percent} %
      </button>
      <ToolButton drawing="plus" name="Zoom in" onPress={() => void flow.zoomIn(motion)} />
      <ToolButton drawing="fit" name="Fit the drawing into the canvas" onPress={fit} />
    </Panel>
  );
}

/** Where a line was dropped on empty ground: asks what to put there, and leads the line to it. */
function LooseEnd({ loose: { from, at, place }, onClose }: { loose: LooseLine; onClose: () => void }) {
  const { store, referenceData } = useDesigner();
  const groups = nodePartGroups(referenceData);

  function choose(part: NodePart): void {
    const top = part.kind === 'menu' ? headHeight / 2 : endSize.height / 2;
    const { document, select } = placeAtLine(store.state().document, from, part, {
      x: place.x,
      y: place.y - top,
    });
    const words = part.kind === 'menu' ? 'add a menu' : 'add a destination';
    store.edit(words, () => document, { select });
    onClose();
  }

  return (
    <div className={styles['box']} style={placeOnScreen(at)}>
      <PartPicker
        groupsFor={(text) => matchParts(from.kind === 'caller' ? menusOnly(groups) : groups, text)}
        onChoose={choose}
        onClose={onClose}
      />
    </div>
  );
}

/** What a caller can meet first. */
function menusOnly(groups: readonly PartGroup[]): readonly PartGroup[] {
  return groups
    .map((group) => ({ ...group, parts: group.parts.filter(({ part }) => part.kind === 'menu') }))
    .filter(({ parts }) => parts.length > 0);
}

/** Beside the place, and inside the window. */
function placeOnScreen({ x, y }: { x: number; y: number }): { left: number; top: number } {
  return {
    left: Math.max(8, Math.min(x + 8, innerWidth - 296)),
    top: Math.max(8, Math.min(y - 24, innerHeight - 376)),
  };
}

type Handlers = Readonly<Record<string, (...given: never[]) => unknown>>;

/**
 * Functions that stay the very same and do what the newest of their names do.
 *
 * The canvas library hands what it is told of to every card and line: one new function has all of them drawn again, in every
 * frame of a drag.
 */
function useSteady<T extends Handlers>(handlers: T): T {
  const [steady] = useState(() => steadyOnes(handlers));
  useLayoutEffect(() => steady.follow(handlers));
  return steady.handlers;
}

function steadyOnes<T extends Handlers>(first: T): { handlers: T; follow: (handlers: T) => void } {
  let newest: Handlers = first;
  const handlers = Object.fromEntries(
    Object.keys(first).map((name) => [name, (...given: never[]) => newest[name]?.(...given)]),
  ) as T;
  return {
    handlers,
    follow: (next) => {
      newest = next;
    },
  };
}
