import {
  type Connection,
  type FinalConnectionState,
  type InternalNode,
  type OnConnectEnd,
  useReactFlow,
} from '@xyflow/react';
import { type MouseEvent, useState } from 'react';
import type { NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import { connect } from '../../../../core/ivr/edit/lines.ts';
import { drawLine } from '../parts/place-part.ts';
import { useDesigner } from '../use-designer.ts';
import type { CardNode } from './flow-nodes.ts';
import type { LineEdge } from './flow-lines.ts';
import { type LineStart, readHandle } from './card-geometry.ts';
import { editText } from '../../../../text/menu/designer.ts';

/** A port that asks for its destination, because it was clicked or its line was dropped on empty canvas, or a place for a part. */
export interface LooseLine {
  /** Null where a part is added without a line. */
  readonly from: LineStart | null;
  /** On the screen. */
  readonly at: Place;
  /** Where on the canvas the line was dropped; null after a click. */
  readonly place: Place | null;
}

/** Adds, reconnects and removes lines as a person drags them. */
export function useDrawingLines() {
  const { store } = useDesigner();
  const flow = useReactFlow<CardNode, LineEdge>();
  const [loose, setLoose] = useState<LooseLine | null>(null);

  function draw(from: LineStart, to: string): void {
    store.edit(from.kind === 'free-key' ? editText.addKey(from.key) : editText.addLine, (document) =>
      drawLine(document, from, to as NodeId),
    );
  }

  function onConnect({ source, sourceHandle, target }: Connection): void {
    const from = readHandle(source, sourceHandle);
    if (from !== undefined) draw(from, target);
  }

  /** A line may end anywhere on a card; one that ends on its own card is dropped. */
  const onConnectEnd: OnConnectEnd = (event, state) => {
    const from = startOf(state);
    if (state.isValid === true || from === undefined) return;
    const at = pointOf(event);
    const under = document.elementFromPoint(at.x, at.y);
    const card = under?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
    if (card === undefined) {
      if (under?.closest('.react-flow__pane') !== null)
        setLoose({ from, at, place: flow.screenToFlowPosition(at) });
      return;
    }
    if (card !== state.fromNode?.id && isAllowed(from, flow.getNode(card))) draw(from, card);
  };

  /** A click on a port asks for its destination. */
  function onClick({ target, clientX: x, clientY: y }: MouseEvent): void {
    if (!(target instanceof Element)) return;
    const port = target.closest<HTMLElement>('.react-flow__handle.source');
    const card = port?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
    const from = card === undefined ? undefined : readHandle(card, port?.dataset['handleid']);
    if (from !== undefined) setLoose({ from, at: { x, y }, place: null });
  }

  /** Asks for a part to put on empty canvas. */
  function askForPart(at: Place): void {
    setLoose({ from: null, at, place: flow.screenToFlowPosition(at) });
  }
  function onDoubleClick({ target, clientX: x, clientY: y }: MouseEvent): void {
    if (target instanceof Element && target.matches('.react-flow__pane')) askForPart({ x, y });
  }

  function onReconnect(line: LineEdge, { target }: Connection): void {
    const from = line.data?.from;
    if (from !== undefined) draw(from, target);
  }

  /** A line whose end is dropped on empty canvas is removed. */
  function onReconnectEnd(
    event: globalThis.MouseEvent | TouchEvent,
    line: LineEdge,
    _end: unknown,
    { isValid }: FinalConnectionState,
  ): void {
    const from = line.data?.from;
    if (isValid === true || from === undefined) return;
    const at = pointOf(event);
    const card = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>('.react-flow__node')?.dataset[
      'id'
    ];
    if (card === undefined) store.edit(editText.removeLine, (before) => connect(before, from, null));
    else if (isAllowed(from, flow.getNode(card))) draw(from, card);
  }

  function isValidConnection({ source, sourceHandle, target }: Connection | LineEdge): boolean {
    const from = readHandle(source, sourceHandle);
    return from !== undefined && isAllowed(from, flow.getNode(target));
  }

  return {
    loose,
    setLoose,
    onClick,
    onDoubleClick,
    askForPart,
    onConnect,
    onConnectEnd,
    onReconnect,
    onReconnectEnd,
    isValidConnection,
  };
}

/** Nothing leads to the caller, and the caller is not led to a destination. */
function isAllowed(from: LineStart, to: CardNode | undefined): boolean {
  if (to === undefined || to.type === 'caller') return false;
  return from.kind !== 'caller' || to.type !== 'end';
}

function startOf({ fromNode, fromHandle }: FinalConnectionState<InternalNode>): LineStart | undefined {
  return fromNode === null ? undefined : readHandle(fromNode.id, fromHandle.id);
}

function pointOf(event: globalThis.MouseEvent | TouchEvent): Place {
  if ('clientX' in event) return { x: event.clientX, y: event.clientY };
  const [touch] = event.changedTouches;
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
}
