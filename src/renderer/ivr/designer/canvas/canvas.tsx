import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  type NodeTypes,
  ReactFlow,
  SelectionMode,
  useStore,
} from '@xyflow/react';
import { memo, useState } from 'react';
import '@xyflow/react/dist/base.css';

import { useDesignerState } from '../use-designer.ts';
import styles from './canvas.module.css';
import { CallerCard } from './caller-card.tsx';
import { DrawnLine } from './drawn-line.tsx';
import { EmptyWord } from './empty-word.tsx';
import { EndCard } from './end-card.tsx';
import type { LineEdge } from './flow-lines.ts';
import type { CardNode } from './flow-nodes.ts';
import { LooseEnd } from './loose-end.tsx';
import { MenuCard } from './menu-card.tsx';
import { sightAt } from './sight.ts';
import { SmallMap } from './small-map.tsx';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { useCards } from './use-cards.ts';
import { useDrawingLines } from './use-drawing-lines.ts';
import { useDropping } from './use-dropping.ts';
import { useMoving } from './use-moving.ts';
import { useShowSelected } from './use-show-selected.ts';
import { useSteady } from './use-steady.ts';
import { ZoomControls } from './zoom-controls.tsx';

const cardTypes = { caller: CallerCard, menu: MenuCard, end: EndCard } satisfies NodeTypes;
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
