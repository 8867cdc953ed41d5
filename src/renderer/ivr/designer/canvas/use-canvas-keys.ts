import { type KeyboardEvent, useEffect, useEffectEvent } from 'react';
import { moveNodes, removeNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { connect } from '../../../../core/ivr/edit/lines.ts';
import type { DesignerState, DesignerStore } from '../designer-store.ts';
import { inspectorPath } from '../inspector/inspector.tsx';
import { useDesigner } from '../use-designer.ts';
import { readHandle } from './card-geometry.ts';
import { editText } from '../../../../text/menu/designer.ts';
import type { NodeId } from '../../../../contract/menu/ivr-draft.ts';

const directions: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** How far an arrow key moves what is selected, in pixels; with the shift key, five times as far. */
const nudge = 8;

/**
 * What the keyboard does on the canvas.
 *
 * Arrows move what is selected, or the focus to the next card if the focused one is not selected. Enter goes to the
 * inspector, Delete removes, Escape clears the selection.
 */
export function useCanvasKeys(selectedLine: string | null): (event: KeyboardEvent) => void {
  const { store } = useDesigner();
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.target !== document.body || document.querySelector('dialog[open]') !== null) return;
    if (act(event, store, null, selectedLine)) event.preventDefault();
  });
  useEffect(() => {
    // While nothing has the focus, such as after a paste, keys are for the canvas.
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (event) => {
    // React also passes on keys of what a card opens elsewhere, such as the list of its callers.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    if (event.target.closest('input, textarea, select, button, [role="listbox"]') !== null) return;
    const edited =
      event.key === 'Enter' ? event.target.closest<HTMLElement>('[data-edits]')?.dataset['edits'] : undefined;
    if (edited !== undefined) store.editOnCard(edited);
    else if (!act(event, store, event.target.closest<HTMLElement>('.react-flow__node'), selectedLine)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/** Returns whether the key did anything. */
function act(
  event: Press,
  store: DesignerStore,
  focused: HTMLElement | null,
  selectedLine: string | null,
): boolean {
  const { key, shiftKey, altKey } = event;
  const hasMod = event.ctrlKey || event.metaKey;
  const id = focused?.dataset['id'];
  const { selection } = store.state();
  if (hasMod && key.toLowerCase() === 'a') {
    selectAll(store);
    return true;
  }
  if (hasMod || altKey) return false;
  const direction = directions[key];
  if (direction !== undefined) {
    if (id !== undefined && !selection.has(id)) nextCard(focused, direction)?.focus();
    else if (selection.size > 0) nudgeSelected(store, direction, shiftKey ? nudge * 5 : nudge);
    else return false;
    return true;
  }
  switch (key) {
    case 'Delete':
    case 'Backspace':
      removeSelected(store, selectedLine);
      return true;
    case 'Enter':
      if (id === undefined) return false;
      openFields(store, id);
      return true;
    case ' ':
      if (id === undefined) return false;
      store.select(toggled(selection, id, shiftKey));
      return true;
    case 'Escape':
      store.select(new Set());
      return true;
    default:
      return false;
  }
}

/** Opens the inspector on a card, or on all that are selected if it is one of them. */
export function openFields(store: DesignerStore, id: string): void {
  if (!store.state().selection.has(id)) store.select(new Set([id]));
  store.closePhone();
  store.requestFocus(firstField(store.state()));
}

const firstFields = { menu: 'name', message: 'name', hours: 'hours', end: 'type' } as const;

/** The path of the first field of what is selected. */
function firstField({ document, selection }: DesignerState): string {
  const [id = ''] = selection;
  if (selection.size > 1) return inspectorPath;
  if (id === 'caller') return 'caller.to';
  const kind = document.nodes[id as NodeId]?.kind;
  return kind === undefined ? inspectorPath : `nodes.${id}.${firstFields[kind]}`;
}

function selectAll(store: DesignerStore): void {
  store.select(new Set(['caller', ...Object.keys(store.state().document.nodes)]));
}

function nudgeSelected(store: DesignerStore, { x, y }: { x: number; y: number }, by: number): void {
  const { document, selection } = store.state();
  const places = new Map(
    [...selection].map((id) => {
      const place = id === 'caller' ? document.caller.place : document.nodes[id as NodeId]?.place;
      return [id, { x: (place?.x ?? 0) + x * by, y: (place?.y ?? 0) + y * by }];
    }),
  );
  store.edit(editText.move(places.size), (before) => moveNodes(before, places), { merge: 'nudge' });
}

function toggled(selection: ReadonlySet<string>, id: string, isMore: boolean): ReadonlySet<string> {
  if (!isMore) return new Set([id]);
  const others = new Set(selection);
  if (!others.delete(id)) others.add(id);
  return others;
}

/** The next card in a direction, as the screen shows them; null at the edge. */
function nextCard(from: HTMLElement | null, { x, y }: { x: number; y: number }): HTMLElement | null {
  if (from === null) return null;
  const here = middleOf(from);
  let next: HTMLElement | null = null;
  let least = Infinity;
  for (const card of document.querySelectorAll<HTMLElement>('.react-flow__node')) {
    const there = middleOf(card);
    const along = (there.x - here.x) * x + (there.y - here.y) * y;
    const aside = Math.abs((there.x - here.x) * y) + Math.abs((there.y - here.y) * x);
    const distance = along + aside * 2; // straight ahead first
    if (card === from || along <= 1 || distance >= least) continue;
    next = card;
    least = distance;
  }
  return next;
}

function middleOf(card: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = card.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Removes the selected line, or else the selected cards; the caller stays. */
export function removeSelected(store: DesignerStore, selectedLine: string | null): void {
  const [card = '', handle] = selectedLine?.split(':') ?? [];
  const from = readHandle(card, handle);
  if (from !== undefined && from.kind !== 'free-key') {
    store.edit(editText.removeLine, (document) => connect(document, from, null));
    return;
  }
  const ids = new Set([...store.state().selection].filter((id) => id !== 'caller'));
  if (ids.size === 0) return;
  store.edit(editText.removeParts(ids.size), (document) => removeNodes(document, ids), {
    select: new Set(),
  });
}
