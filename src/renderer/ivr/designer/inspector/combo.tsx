import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import input from '../../../kit/input.module.css';
import styles from './combo.module.css';

/** What ties the input to words around it. */
type Tied = Readonly<
  Partial<Record<'id' | 'data-path' | 'aria-describedby' | 'aria-label' | 'placeholder', string>>
> & { readonly 'aria-invalid'?: boolean | undefined };

/**
 * A text that can be typed freely or chosen from a directory: the arrow keys go through what matches, Enter takes it.
 *
 * What is typed counts at once, for it may live where no directory knows it.
 */
export function Combo({
  tied,
  value,
  offers,
  isClosed = false,
  onChange,
  onTake = ({ value: taken }) => onChange(taken),
  onLeave,
}: {
  tied: { readonly [K in keyof Tied]: Tied[K] | undefined };
  value: string;
  /** Asked while the list is open: a drawing has many of these, and a directory may be long. */
  offers: () => readonly Offer[];
  /** Only what is offered can be taken: typing is looking for it, and the first that matches is ready to be taken. */
  isClosed?: boolean;
  onChange: (value: string) => void;
  onTake?: (offer: Offer) => void;
  onLeave: () => void;
}) {
  const listId = useId();
  const listRef = useRef<HTMLUListElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  // Opened by hand it shows everything; typing looks for something.
  const [isLooking, setLooking] = useState(false);
  const found = isOpen ? matching(offers(), isLooking ? value : '', isClosed ? Infinity : undefined) : [];
  const isShown = found.length > 0;

  // What scrolls around it may end right below the input.
  useEffect(() => {
    if (isShown) listRef.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  useEffect(() => {
    listRef.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function open(at: number, looking: boolean): void {
    setOpen(true);
    setLooking(looking);
    setActive(at);
  }

  function take(offer: Offer): void {
    onTake(offer);
    setOpen(false);
  }

  function press(event: KeyboardEvent): void {
    const chosen = found[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isShown) open(0, false);
      else setActive((active + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length);
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      take(chosen);
    } else if (event.key === 'Escape' && isShown) {
      // Only the list: a dialog or the selection around it stays.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  }

  return (
    <div className={styles['combo']} data-closed={isClosed}>
      <input
        {...tied}
        type="text"
        role="combobox"
        className={input['input']}
        data-face={isClosed ? 'words' : 'code'}
        value={value}
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => {
          onChange(target.value);
          open(isClosed ? 0 : -1, true);
        }}
        onClick={() => open(-1, false)}
        onFocus={({ target }) => {
          if (isClosed) target.select();
        }}
        onKeyDown={press}
        onBlur={() => {
          setOpen(false);
          onLeave();
        }}
      />
      {isShown ? (
        <ul ref={listRef} id={listId} role="listbox" aria-label="Known here" className={styles['list']}>
          {found.map((offer, place) => (
            <li
              key={offer.value}
              id={`${listId}-${place}`}
              role="option"
              aria-selected={place === active}
              className={styles['offer']}
              // Before the input loses the focus, which would close the list.
              onMouseDown={(event) => {
                event.preventDefault();
                take(offer);
              }}
              onMouseEnter={() => setActive(place)}
            >
              {offer.name}
              <code className={styles['value']}>{offer.note ?? offer.value}</code>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Something that can be chosen from a directory. */
export interface Offer {
  /** What is written into the document. */
  readonly value: string;
  /** What a person knows it by. */
  readonly name: string;
  /** What stands beside the name in the list; the value, unless it says nothing to a person. */
  readonly note?: string;
}

/** How many are offered at once: more is not read, and would only cost time with a directory of thousands. */
export const mostOffers = 50;

/** The offers whose id or name has the text in it; those that begin with it first. */
export function matching(offers: readonly Offer[], text: string, most = mostOffers): readonly Offer[] {
  const wanted = text.trim().toLocaleLowerCase();
  const first: Offer[] = [];
  const others: Offer[] = [];
  for (const offer of offers) {
    const [value, name] = [offer.value.toLocaleLowerCase(), offer.name.toLocaleLowerCase()];
    if (value.startsWith(wanted) || name.startsWith(wanted)) first.push(offer);
    else if (value.includes(wanted) || name.includes(wanted)) others.push(offer);
    if (first.length >= most) break;
  }
  return [...first, ...others].slice(0, most);
}
