import type { ReactNode } from 'react';
import {
  Autocomplete,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  TextField,
} from 'react-aria-components';

export interface PickItem<T> {
  /** Unique in the list. */
  readonly id: string;
  readonly name: string;
  readonly item: T;
}

/** Items under a title; without one they stand by themselves. */
export interface PickGroup<T> {
  readonly title: string | null;
  readonly items: readonly PickItem<T>[];
}

/**
 * A search field with the list of what matches always open below it: type, choose with the arrow keys, press Enter.
 *
 * The caller says what matches. The focus stays in the field.
 */
export function PickList<T>({
  label,
  placeholder,
  listLabel,
  groups,
  sought,
  styles,
  below,
  children,
  onSearch,
  onPick,
}: {
  label: string;
  placeholder: string;
  listLabel: string;
  groups: readonly PickGroup<T>[];
  /** What is in the field, for a caller that decides it. Default: what was typed. */
  sought?: string;
  /** Classes of the parts. */
  styles: Readonly<Partial<Record<string, string>>>;
  /** What stands between the field and the list. */
  below?: ReactNode;
  /** How an item looks. */
  children: (item: T) => ReactNode;
  onSearch: (text: string) => void;
  onPick: (item: T) => void;
}) {
  const show = ({ id, name, item }: PickItem<T>) => (
    <ListBoxItem
      key={id}
      id={id}
      textValue={name}
      className={styles['item'] ?? ''}
      onAction={() => onPick(item)}
    >
      {children(item)}
    </ListBoxItem>
  );
  return (
    <Autocomplete onInputChange={onSearch} {...(sought === undefined ? {} : { inputValue: sought })}>
      <TextField aria-label={label} autoFocus>
        <Input
          className={styles['field'] ?? ''}
          role="combobox"
          aria-expanded
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
        />
      </TextField>
      {below}
      <ListBox className={styles['list'] ?? ''} aria-label={listLabel} autoFocus="first" shouldFocusWrap>
        {groups.map(({ title, items }) => {
          if (items.length === 0) return null;
          if (title === null) return items.map(show);
          return (
            <ListBoxSection key={title} id={title}>
              <Header className={styles['title'] ?? ''}>{title}</Header>
              {items.map(show)}
            </ListBoxSection>
          );
        })}
      </ListBox>
    </Autocomplete>
  );
}
