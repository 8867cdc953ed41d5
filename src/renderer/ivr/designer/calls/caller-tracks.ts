import type { Spot } from '../../../../core/ivr/drawing/line-path.ts';

/** A caller as the picture needs it. */
export interface PaintedCaller {
  readonly id: string;
  readonly node: string;
}

/** Where callers are drawn. */
export interface Scene {
  /** The upper left corner of a card, where it is now; undefined if there is none. */
  readonly cornerOf: (node: string) => Spot | undefined;
  /** The line that a caller takes to a node, as points at equal distances: x and y in turn. Null: there is none. */
  readonly trackTo: (caller: PaintedCaller, from: string | null) => Float64Array | null;
}

interface Moving {
  readonly track: Float64Array;
  readonly startedAt: number;
}

interface Painted {
  node: string;
  /** Its place on the upper edge of the card; null: there are more callers than places. */
  slot: number | null;
  moving: Moving | null;
  /** When it left, after which it fades. */
  leftAt: number | null;
}

/** So many callers stand on the edge of a card one by one; the badge of the card counts all. */
export const slotsPerCard = 16;
const slotWidth = 14;
const firstSlot = 18;
const fadeMs = 250;

/**
 * Where each caller is at any instant: on the upper edge of the card of its menu, or on the line to it.
 *
 * In coordinates of the call flow, without a canvas, so that it can be tested and costs the same at any magnification.
 */
export class CallerTracks {
  readonly #painted = new Map<string, Painted>();
  readonly #slots = new Map<string, (string | undefined)[]>();

  /** Takes over who is where now. `moveMs` is how long a caller is on its way; 0 has everybody arrive at once. */
  update(callers: Iterable<PaintedCaller>, scene: Scene, nowMs: number, moveMs: number): void {
    const here = new Set<string>();
    for (const caller of callers) {
      here.add(caller.id);
      const known = this.#painted.get(caller.id);
      if (known?.leftAt === null && known.node === caller.node) continue;
      if (known !== undefined) this.#release(caller.id, known);
      const track = moveMs === 0 ? null : scene.trackTo(caller, known?.node ?? null);
      this.#painted.set(caller.id, {
        node: caller.node,
        slot: this.#take(caller.id, caller.node),
        moving: track === null ? null : { track, startedAt: nowMs },
        leftAt: null,
      });
    }
    for (const [id, painted] of this.#painted) {
      if (here.has(id) || painted.leftAt !== null) continue;
      this.#release(id, painted);
      if (moveMs === 0) this.#painted.delete(id);
      else painted.leftAt = nowMs;
    }
  }

  /** Tells each visible caller with its place and opacity. Answers whether any of them still moves or fades. */
  each(
    scene: Scene,
    nowMs: number,
    moveMs: number,
    tell: (x: number, y: number, opacity: number) => void,
  ): boolean {
    let isMoving = false;
    for (const [id, painted] of this.#painted) {
      const { moving, leftAt } = painted;
      const fading = leftAt === null ? 0 : (nowMs - leftAt) / fadeMs;
      if (fading >= 1) {
        this.#painted.delete(id);
        continue;
      }
      if (leftAt !== null) isMoving = true;
      if (moving !== null) {
        const part = (nowMs - moving.startedAt) / moveMs;
        if (part < 1) {
          isMoving = true;
          const [x, y] = onTrack(moving.track, eased(Math.max(0, part)));
          tell(x, y, 1 - fading);
          continue;
        }
        painted.moving = null;
      }
      const corner = scene.cornerOf(painted.node);
      if (painted.slot !== null && corner !== undefined)
        tell(corner.x + firstSlot + painted.slot * slotWidth, corner.y, 1 - fading);
    }
    return isMoving;
  }

  get isEmpty(): boolean {
    return this.#painted.size === 0;
  }

  #take(id: string, node: string): number | null {
    const slots = this.#slots.get(node) ?? [];
    this.#slots.set(node, slots);
    for (let slot = 0; slot < slotsPerCard; slot += 1) {
      if (slots[slot] !== undefined) continue;
      slots[slot] = id;
      return slot;
    }
    return null;
  }

  #release(id: string, { node, slot }: Painted): void {
    const slots = this.#slots.get(node);
    if (slots !== undefined && slot !== null && slots[slot] === id) slots[slot] = undefined;
  }
}

function onTrack(track: Float64Array, part: number): readonly [number, number] {
  const last = track.length / 2 - 1;
  const place = Math.min(last, part * last);
  const before = Math.min(last - 1, Math.floor(place));
  const rest = place - before;
  const at = (index: number) => track[index] ?? 0;
  return [
    at(2 * before) + (at(2 * before + 2) - at(2 * before)) * rest,
    at(2 * before + 1) + (at(2 * before + 3) - at(2 * before + 1)) * rest,
  ];
}

function eased(part: number): number {
  return part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2;
}
