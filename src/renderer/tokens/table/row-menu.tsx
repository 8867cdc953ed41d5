import type { TokenRow } from '../../../contract/token/token-list.ts';
import {
  moveDialogText,
  tokenListText as text,
  type TokenMove,
} from '../../../text/token/token-list-text.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { copyText } from '../../kit/clipboard.ts';
import { movesFrom } from '../move-dialog.tsx';

/** What can be done with the token of a row. */
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
  return (
    <ActionMenu
      label={text.actions(token.name)}
      anchor={anchor}
      actions={[
        { label: text.open, act: onOpen },
        ...movesFrom(token.status).map((one) => ({
          label: moveDialogText.open(one),
          act: () => onMove(one),
        })),
        { label: text.copyId, act: () => void copyText(token.id) },
      ]}
      onClose={onClose}
    />
  );
}
