const opened = 'rotavox:palette';
const sheetOpened = 'rotavox:shortcuts';

/** Opens the palette over whatever the window shows. */
export function showPalette(): void {
  dispatchEvent(new Event(opened));
}

/** Opens the sheet of shortcuts. */
export function showShortcuts(): void {
  dispatchEvent(new Event(sheetOpened));
}

/** Hears both wishes. Returns how to stop. */
export function hearPalette(onPalette: () => void, onSheet: () => void): () => void {
  addEventListener(opened, onPalette);
  addEventListener(sheetOpened, onSheet);
  return () => {
    removeEventListener(opened, onPalette);
    removeEventListener(sheetOpened, onSheet);
  };
}
