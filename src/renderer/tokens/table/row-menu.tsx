import { useState } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import { flushSync } from 'react-dom';
import type { TokenRow } from '../../../contract/token-list.ts';
import { moveDialogText, tokenListText as text, type TokenMove } from '../../../text/token-list-text.ts';
import { copyText } from '../../kit/clipboard.ts';
import { movesFrom } from '../move-dialog.tsx';
import styles from './table.module.css';

/** What can be done with the token of a row. What is around it stays there for screen readers: it may have to say something. */
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
      placement="bottom end"
      offset={4}
      onOpenChange={onClose}
    >
      <Menu
        aria-label={text.actions(token.name)}
        autoFocus="first"
        className={styles['menu'] ?? ''}
        onClose={onClose}
      >
        <Item onPress={() => choose(onOpen)}>{text.open}</Item>
        {movesFrom(token.status).map((one) => (
          <Item key={one} onPress={() => choose(() => onMove(one))}>
            {moveDialogText.open(one)}
          </Item>
        ))}
        <Item onPress={() => choose(() => void copyText(token.id))}>{text.copyId}</Item>
      </Menu>
    </Popover>
  );
}

function Item({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <MenuItem textValue={children} className={styles['item'] ?? ''} onAction={onPress}>
      {children}
    </MenuItem>
  );
}
