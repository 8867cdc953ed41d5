import type { NodeId } from '../../../../contract/ivr-draft.ts';
import type { Port } from '../../../../core/ivr/edit/port.ts';

/** What a line can be drawn from: a port that is there, or a key that is not used yet. */
export type LineStart = Port | { readonly kind: 'free-key'; readonly menu: NodeId; readonly key: string };

/** What the canvas library calls the place on a card where a line begins. */
export function handleOf(start: LineStart): string {
  switch (start.kind) {
    case 'key':
      return `key-${start.index}`;
    case 'free-key':
      return `free-${start.key}`;
    case 'caller':
    case 'invalid':
    case 'timeout':
      return start.kind;
  }
}

/** Which card it is on: a menu's, or the caller's. */
export function cardOf(start: LineStart): string {
  return start.kind === 'caller' ? 'caller' : start.menu;
}

/** Reads what the canvas library tells of a place back; undefined where no line begins. */
export function readHandle(card: string, handle: string | null | undefined): LineStart | undefined {
  if (handle === 'caller') return { kind: 'caller' };
  const menu = card as NodeId;
  if (handle === 'invalid' || handle === 'timeout') return { kind: handle, menu };
  const [, kind, rest = ''] = /^(key|free)-(.+)$/.exec(handle ?? '') ?? [];
  if (kind === 'key') return { kind: 'key', menu, index: Number(rest) };
  return kind === 'free' ? { kind: 'free-key', menu, key: rest } : undefined;
}

/** What a line is called on the canvas: it is the only one of its port. */
export function lineId(start: LineStart): string {
  return `${cardOf(start)}:${handleOf(start)}`;
}
