import { useShortcut } from '../../../kit/keys/use-shortcut.ts';
import { useDesigner } from '../use-designer.ts';
import { duplicateSelected } from '../clipboard/duplicate-selected.ts';

/** Undo, redo and duplicate, wherever the focus is in the designer. */
export function useEditKeys(): void {
  const { store } = useDesigner();
  useShortcut('Mod+Z', 'Undo', () => store.undo());
  useShortcut('Mod+Shift+Z', 'Redo', () => store.redo());
  useShortcut('Mod+Y', 'Redo', () => store.redo());
  useShortcut('Mod+D', 'Duplicate what is selected', () => duplicateSelected(store));
}
