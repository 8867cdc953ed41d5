import { windowText } from '../../../text/window.ts';
import { Icon } from '../icon.tsx';
import styles from './palette-button.module.css';
import { keyWords } from './shortcut-list.ts';

const keys = keyWords('Mod+K', navigator.userAgent.includes('Mac')).join(' ');

/** Opens the palette with the mouse, and tells the keys that do the same. */
export function PaletteButton() {
  return (
    <button
      type="button"
      className={styles['button']}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={showPalette}
    >
      <Icon name="search" />
      <span className={styles['word']}>{windowText.search.button}</span>
      <kbd className={styles['keys']} aria-hidden="true">
        {keys}
      </kbd>
    </button>
  );
}

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

/** Hears both requests. Returns how to stop. */
export function hearPalette(onPalette: () => void, onSheet: () => void): () => void {
  addEventListener(opened, onPalette);
  addEventListener(sheetOpened, onSheet);
  return () => {
    removeEventListener(opened, onPalette);
    removeEventListener(sheetOpened, onSheet);
  };
}
