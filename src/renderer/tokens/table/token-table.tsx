import { type KeyboardEvent, memo, type MouseEvent, type Ref, useCallback, useState, useRef } from 'react';
import type { TokenRow, TokenSort } from '../../../contract/token/token-list.ts';
import {
  moveDialogText,
  tokenListText as text,
  type TokenMove,
} from '../../../text/token/token-list-text.ts';
import { credentialPath, familyPath } from '../../kit/window-paths.ts';
import { RowsPanel } from '../../kit/list/list-page.tsx';
import { windowCache } from '../../kit/live/window-cache.ts';
import { goTo, setSearch } from '../../kit/navigation.ts';
import { Text } from '../../kit/text.tsx';
import { useMedia } from '../../kit/use-media.ts';
import { type RowsHandle, VirtualRows } from '../../kit/list/virtual-rows.tsx';
import { MoveDialog, movesFrom } from '../move-dialog.tsx';
import listStyles from '../../kit/list/list.module.css';
import styles from './table.module.css';
import {
  columnsFit,
  knownRow,
  type Listing,
  searchFor,
  useTokenRow,
  usualOrder,
  usualSort,
} from './listing.ts';
import { Row } from '../../kit/layout.tsx';
import { tokenNameText } from '../../../text/credential/credentials.ts';
import { StatusShape, TokenName, isLive } from '../status-shape.tsx';
import { ActionMenu, Dots } from '../../kit/action-menu.tsx';
import { copyText } from '../../kit/clipboard.ts';
import type { TokenView } from '../../../contract/token/token.ts';
import buttonStyles from '../../kit/button.module.css';
import { Icon } from '../../kit/icon.tsx';
import { Countdown, Moment } from '../../kit/moment.tsx';
import { countWords } from '../../../text/count.ts';

/** Below this there is no room for columns: a row is two lines then. In pixels at a root size of 16. */
const rowHeights = { columns: 44, lines: 68 } as const;
const headHeight = 40;

interface OpenMenu {
  readonly token: TokenRow;
  /** What it opens beside. */
  readonly anchor: HTMLElement;
}

/** The rows of a listing: only those in sight are asked for and drawn. */
export function TokenTable({
  ref,
  listing,
  total,
  isSortable,
}: {
  ref: Ref<RowsHandle>;
  listing: Listing;
  total: number;
  /** Not with so few rows that their order is seen at once. */
  isSortable: boolean;
}) {
  const hasColumns = useMedia(columnsFit);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [asked, setAsked] = useState<{ readonly token: TokenRow; readonly move: TokenMove } | null>(null);
  const rowHeight = hasColumns ? rowHeights.columns : rowHeights.lines;

  function open(index: number): void {
    const token = knownRow(windowCache, listing, index);
    if (token !== undefined) goTo(pathOf(token));
  }
  // The same function as long as the list is the same: rows that are in sight already are then not drawn again.
  const openMenu = useCallback(
    (index: number, anchor: HTMLElement): void => {
      const token = knownRow(windowCache, listing, index);
      if (token !== undefined) setMenu({ token, anchor });
    },
    [listing],
  );
  /** The menu of a row that has the focus or is pressed with the other button. */
  function openMenuAt(event: MouseEvent | KeyboardEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-index]') : null;
    if (row === null) return;
    event.preventDefault();
    openMenu(Number(row.dataset['index']), row.querySelector<HTMLElement>('[aria-haspopup]') ?? row);
  }

  const Row = hasColumns ? TokenCells : TokenLines;
  return (
    <RowsPanel
      rowsHeight={total * rowHeight + (hasColumns ? headHeight : 0)}
      around={22}
      onContextMenu={openMenuAt}
      onKeyDown={(event) => {
        if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openMenuAt(event);
      }}
    >
      <VirtualRows
        key={hasColumns ? 'columns' : 'lines'}
        ref={ref}
        of={listing}
        role={hasColumns ? 'table' : 'list'}
        label={text.title}
        count={total}
        rowHeight={rowHeight}
        head={
          hasColumns ? (
            <ColumnHeads
              listing={listing}
              isSortable={isSortable}
              onSort={(by) => setSearch(searchFor(by))}
            />
          ) : undefined
        }
        renderRow={(index) => <Row listing={listing} index={index} onMenu={openMenu} />}
        onOpen={open}
      />
      {menu === null ? null : (
        <RowMenu
          token={menu.token}
          anchor={menu.anchor}
          onOpen={() => goTo(pathOf(menu.token))}
          onMove={(move) => setAsked({ token: menu.token, move })}
          onClose={() => setMenu(null)}
        />
      )}
      {asked === null ? null : (
        <MoveDialog
          token={asked.token}
          move={asked.move}
          credential={asked.token.kept_fresh_by}
          onClose={() => setAsked(null)}
        />
      )}
    </RowsPanel>
  );
}

/** Its page, which is that of its credential where it has one; at the token when it is not the newest one. */
function pathOf({ id, family_id, successor_id, kept_fresh_by: credential }: TokenRow): string {
  const page = credential === null ? familyPath(family_id) : credentialPath(credential);
  return `${page}${successor_id === null ? '' : `#${id}`}`;
}

const columns: readonly { readonly name: string; readonly sort?: TokenSort }[] = [
  { name: text.columns.status, sort: 'status' },
  { name: text.columns.name, sort: 'name' },
  { name: text.columns.category, sort: 'category' },
  { name: text.columns.validity },
  { name: text.columns.expires, sort: 'expires' },
  { name: text.columns.generation },
  { name: text.columns.rotatedBy },
  { name: text.columns.changed, sort: 'changed' },
];

/** The heads of the columns. Pressed once more they turn the order, and a third time give the usual one back. */
function ColumnHeads({
  listing: { sort: present, order },
  isSortable,
  onSort,
}: {
  listing: Listing;
  isSortable: boolean;
  onSort: (by: Pick<Listing, 'sort' | 'order'>) => void;
}) {
  function press(sort: TokenSort): void {
    if (sort !== present) onSort({ sort, order: usualOrder(sort) });
    else if (order === usualOrder(sort)) onSort({ sort, order: order === 'asc' ? 'desc' : 'asc' });
    else onSort({ sort: usualSort, order: usualOrder(usualSort) });
  }
  const direction = order === 'asc' ? 'ascending' : 'descending';
  return (
    <div className={styles['columns']} data-part="head">
      {columns.map(({ name, sort }) => (
        <Text
          as="div"
          key={name}
          role="columnheader"
          tone="soft"
          size="small"
          weight="strong"
          isOneLine
          style={{ minWidth: 0 }}
          aria-sort={sort === present ? direction : undefined}
        >
          {sort === undefined || !isSortable ? (
            name
          ) : (
            <button type="button" className={styles['sort']} onClick={() => press(sort)}>
              <bdi>{name}</bdi>
              <SortSign order={sort === present ? order : undefined} />
            </button>
          )}
        </Text>
      ))}
      <div role="columnheader">
        <Text as="span" isUnseen>
          {text.columns.actions}
        </Text>
      </div>
    </div>
  );
}

/** Which way a column is ordered. Decorative: the column says it too. */
function SortSign({ order }: { order: 'asc' | 'desc' | undefined }) {
  return (
    <svg
      className={styles['sign']}
      data-order={order}
      viewBox="0 0 8 12"
      aria-hidden="true"
      focusable="false"
    >
      <path data-way="asc" d="M1.25 4.5 4 1.5l2.75 3" />
      <path data-way="desc" d="M1.25 7.5 4 10.5l2.75-3" />
    </svg>
  );
}

/** A token in two lines, where there is no room for columns. */
const TokenLines = memo(function TokenLines({ listing, index, onMenu }: TokenRowProps) {
  const token = useTokenRow(listing, index);
  if (token === undefined) {
    return (
      <div className={styles['lines']} data-outline="true">
        <span />
        <span className={listStyles['outline']} data-appears="late" />
        <Text as="span" isUnseen>
          {text.loading}
        </Text>
      </div>
    );
  }
  const { name, category, status, generation, successor_id, kept_fresh_by } = token;
  return (
    <div className={styles['lines']}>
      <StatusShape status={status} />
      <div>
        <Row as="p" gap={3} align="baseline" justify="between">
          <Text as="span" weight="strong" isCut title={tokenNameText(token)}>
            <TokenName token={token} />
          </Text>
          <Text as="span" size="small" isTabular isOneLine>
            <Expiry token={token} />
          </Text>
        </Row>
        <Text tone="soft" size="small" isCut>
          {status} · {text.generation(generation)}
          {kept_fresh_by === null || successor_id !== null ? null : (
            <>
              {' · '}
              <RotatedBy name={kept_fresh_by} />
            </>
          )}
          {' · '}
          {category}
        </Text>
      </div>
      <MoreButton name={name} onPress={(anchor) => onMenu(index, anchor)} />
    </div>
  );
});

/** What can be done with the token of a row. */
function RowMenu({
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

/** What a row is drawn from. */
interface TokenRowProps {
  listing: Listing;
  index: number;
  /** Told for which row the menu is to open, and beside what. */
  onMenu: (index: number, anchor: HTMLElement) => void;
}

/** A token as the cells of a row. Until it is known, their outline. */
const TokenCells = memo(function TokenCells({ listing, index, onMenu }: TokenRowProps) {
  const token = useTokenRow(listing, index);
  if (token === undefined) {
    return (
      <div role="cell" className={`${styles['columns']} ${listStyles['opens']}`} data-outline="true">
        <span className={listStyles['outline']} data-appears="late" />
        <span className={listStyles['outline']} data-appears="late" />
        <span className={listStyles['outline']} data-appears="late" />
        <Text as="span" isUnseen>
          {text.loading}
        </Text>
      </div>
    );
  }
  const { name, category, status, validity_days, generation, successor_id, kept_fresh_by, changed_at } =
    token;
  return (
    <div className={`${styles['columns']} ${listStyles['opens']}`}>
      <Row role="cell" gap={2} align="center">
        <StatusShape status={status} />
        {status}
      </Row>
      <Text as="div" role="cell" weight="strong" isCut title={tokenNameText(token)}>
        <TokenName token={token} />
      </Text>
      <Text as="div" role="cell" tone="soft" isCut title={category}>
        {category}
      </Text>
      <Text as="div" role="cell" isCut>
        {countWords(validity_days, 'day')}
      </Text>
      <Text as="div" role="cell" isCut isTabular>
        <Expiry token={token} />
      </Text>
      <Text as="div" role="cell" isCut isTabular>
        {generation}
      </Text>
      <Text as="div" role="cell" isCut title={kept_fresh_by ?? undefined}>
        {kept_fresh_by === null || successor_id !== null ? null : <RotatedBy name={kept_fresh_by} />}
      </Text>
      <Text as="div" role="cell" tone="soft" isCut isTabular>
        {changed_at === null ? null : <Moment at={changed_at} />}
      </Text>
      <div role="cell">
        <MoreButton name={name} onPress={(anchor) => onMenu(index, anchor)} />
      </div>
    </div>
  );
});

/** How long a token is still valid, or when it would have expired. */
function Expiry({ token: { status, expires_at } }: { token: TokenView }) {
  if (isLive(status)) return <Countdown to={expires_at} />;
  return (
    <Text as="span" tone="soft">
      <Moment at={expires_at} />
    </Text>
  );
}

/** The credential that rotates it. */
function RotatedBy({ name }: { name: string }) {
  return (
    <>
      <Text as="span" tone="good">
        <Icon name="rotate" />
      </Text>{' '}
      {name}
    </>
  );
}

/**
 * Opens the menu of a row with the mouse.
 *
 * The keyboard has the row itself for that (the menu key, or Shift and F10), and Enter for the page that has it all: a
 * stop at each row's button would be one too many.
 */
function MoreButton({ name, onPress }: { name: string; onPress: (anchor: HTMLElement) => void }) {
  const ref = useRef<HTMLButtonElement>(null);
  return (
    <button
      ref={ref}
      type="button"
      tabIndex={-1}
      className={buttonStyles['icon']}
      aria-haspopup="menu"
      aria-label={text.actions(name)}
      onClick={() => ref.current !== null && onPress(ref.current)}
    >
      <Dots />
    </button>
  );
}
