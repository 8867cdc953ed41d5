import { useEffect, useRef } from 'react';

import { pasteNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { useToldKeys } from '../../../kit/keys/use-shortcut.ts';
import { removeSelected } from '../canvas/remove-selected.ts';
import { countedParts } from '../counted-parts.ts';
import { useDesigner } from '../use-designer.ts';
import { clipText, readClip } from './clip-text.ts';

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
