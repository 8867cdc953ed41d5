import { type ReactNode, type Ref, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { Menu, MenuItem } from 'react-aria-components';
import { flushSync } from 'react-dom';
import styles from './action-menu.module.css';
import buttonStyles from './button.module.css';

export interface MenuAction {
  readonly label: string;
  readonly act: () => void;
}

/** What can be done with something, above everything else. Esc, Tab and a press beside it close it. */
export function ActionMenu({
  label,
  anchor,
  actions,
  onClose,
}: {
  label: string;
  /** What it opens beside. */
  anchor: HTMLElement;
  actions: readonly MenuAction[];
  onClose: () => void;
}) {
  const [before] = useState(() => document.activeElement);
  const close = useEffectEvent(onClose);
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = ref.current;
    if (menu === null) return undefined;
    menu.showPopover();
    place(menu, anchor);
    const press = ({ target }: Event): void => {
      const isBeside = target instanceof Node && !menu.contains(target) && !anchor.contains(target);
      if (isBeside) close();
    };
    const follow = (): void => place(menu, anchor);
    addEventListener('pointerdown', press, true);
    addEventListener('resize', follow);
    return () => {
      removeEventListener('pointerdown', press, true);
      removeEventListener('resize', follow);
    };
  }, [anchor]);

  /** Ends the menu and gives the focus back first, so that a dialog knows where to return it. */
  function choose(act: () => void): void {
    flushSync(onClose);
    if (before instanceof HTMLElement) before.focus();
    act();
  }
  return (
    <div
      ref={ref}
      popover="manual"
      className={styles['popover']}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Tab') return;
        // Tab goes on from where the focus was.
        if (event.key === 'Escape') event.preventDefault();
        event.stopPropagation();
        choose(() => undefined);
      }}
    >
      <Menu aria-label={label} autoFocus="first" className={styles['menu'] ?? ''}>
        {actions.map((one) => (
          <MenuItem
            key={one.label}
            textValue={one.label}
            className={styles['item'] ?? ''}
            onAction={() => choose(one.act)}
          >
            {one.label}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

/** Below the button and up to its right edge, or above it where there is more room. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const { top, bottom, right } = anchor.getBoundingClientRect();
  const left = Math.max(edgePx, right - menu.offsetWidth);
  const isBelow = innerHeight - bottom >= Math.min(menu.offsetHeight + edgePx, top);
  const room = (isBelow ? innerHeight - bottom : top) - gapPx - edgePx;
  Object.assign(menu.style, {
    left: `${left}px`,
    maxHeight: `${room}px`,
    top: isBelow ? `${bottom + gapPx}px` : 'auto',
    bottom: isBelow ? 'auto' : `${innerHeight - top + gapPx}px`,
  });
}

/** From the button, and from the edge of the window, in pixels. */
const gapPx = 4;
const edgePx = 8;

/** What a button that opens a menu shows in the place of words. */
export function Dots() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true" focusable="false">
      <circle cx="3" cy="8" r="1.4" />
      <circle cx="8" cy="8" r="1.4" />
      <circle cx="13" cy="8" r="1.4" />
    </svg>
  );
}

const openingKeys = ['Enter', ' ', 'ArrowDown'];

/** A button that opens a menu. */
export function MenuButton({
  label,
  actions,
  className = buttonStyles['button'],
  ref,
  children,
}: {
  label: string;
  ref?: Ref<HTMLButtonElement>;
  actions: readonly MenuAction[];
  className?: string | undefined;
  /** In place of the label, which is its name all the same. */
  children?: ReactNode;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        type="button"
        ref={ref}
        className={className}
        aria-label={children === undefined ? undefined : label}
        title={children === undefined ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onKeyDown={(event) => {
          if (!openingKeys.includes(event.key)) return;
          event.preventDefault(); // a click without a pointer would leave the focus on the menu instead of its first row
          setAnchor(event.currentTarget);
        }}
        onClick={({ currentTarget }) => setAnchor(anchor === null ? currentTarget : null)}
      >
        {children ?? label}
      </button>
      {anchor === null ? null : (
        <ActionMenu label={label} anchor={anchor} actions={actions} onClose={() => setAnchor(null)} />
      )}
    </>
  );
}
