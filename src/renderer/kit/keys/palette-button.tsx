import { createContext, useContext } from 'react';
import { windowText } from '../../../text/window/window.ts';
import buttonStyles from '../button.module.css';
import { Icon } from '../icon.tsx';
import styles from '../window-frame.module.css';
import { keyWords } from './use-shortcut.ts';

const keys = keyWords('Mod+K', navigator.userAgent.includes('Mac')).join(' ');

/** Opens the palette over whatever the window shows. */
export const ShowPalette = createContext<() => void>(() => undefined);

/** Opens the palette with the mouse, and tells the keys that do the same. */
export function PaletteButton() {
  const showPalette = useContext(ShowPalette);
  return (
    <button
      type="button"
      className={[buttonStyles['button'], styles['search']].join(' ')}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={showPalette}
    >
      <Icon name="search" />
      <span>{windowText.search.button}</span>
      <kbd aria-hidden="true">{keys}</kbd>
    </button>
  );
}
