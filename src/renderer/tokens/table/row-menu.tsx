import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';

import type { TokenRow } from '../../../contract/token-list.ts';
import { moveDialogText, tokenListText as text, type TokenMove } from '../../../text/token-list.ts';
import { copyText } from '../../kit/clipboard.ts';
import { movesFrom } from '../move-dialog.tsx';
import styles from './row-menu.module.css';

const gapPx = 4;
const edgePx = 8;

/**
 * What can be done with the token of a row.
 *
 * In the browser's own popover: it lies over everything, ends with Esc or a press elsewhere, and gives the focus back.
 */
export function RowMenu({
  token,
  anchor,
  onOpen,
  onMove,
  onClose,
}: {
  token: TokenRow;
  /** What it opens beside. */
  anchor: HTMLElement;
  onOpen: () => void;
  onMove: (move: TokenMove) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = ref.current;
    if (menu === null || menu.matches(':popover-open')) return;
    menu.showPopover();
    placeBeside(menu, anchor);
    menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, [anchor]);

  useEffect(() => {
    const end = (): void => ref.current?.hidePopover();
    // It would stay where it is while its row moves away.
    addEventListener('scroll', end, { capture: true });
    addEventListener('resize', end);
    return () => {
      removeEventListener('scroll', end, { capture: true });
      removeEventListener('resize', end);
    };
  }, []);

  /** Ends the menu first, so that what comes next gets the focus. */
  function choose(act: () => void): void {
    ref.current?.hidePopover();
    act();
  }
  function move(event: KeyboardEvent): void {
    const items = [...(ref.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const place = items.findIndex((item) => item === document.activeElement);
    const next = placeAfter(event.key, place, items.length);
    if (event.key === 'Tab') ref.current?.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  }

  return (
    <div
      ref={ref}
      popover="auto"
      role="menu"
      aria-label={text.actions(token.name)}
      className={styles['menu']}
      onKeyDown={move}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose();
      }}
    >
      <Item onPress={() => choose(onOpen)}>{text.open}</Item>
      {movesFrom(token.status).map((one) => (
        <Item key={one} onPress={() => choose(() => onMove(one))}>
          {moveDialogText.open(one)}
        </Item>
      ))}
      <Item onPress={() => choose(() => void copyText(token.id))}>{text.copyId}</Item>
    </div>
  );
}

function Item({ onPress, children }: { onPress: () => void; children: React.ReactNode }) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={styles['item']} onClick={onPress}>
      {children}
    </button>
  );
}

/** Below what it belongs to, its end below that end; above where there is no room. */
function placeBeside(menu: HTMLElement, anchor: HTMLElement): void {
  const beside = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = beside.bottom + gapPx;
  const top = below + height + edgePx <= innerHeight ? below : beside.top - gapPx - height;
  menu.style.top = `${Math.max(edgePx, top)}px`;
  menu.style.left = `${Math.max(edgePx, beside.right - width)}px`;
}

function placeAfter(key: string, place: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (place + 1) % count;
    case 'ArrowUp':
      return (place + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
