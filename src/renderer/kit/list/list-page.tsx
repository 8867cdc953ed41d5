import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ActionButton, Button } from '../button.tsx';
import cardStyles from '../card.module.css';
import { Empty } from '../empty.tsx';
import { Row } from '../layout.tsx';
import { setSearch, useSearch } from '../navigation.ts';
import selectStyles from '../select.module.css';
import { isNarrowedBy } from './address-filters.ts';
import styles from './list.module.css';
import { Text } from '../text.tsx';
import { windowText } from '../../../text/window/window.ts';
import { Icon } from '../icon.tsx';
import input from '../input.module.css';
import { useShortcut } from '../keys/use-shortcut.ts';
import { useMedia } from '../use-media.ts';

/** With fewer rows than this nobody needs to search, filter or sort a list. */
export const fewRows = 6;

/**
 * A list that is searched: the field, how many were found and the buttons, below them the filters, and then the rows, or
 * that nothing was found.
 *
 * What is searched for and filtered by stands in the address. The field and the filters that only leave rows out are not
 * shown until the list has more than a few rows or something is left out of it. In a narrow window the filters are behind a button.
 */
export function ListPage({
  search: { name, maxLength = 200, ...search },
  filterNames = [name],
  rows,
  count,
  buttons,
  filters,
  notice,
  none,
  onDown,
  children,
}: {
  search: { name: 'q' | 'text'; what: string; placeholder: string; maxLength?: number };
  /** The parts of the address that leave something out, what is searched for included. */
  filterNames?: readonly string[];
  /** How many were found. */
  rows: number;
  /** The same in words, read out after each search. */
  count?: string;
  buttons: ReactNode | ((isFew: boolean) => ReactNode);
  /** With few rows only those that can bring more. */
  filters?: (isFew: boolean) => ReactNode;
  /** What stands between the filters and the rows. */
  notice?: ReactNode;
  none: { label?: string; title: string; text?: string; showAll?: string; more?: ReactNode };
  /** Told when the keyboard leads down from the search field, to what was found. */
  onDown: () => void;
  children: ReactNode;
}) {
  const address = useSearch();
  const isNarrowed = isNarrowedBy(address, filterNames);
  const hasFew = rows < fewRows && !isNarrowed;
  // What was shown once stays: the focus may be in it.
  const [isFew, setFew] = useState(hasFew);
  if (isFew && !hasFew) setFew(false);
  const { showAll, more, ...words } = none;
  const filtersId = useId();
  const [isOpen, setOpen] = useState(false);
  const hasToggle = useMedia('(max-width: 40rem)') && filters !== undefined && !isFew;
  const inUse = filterNames.filter((one) => one !== name && isNarrowedBy(address, [one])).length;
  return (
    <>
      <Row as="search" gap={3} wraps align="center">
        {isFew ? null : (
          <div className={styles['search']}>
            <SearchField
              {...search}
              maxLength={maxLength}
              value={address.get(name) ?? ''}
              onChange={(sought) => setSearch({ [name]: sought })}
              onDown={onDown}
            />
          </div>
        )}
        {count === undefined ? null : (
          <Text
            tone="soft"
            size="medium"
            isTabular
            isOneLine
            className={styles['count']}
            role="status"
            aria-live={isNarrowed ? 'polite' : 'off'}
          >
            {count}
          </Text>
        )}
        <Row gap={2} wraps align="center">
          {typeof buttons === 'function' ? buttons(isFew) : buttons}
          {hasToggle ? (
            <ActionButton shows={{ id: filtersId, isShown: isOpen }} onPress={() => setOpen(!isOpen)}>
              {windowText.filters(inUse)}
            </ActionButton>
          ) : null}
        </Row>
        {filters === undefined ? null : (
          <Row
            id={filtersId}
            gap={3}
            wraps
            align="center"
            className={styles['filters']}
            hidden={hasToggle && !isOpen}
          >
            {filters(isFew)}
          </Row>
        )}
      </Row>
      {notice}
      {rows > 0 ? (
        children
      ) : (
        <Empty {...words}>
          {more}
          {isNarrowed && showAll !== undefined ? (
            <Button onPress={() => setSearch(Object.fromEntries(filterNames.map((one) => [one, undefined])))}>
              {showAll}
            </Button>
          ) : null}
        </Empty>
      )}
    </>
  );
}

/** The items of a list that is in the window as a whole which have every word of what the address looks for. */
export function useFound<T>(
  items: readonly T[],
  find: (items: readonly T[], sought: string) => readonly T[],
): { readonly sought: string; readonly found: readonly T[] } {
  const sought = useSearch().get('q') ?? '';
  const wanted = useDeferredValue(sought);
  const found = useMemo(() => find(items, wanted), [find, items, wanted]);
  return { sought, found };
}

/** A value once it has not changed for a while, so that not every letter that is typed is a question. */
export function useSettled<T>(value: T, quietMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}

/** One of a few, kept in the address; `all` is what none of them is called. */
export function FilterSelect({
  name,
  label,
  all,
  options = [],
  children,
}: {
  name: string;
  label: string;
  all: string;
  options?: readonly { readonly value: string; readonly label: string }[];
  /** Options in groups. */
  children?: ReactNode;
}) {
  return (
    <select
      className={selectStyles['select']}
      aria-label={label}
      value={useSearch().get(name) ?? ''}
      onChange={({ target }) => setSearch({ [name]: target.value })}
    >
      <option value="">{all}</option>
      {options.map(({ value, label: words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
      {children}
    </select>
  );
}

/** The ground of rows of which those in sight are drawn: as high as they are, and no higher than the window. */
export function RowsPanel({
  rowsHeight,
  around,
  isSearching = false,
  ...rest
}: ComponentProps<'section'> & {
  /** Of all rows and their head, in pixels at a root size of 16. */
  rowsHeight: number;
  /** What the window needs for everything else, in rem. */
  around: number;
  /** What stands there is of the search before. */
  isSearching?: boolean;
}) {
  return (
    <section
      {...rest}
      className={`${cardStyles['box']} ${styles['panel']}`}
      data-searching={isSearching}
      style={{ height: `min(${rowsHeight / 16}rem + 2px, max(24rem, 100dvh - ${around}rem))` }}
    />
  );
}

/**
 * The field that a list is searched by: `/` leads to it, the arrow down and Enter lead on to what was found.
 *
 * `what` completes "Search …".
 */
function SearchField({
  what,
  placeholder,
  value,
  maxLength,
  onChange,
  onDown,
}: {
  what: string;
  placeholder: string;
  value: string;
  maxLength: number;
  onChange: (value: string) => void;
  /** Told when the keyboard leads down from the field. */
  onDown: () => void;
}) {
  const fieldRef = useRef<HTMLInputElement>(null);
  useShortcut('/', windowText.search.field(what), () => fieldRef.current?.select());

  function press(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    onDown();
  }

  return (
    <div className={styles['field']}>
      <span className={styles['glass']}>
        <Icon name="search" />
      </span>
      <input
        ref={fieldRef}
        type="search"
        className={[input['input'], styles['sought']].join(' ')}
        aria-label={windowText.search.field(what)}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={press}
      />
      <kbd className={styles['key']} aria-hidden="true">
        /
      </kbd>
    </div>
  );
}
