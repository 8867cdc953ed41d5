import {
  Background,
  BackgroundVariant,
  type EdgeProps,
  type EdgeTypes,
  type NodeTypes,
  Panel,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
  MiniMap,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components';
import type { Place } from '../../../../contract/menu/ivr-draft.ts';
import { linesOf } from '../../../../core/ivr/edit/lines.ts';
import { Button } from '../../../kit/button.tsx';
import { Text } from '../../../kit/text.tsx';
import { useShortcut, useViewCommand } from '../../../kit/keys/use-shortcut.ts';
import {
  destinationOffers,
  type Lead,
  type LeadOffer,
  leadTo,
  partOfLead,
} from '../inspector/destinations.ts';
import { freePlace, newSizes } from '../layout/free-place.ts';
import { CallerCanvas } from '../calls/caller-canvas.tsx';
import { useDraftCalls, useOne } from '../calls/use-draft-calls.tsx';
import { addBeside, addEdits, firstNeed } from '../parts/place-part.ts';
import { SmallButton } from '../small-button.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { OtherSelections } from '../window/other-windows.tsx';
import styles from './canvas.module.css';
import { cardOf, lineId, cardVariables, endSize, headHeight } from './card-geometry.ts';
import { useTypeInto } from './card-field.tsx';
import { DestinationList } from './destination-list.tsx';
import { CallerCard, EndCard, MenuCard, PartCard } from './cards.tsx';
import { type LineEdge, pathNow } from './flow-lines.ts';
import type { CardNode } from './flow-nodes.ts';
import {
  focusCard,
  sightAt,
  useFitOptions,
  useIsLarger,
  useShowAdded,
  useShowSelected,
} from './screen-box.ts';
import { openFields, useCanvasKeys } from './use-canvas-keys.ts';
import { useCards } from './use-cards.ts';
import { type LooseLine, useDrawingLines } from './use-drawing-lines.ts';
import { useDropping } from './use-dropping.ts';
import { useMoving } from './use-moving.ts';
import { editText, shortcutText } from '../../../../text/menu/designer.ts';
import { canvasText, partsText } from '../../../../text/menu/designer-canvas.ts';

const cardTypes = { caller: CallerCard, menu: MenuCard, end: EndCard, part: PartCard } satisfies NodeTypes;

/** A line from a port to a card, with its arrow. Wrong keys and timeouts are dashed; the path of a test call is thick. */
const DrawnLine = memo(function DrawnLine(line: EdgeProps<LineEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, data, selected = false } = line;
  const traffic = useOne(useDraftCalls().exits, id);
  if (data === undefined) return null;
  const path = pathNow(data.way, { x: sourceX, y: sourceY }, { x: targetX, y: targetY });
  const isOutcome = data.from.kind === 'invalid' || data.from.kind === 'timeout';
  return (
    <g className={styles['line']} data-outcome={isOutcome} data-lit={data.isLit} data-selected={selected}>
      <path d={path} className={styles['hit']} />
      {traffic === undefined || traffic.count === 0 ? null : (
        <path
          d={path}
          className={styles['traffic']}
          style={{
            strokeWidth: 2 + 12 * Math.min(1, (traffic.led ?? traffic.count) / Math.max(1, traffic.entered)),
          }}
        />
      )}
      <path d={path} className={styles['stroke']} />
      <path
        d={`M${targetX - 8} ${targetY - 4.5}L${targetX} ${targetY}L${targetX - 8} ${targetY + 4.5}z`}
        className={styles['arrow']}
      />
    </g>
  );
});

const lineTypes = { line: DrawnLine } satisfies EdgeTypes;
const withMiddleOrRight = [1, 2];
const manyKeys = ['Shift', 'Meta', 'Control'];
const labels = {
  'node.a11yDescription.default': canvasText.card,
};

/** The call flow as cards and lines. The outline does everything that it does, by keyboard. */
export const Canvas = memo(function Canvas({ hasMap }: { hasMap: boolean }) {
  const { store } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const isLit = useDesignerState((state) => state.lit !== null);
  const sight = useStore(({ transform: [, , zoom] }) => sightAt(zoom));
  const [selectedLine, setSelectedLine] = useState<string | null>(null);
  const { moved, change, arrive } = useMoving(document);
  const { nodes, lines } = useCards(moved, selectedLine);
  const { loose, setLoose, onClick, onDoubleClick, askForPart, ...drawing } = useDrawingLines();
  const handlers = useStable({
    ...drawing,
    onNodesChange: change,
    onNodeDragStop: arrive,
    onSelectionDragStop: (event: unknown, cards: CardNode[]) => {
      if (cards[0] !== undefined) arrive(event, cards[0], cards);
    },
    onNodeClick: () => setSelectedLine(null),
    onNodeDoubleClick: (_event: unknown, { id }: CardNode) => openFields(store, id),
    onEdgeClick: (_event: unknown, line: LineEdge) => setSelectedLine(line.id),
    onPaneClick: () => {
      setSelectedLine(null);
      setLoose(null);
    },
  });
  const dropping = useDropping();
  const fitOptions = useFitOptions();
  const isLarger = useIsLarger();
  const press = useCanvasKeys(selectedLine);
  const canvasRef = useRef<HTMLDivElement>(null);
  useShowSelected();
  useShowAdded();
  useViewCommand('e', shortcutText.addPart, () => {
    const box = canvasRef.current?.getBoundingClientRect();
    if (box !== undefined) askForPart({ x: box.x + box.width / 2, y: box.y + box.height / 3 });
  });

  return (
    <div
      ref={canvasRef}
      className={styles['canvas']}
      style={cardVariables}
      data-lit={isLit}
      data-sight={sight}
      onKeyDownCapture={press}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      {...dropping}
    >
      <ReactFlow<CardNode, LineEdge>
        nodes={nodes}
        edges={lines}
        nodeTypes={cardTypes}
        edgeTypes={lineTypes}
        aria-label={canvasText.title}
        ariaLabelConfig={labels}
        fitView
        fitViewOptions={fitOptions}
        minZoom={0.1}
        maxZoom={2}
        connectionRadius={28}
        connectOnClick={false}
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
        {sight === 'close' ? (
          <div aria-hidden="true">
            <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
          </div>
        ) : null}
        <CallerCanvas />
        <OtherSelections />
        <ZoomControls />
        {hasMap && isLarger ? <OverviewMap /> : null}
      </ReactFlow>
      {Object.keys(document.nodes).length === 0 ? <EmptyHint /> : null}
      {loose === null ? null : <LooseEnd loose={loose} onClose={() => setLoose(null)} />}
    </div>
  );
});

/** What to do first, on a canvas without cards. */
function EmptyHint() {
  const { store } = useDesigner();
  return (
    <div className={styles['hint']}>
      <Text tone="plain" weight="bold">
        {canvasText.empty.title}
      </Text>
      <p>{canvasText.empty.text}</p>
      <Button rank="main" onPress={() => addBeside(store, { kind: 'menu' })}>
        {canvasText.empty.add}
      </Button>
    </div>
  );
}

/** The magnification, and buttons that change it. */
function ZoomControls() {
  const flow = useReactFlow();
  const fitOptions = useFitOptions();
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  const motion = matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { duration: 160 };
  const fit = (): void => void flow.fitView({ ...fitOptions, ...motion });
  useShortcut('f', shortcutText.fit, fit);
  useShortcut('+', shortcutText.zoomIn, () => void flow.zoomIn(motion));
  useShortcut('-', shortcutText.zoomOut, () => void flow.zoomOut(motion));

  return (
    <Panel position="bottom-left" className={styles['controls'] ?? ''}>
      <Toolbar className={styles['zoom'] ?? ''} aria-label={canvasText.zoom}>
        <SmallButton icon="minus" name={canvasText.zoomOut} onPress={() => void flow.zoomOut(motion)} />
        <button
          type="button"
          className={styles['percent']}
          title={canvasText.fullSize}
          onClick={() => void flow.zoomTo(1, motion)}
        >
          {canvasText.percent(percent)}
        </button>
        <SmallButton icon="plus" name={canvasText.zoomIn} onPress={() => void flow.zoomIn(motion)} />
        <SmallButton icon="fit" name={canvasText.fit} keys="f" onPress={fit} />
      </Toolbar>
    </Panel>
  );
}

/**
 * Asks where a port leads, and adds what is new: where its line was dropped, or beside its card after a click.
 *
 * Without a port it asks for a part. What is added and needs a number or a name takes the typing.
 */
function LooseEnd({ loose: { from, at, place }, onClose }: { loose: LooseLine; onClose: () => void }) {
  const { store, referenceData } = useDesigner();
  const { document } = store.state();
  const typeInto = useTypeInto();

  function choose(lead: Lead): void {
    const { document: before } = store.state();
    const to = place === null ? undefined : dropPlace(lead, place);
    const { document: led, added } = leadTo(before, from, lead, to);
    // Else the menu stays selected and in sight: its other keys come next.
    const part = partOfLead(lead);
    const need = part === null ? null : firstNeed(part);
    // A new menu among others has its keys to come first; a message is what it says.
    const field = part?.kind === 'message' && from !== null ? 'recording' : need;
    const isOpen = field === 'ref' || field === 'hours' || field === 'recording';
    const isNext = added !== null && (isOpen || from?.kind === 'caller' || place !== null);
    store.edit(editOf(lead), () => led, isNext ? { select: new Set([added]) } : {});
    onClose();
    const isNamed = field === 'name' && (from === null || from.kind === 'caller');
    if (added !== null && field !== null && (isOpen || isNamed)) typeInto(`nodes.${added}.${field}`);
    else focusCard(from === null ? added : cardOf(from));
  }
  /** A new card has the middle of its left edge there, or the nearest free place. */
  function dropPlace(lead: Lead, { x, y }: Place): Place {
    const kind = partOfLead(lead)?.kind ?? 'end';
    const top = kind === 'end' ? endSize.height / 2 : headHeight / 2;
    return freePlace(store.state().document, { x: Math.round(x), y: Math.round(y - top) }, newSizes[kind]);
  }
  function offersFor(text: string): readonly LeadOffer[] {
    if (from === null) return destinationOffers({}, referenceData, text, { mayEnd: false });
    return destinationOffers(document.nodes, referenceData, text, {
      isStart: from.kind === 'caller',
      mayEnd: linesOf(document).some((line) => lineId(line.from) === lineId(from)),
    });
  }

  return (
    <div className={styles['box']} style={placeOnScreen(at)}>
      <DestinationList
        label={from === null ? partsText.add : partsText.leadsTo}
        offersFor={offersFor}
        onChoose={choose}
        onClose={(reason) => {
          onClose();
          if (reason === 'escape') focusCard(from === null ? null : cardOf(from));
        }}
      />
    </div>
  );
}

function editOf(lead: Lead): string {
  const part = partOfLead(lead);
  if (part !== null) return addEdits[part.kind];
  return lead.kind === 'none' ? editText.removeLine : editText.addLine;
}

/** Beside the place, inside the window. */
function placeOnScreen({ x, y }: { x: number; y: number }): { left: number; top: number } {
  return {
    left: Math.max(8, Math.min(x + 8, innerWidth - 296)),
    top: Math.max(8, Math.min(y - 24, innerHeight - 376)),
  };
}

type Handlers = Readonly<Record<string, (...given: never[]) => unknown>>;

/**
 * Functions that keep their identity and call the newest ones of the same name.
 *
 * The canvas library passes its handlers to every card and line: one new function would render all of them again in every
 * frame of a drag.
 */
function useStable<T extends Handlers>(handlers: T): T {
  const [stable] = useState(() => stableHandlers(handlers));
  useLayoutEffect(() => stable.follow(handlers));
  return stable.handlers;
}

function stableHandlers<T extends Handlers>(first: T): { handlers: T; follow: (handlers: T) => void } {
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

const mapSize = { width: 176, height: 112 };

/** The whole call flow, small, and what of it is in sight. */
function OverviewMap() {
  return (
    <MiniMap<CardNode>
      pannable
      zoomable
      position="bottom-right"
      className={styles['map'] ?? ''}
      ariaLabel={canvasText.map}
      style={mapSize}
      nodeClassName={({ type }) => `map-${type}`}
    />
  );
}
