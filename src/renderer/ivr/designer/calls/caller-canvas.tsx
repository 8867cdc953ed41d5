import { useStoreApi } from '@xyflow/react';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { LiveCall } from '../../../../contract/calls/call.ts';
import type { IvrDocument } from '../../../../contract/menu/ivr-draft.ts';
import { linesOf } from '../../../../core/ivr/edit/lines.ts';
import { useMedia } from '../../../kit/use-media.ts';
import { cardOf, lineId } from '../canvas/card-geometry.ts';
import { type LineWay, pathNow, waysOf } from '../canvas/flow-lines.ts';
import { useDesignerState } from '../use-designer.ts';
import { CallerTracks, type PaintedCaller, type Scene } from './caller-tracks.ts';
import styles from './designer-calls.module.css';
import { useDraftCalls } from './use-draft-calls.tsx';

/** How long a caller is on its way from one card to the next, in milliseconds. */
const moveMs = 700;
/** How many points a line is sampled at. */
const samples = 48;
/** The radius of a caller at 100 %, and the smallest on the screen, in pixels. */
const radius = { full: 5, least: 3.5 };

/**
 * The callers over the canvas: one dot each, moving along the lines.
 *
 * One canvas element for all of them. It is drawn only while somebody moves, and when the view or a card does.
 */
export function CallerCanvas() {
  const { callers } = useDraftCalls();
  const byNode = useSyncExternalStore(callers.subscribe, callers.all);
  const document = useDesignerState((state) => state.document);
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const lines = useMemo(() => new LineTracks(document), [document]);
  const view = useStoreApi();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [painter] = useState(() => new CallerPainter());

  useEffect(() => {
    const canvas = canvasRef.current;
    if (canvas === null) return;
    const stop = painter.show(canvas, () => {
      const { transform, width, height, nodeLookup } = view.getState();
      return {
        transform,
        width,
        height,
        cornerOf: (node) => nodeLookup.get(node)?.internals.positionAbsolute,
      };
    });
    const unsubscribe = view.subscribe(() => painter.draw());
    return () => {
      unsubscribe();
      stop();
    };
  }, [painter, view]);
  useEffect(() => {
    painter.update(byNode, lines, isStill ? 0 : moveMs);
  }, [painter, byNode, lines, isStill]);

  return <canvas ref={canvasRef} className={styles['callers']} aria-hidden="true" />;
}

interface ViewNow {
  readonly transform: readonly [number, number, number];
  readonly width: number;
  readonly height: number;
  readonly cornerOf: Scene['cornerOf'];
}

/** Draws callers on a canvas element, at most once in a frame. */
class CallerPainter {
  readonly #tracks = new CallerTracks();
  #canvas: HTMLCanvasElement | null = null;
  #readView: (() => ViewNow) | null = null;
  #moveMs = 0;
  #frame = 0;
  #isBlank = true;

  show(canvas: HTMLCanvasElement, readView: () => ViewNow): () => void {
    this.#canvas = canvas;
    this.#readView = readView;
    this.draw();
    return () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      this.#canvas = null;
    };
  }

  update(byNode: ReadonlyMap<string, readonly LiveCall[]>, lines: LineTracks, duration: number): void {
    this.#moveMs = duration;
    const callers = new Map<string, LiveCall>();
    const painted: PaintedCaller[] = [];
    for (const [node, calls] of byNode) {
      for (const call of calls) {
        callers.set(call.id, call);
        painted.push({ id: call.id, node });
      }
    }
    const scene: Scene = {
      cornerOf: () => undefined,
      trackTo: ({ id, node }, from) => lines.trackTo(from, node, callers.get(id)?.keys ?? []),
    };
    this.#tracks.update(painted, scene, performance.now(), duration);
    this.draw();
  }

  draw(): void {
    if (this.#isBlank && this.#tracks.isEmpty) return;
    if (this.#frame === 0) this.#frame = requestAnimationFrame((atMs) => this.#paint(atMs));
  }

  #paint(atMs: number): void {
    this.#frame = 0;
    const canvas = this.#canvas;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || this.#readView === null) return;
    const { transform, width, height, cornerOf } = this.#readView();
    const ratio = devicePixelRatio;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const [left, top, zoom] = transform;
    const { color, outlineColor } = getComputedStyle(canvas);
    const size = Math.max(radius.least, radius.full * zoom);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = color;
    context.strokeStyle = outlineColor;
    context.lineWidth = 1.5;
    const scene: Scene = { cornerOf, trackTo: () => null };
    const isMoving = this.#tracks.each(scene, atMs, this.#moveMs, (x, y, opacity) => {
      context.globalAlpha = opacity;
      context.beginPath();
      context.arc(x * zoom + left, y * zoom + top, size, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    });
    this.#isBlank = this.#tracks.isEmpty;
    if (isMoving) this.#frame = requestAnimationFrame((nextMs) => this.#paint(nextMs));
  }
}

/** The lines of a document as points, sampled when a caller first takes them. */
class LineTracks {
  readonly #document: IvrDocument;
  readonly #tracks = new Map<string, Float64Array>();
  #ways: ReadonlyMap<string, LineWay> | undefined;

  constructor(document: IvrDocument) {
    this.#document = document;
  }

  /** The line that a caller took from one node (null: a new call) to another. The last key says which, where there are several. */
  trackTo(from: string | null, to: string, keys: readonly string[]): Float64Array | null {
    const start = from ?? 'caller';
    const found = linesOf(this.#document).filter((line) => cardOf(line.from) === start && line.to === to);
    const last = keys.at(-1);
    const menu = Object.values(this.#document.nodes).find(({ id }) => id === start);
    const taken =
      found.find(({ from: port }) =>
        port.kind === 'key'
          ? menu?.kind === 'menu' && menu.keys[port.index]?.key === last
          : port.kind === 'timeout' && last === '-',
      ) ??
      found.find(({ from: port }) => port.kind === 'invalid') ??
      found[0];
    return taken === undefined ? null : this.#sample(lineId(taken.from));
  }

  #sample(id: string): Float64Array | null {
    const known = this.#tracks.get(id);
    if (known !== undefined) return known;
    this.#ways ??= waysOf(this.#document, new Map());
    const way = this.#ways.get(id);
    if (way === undefined) return null;
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', pathNow(way, way.start, { x: way.end.x + arrow, y: way.end.y }));
    const length = path.getTotalLength();
    const points = new Float64Array(2 * samples);
    for (let place = 0; place < samples; place += 1) {
      const { x, y } = path.getPointAtLength((length * place) / (samples - 1));
      points[2 * place] = x;
      points[2 * place + 1] = y;
    }
    this.#tracks.set(id, points);
    return points;
  }
}

/** The length of an arrow, which a line stops before. */
const arrow = 6;
