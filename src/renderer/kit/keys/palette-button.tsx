import { Icon } from '../icon.tsx';
import { keyWords } from './shortcut-list.ts';
import styles from './palette-button.module.css';
import { showPalette } from './palette-events.ts';

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
      <span className={styles['word']}>Search</span>
      <kbd className={styles['keys']} aria-hidden="true">
        {keys}
      </kbd>
    </button>
  );
}
