import { useEffect, useRef } from 'react';
import type { DraftNode, IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import { documentExport, readDocumentFile } from '../../../core/ivr/document-file.ts';
import { pasteNodes } from '../../../core/ivr/edit/edit-nodes.ts';
import { useToldKeys } from '../../kit/keys/use-shortcut.ts';
import { removeSelected } from './canvas/use-canvas-keys.ts';
import { countedParts } from './counted-parts.ts';
import type { DesignerStore } from './designer-store.ts';
import { useDesigner } from './use-designer.ts';

/** How far beside the last copy a further one is pasted, in pixels. */
const stepPixels = 40;

/**
 * Copies, cuts and pastes parts through the system's clipboard, so that they go from one draft to another.
 *
 * By the browser's own events: they need no permission, and what is typed or marked in a field stays the field's.
 */
export function useClipboard(): void {
  const { store } = useDesigner();
  /** What was copied or pasted last, and how often it was pasted since. */
  const last = useRef({ text: '', times: 0 });
  useToldKeys('Mod+C', 'Copy what is selected');
  useToldKeys('Mod+X', 'Cut what is selected');
  useToldKeys('Mod+V', 'Paste');
  useToldKeys('Mod+A', 'Select everything');

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
      last.current.times = -1; // the first copy comes to where it was
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
      store.edit(`paste ${countedParts(nodes.length)}`, () => pasted.document, { select: pasted.ids });
    }
    const hearCopy = (event: ClipboardEvent): void => void copy(event);
    document.addEventListener('copy', hearCopy);
    document.addEventListener('cut', cut);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('copy', hearCopy);
      document.removeEventListener('cut', cut);
      document.removeEventListener('paste', paste);
    };
  }, [store]);
}

/** Whether a field, a dialog or marked text is meant. */
function isOfField({ target }: ClipboardEvent): boolean {
  const isField =
    target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
  return isField || document.querySelector('dialog[open]') !== null || getSelection()?.isCollapsed === false;
}

/** In UTF-16 units: far above what the largest drawing takes. */
const longestText = 4 * 1024 * 1024;

/**
 * What is selected of a drawing, as a text: our own export, which any draft takes, and which is a file of its own.
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

/** The nodes of such a text; null for every other text, also for a body or a file of another program. */
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
  const nodes = Object.values(read.value.nodes);
  return nodes.length === 0 ? null : nodes;
}

function withoutLinesOut(node: DraftNode, kept: ReadonlySet<string>): DraftNode {
  if (node.kind === 'end') return node;
  const lead = (to: NodeId | null): NodeId | null => (to !== null && kept.has(to) ? to : null);
  return {
    ...node,
    keys: node.keys.map((key) => ({ ...key, to: lead(key.to) })),
    invalid_destination: lead(node.invalid_destination),
    timeout_destination: lead(node.timeout_destination),
  };
}

/** Adds copies of what is selected beside it; lines among them lead to the copies, others to where they led. */
export function duplicateSelected(store: DesignerStore): void {
  const { document, selection } = store.state();
  const nodes = Object.values(document.nodes).filter(({ id }) => selection.has(id));
  if (nodes.length === 0) return;
  const pasted = pasteNodes(document, nodes, { x: 40, y: 40 });
  store.edit(`duplicate ${countedParts(nodes.length)}`, () => pasted.document, { select: pasted.ids });
}
