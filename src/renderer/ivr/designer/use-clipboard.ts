import { useEffect, useRef } from 'react';
import type { DraftNode, IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import { withTargets } from '../../../core/ivr/edit/edit-nodes.ts';
import { documentExport, readDocumentFile } from '../../../core/ivr/document-file.ts';
import { pasteNodes } from '../../../core/ivr/edit/edit-nodes.ts';
import { useToldKeys } from '../../kit/keys/use-shortcut.ts';
import { removeSelected } from './canvas/use-canvas-keys.ts';
import type { DesignerStore } from './designer-store.ts';
import { useDesigner } from './use-designer.ts';
import { editText, shortcutText } from '../../../text/menu/designer.ts';

/** The distance between one pasted copy and the next, in pixels. */
const stepPixels = 40;

/**
 * Copies, cuts and pastes parts with the system's clipboard, also from one draft to another.
 *
 * It uses the browser's clipboard events: they need no permission, and text fields keep theirs.
 */
export function useClipboard(): void {
  const { store } = useDesigner();
  /** What was copied or pasted last, and how often it was pasted since. */
  const last = useRef({ text: '', times: 0 });
  useToldKeys('Mod+C', shortcutText.copy);
  useToldKeys('Mod+X', shortcutText.cut);
  useToldKeys('Mod+V', shortcutText.paste);
  useToldKeys('Mod+A', shortcutText.selectAll);

  useEffect(() => {
    function copy(event: ClipboardEvent): boolean {
      if (isOfField(event)) return false;
      const { document, selection } = store.state();
      const text = clipText(document, selection);
      if (text === null || event.clipboardData === null) return false;
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
      last.current = { text, times: 0 };
      return true;
    }
    function cut(event: ClipboardEvent): void {
      if (!copy(event)) return;
      last.current.times = -1; // the first paste restores the original place
      removeSelected(store, null);
    }
    function paste(event: ClipboardEvent): void {
      if (isOfField(event)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const nodes = readClip(text);
      if (nodes === null) return;
      event.preventDefault();
      const times = last.current.text === text ? last.current.times + 1 : 1;
      last.current = { text, times };
      const by = { x: times * stepPixels, y: times * stepPixels };
      const pasted = pasteNodes(store.state().document, nodes, by);
      store.edit(editText.paste(nodes.length), () => pasted.document, { select: pasted.ids });
    }
    const onCopy = (event: ClipboardEvent): void => void copy(event);
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', cut);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', cut);
      document.removeEventListener('paste', paste);
    };
  }, [store]);
}

/** Whether the event is for a field, a dialog or selected text. */
function isOfField({ target }: ClipboardEvent): boolean {
  const isField =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
  return isField || document.querySelector('dialog[open]') !== null || getSelection()?.isCollapsed === false;
}

/** In UTF-16 units: far above the largest call flow. */
const longestText = 4 * 1024 * 1024;

/**
 * The selected parts as text in the format of an exported draft, which any draft accepts.
 *
 * Lines to what is not selected are left out: in another draft the same id is another node. Null when nothing is selected
 * that can be copied.
 */
export function clipText(document: IvrDocument, selection: ReadonlySet<string>): string | null {
  const kept = Object.values(document.nodes).filter(({ id }) => selection.has(id));
  if (kept.length === 0) return null;
  const nodes = Object.fromEntries(kept.map((node) => [node.id, withoutLinesOut(node, selection)]));
  return documentExport({
    name: document.name,
    caller: { ...document.caller, to: null },
    nodes,
    scenarios: {},
  });
}

/** The nodes of such a text; null for any other text, including a body or another program's file. */
export function readClip(text: string): readonly DraftNode[] | null {
  if (text.length > longestText) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null; // any other text
  }
  const read = readDocumentFile(json);
  if (read?.ok !== true) return null;
  const nodes = Object.values(read.value.document.nodes);
  return nodes.length === 0 ? null : nodes;
}

function withoutLinesOut(node: DraftNode, kept: ReadonlySet<string>): DraftNode {
  return withTargets(node, (to) => (to !== null && kept.has(to) ? to : null));
}

/** Adds copies of what is selected beside it; lines among them lead to the copies, other lines to the same parts as before. */
export function duplicateSelected(store: DesignerStore): void {
  const { document, selection } = store.state();
  const nodes = Object.values(document.nodes).filter(({ id }) => selection.has(id));
  if (nodes.length === 0) return;
  const pasted = pasteNodes(document, nodes, { x: 40, y: 40 });
  store.edit(editText.duplicate(nodes.length), () => pasted.document, { select: pasted.ids });
}
