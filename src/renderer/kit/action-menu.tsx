import { type ReactNode, useRef, useState } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { flushSync } from 'react-dom';
import styles from './action-menu.module.css';
import buttonStyles from './button.module.css';

export interface MenuAction {
  readonly label: string;
  readonly act: () => void;
}

/** What can be done with something. What is around it stays there for screen readers: it may have to say something. */
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

  /** Ends the menu and gives the focus back first, so that a dialog knows where to return it. */
  function choose(act: () => void): void {
    flushSync(onClose);
    if (before instanceof HTMLElement) before.focus();
    act();
  }
  return (
    <Popover
      isOpen
      isNonModal
      triggerRef={{ current: anchor }}
      // At the end of the body it would be outside of the landmarks.
      // oxlint-disable-next-line typescript/no-deprecated -- what replaces it is in a package that is not one of ours
      UNSTABLE_portalContainer={anchor.closest('main') ?? document.body}
      placement="bottom end"
      offset={4}
      onOpenChange={onClose}
    >
      <Menu aria-label={label} autoFocus="first" className={styles['menu'] ?? ''} onClose={onClose}>
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
    </Popover>
  );
}

const openingKeys = ['Enter', ' ', 'ArrowDown'];

/** A button that opens a menu. */
export function MenuButton({
  label,
  actions,
  className = buttonStyles['button'],
  children,
}: {
  label: string;
  actions: readonly MenuAction[];
  className?: string | undefined;
  /** In place of the label, which is its name all the same. */
  children?: ReactNode;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  /** A press on the button ends its menu, as one beside it does, and must not open it again. */
  const wasOpen = useRef(false);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={children === undefined ? undefined : label}
        title={children === undefined ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onPointerDown={() => {
          wasOpen.current = anchor !== null;
        }}
        onKeyDown={(event) => {
          if (!openingKeys.includes(event.key)) return;
          event.preventDefault(); // a click without a pointer would leave the focus on the menu instead of its first row
          setAnchor(event.currentTarget);
        }}
        onClick={({ currentTarget }) => {
          if (!wasOpen.current) setAnchor(currentTarget);
          wasOpen.current = false;
        }}
      >
        {children ?? label}
      </button>
      {anchor === null ? null : (
        <ActionMenu label={label} anchor={anchor} actions={actions} onClose={() => setAnchor(null)} />
      )}
    </>
  );
}
