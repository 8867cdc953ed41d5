import {
  type ComponentProps,
  type KeyboardEvent,
  type Ref,
  useContext,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import {
  ComboBox,
  type ComboBoxState,
  ComboBoxStateContext,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
} from 'react-aria-components';
import { Text } from '../../../kit/text.tsx';
import { comboText } from '../../../../text/menu/designer-inspector.ts';
import input from '../../../kit/input.module.css';
import styles from './inspector.module.css';

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
  tied: { id, 'aria-label': label, ...tied },
  value,
  offers,
  isClosed = false,
  onChange,
  onTake = ({ value: taken }) => onChange(taken),
  onLeave,
}: {
  tied: { readonly [K in keyof Tied]: Tied[K] | undefined };
  value: string;
  /** What matches a text, best first. Called while the field has the focus: a directory may be long. */
  offers: (sought: string) => readonly Offer[];
  /** Only what is offered can be chosen: Enter takes the first match of what was typed. */
  isClosed?: boolean;
  onChange: (value: string) => void;
  onTake?: (offer: Offer) => void;
  onLeave: () => void;
}) {
  const [isFocused, setFocused] = useState(false);
  // Opened by hand it shows everything; typing looks for something.
  const [isLooking, setLooking] = useState(false);
  const stateRef = useRef<ComboBoxState<unknown> | null>(null);
  const found = isFocused ? offers(isLooking ? value : '') : [];

  // The first match is ready to be taken, after the list has forgotten what was chosen before.
  const first = isClosed && isLooking ? found[0]?.value : undefined;
  useEffect(() => {
    if (first !== undefined) stateRef.current?.selectionManager.setFocusedKey(first);
  }, [first, value]);

  // The field and the list both hear Enter and Tab: a choice is taken once.
  const wasTaken = useRef(false);
  function open(looking: boolean): void {
    wasTaken.current = false;
    setLooking(looking);
    stateRef.current?.open(null, 'manual');
  }
  function take(offer: Offer | undefined): void {
    if (offer === undefined || wasTaken.current) return;
    wasTaken.current = true;
    stateRef.current?.close();
    onTake(offer);
  }

  // What was typed before the directory was known is looked for once it is.
  const hasFound = found.length > 0;
  const offerLate = useEffectEvent(() => {
    if (isLooking && !wasTaken.current) stateRef.current?.open(null, 'manual');
  });
  useEffect(() => {
    if (hasFound) offerLate();
  }, [hasFound]);

  /** Enter, Tab and the way to the next problem take the best match, also before the list has marked it. */
  function leaveByKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): void {
    wasTaken.current = false;
    const isNextProblem = key === '.' && (ctrlKey || metaKey);
    const isLeaving = (key === 'Tab' && !shiftKey) || key === 'Enter' || isNextProblem;
    const state = stateRef.current;
    if (!isLeaving || !isClosed || !isLooking || value.trim() === '' || state?.isOpen !== true) return;
    const focused = state.selectionManager.focusedKey;
    take(found.find((offer) => offer.value === focused) ?? found[0]);
  }

  return (
    <ComboBox
      className={styles['combo'] ?? ''}
      data-closed={isClosed}
      {...(id === undefined ? {} : { id })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      allowsCustomValue
      inputValue={value}
      value={null}
      items={found}
      // Else the list opens again when the field shows what was taken.
      menuTrigger="manual"
      onInputChange={(typed) => {
        onChange(typed);
        open(true);
      }}
      onChange={(key) => take(found.find((offer) => offer.value === key))}
    >
      <ComboInput
        {...tied}
        stateRef={stateRef}
        data-face={isClosed ? 'words' : 'code'}
        onClick={() => open(false)}
        onKeyDownCapture={leaveByKey}
        onFocus={({ target }) => {
          setFocused(true);
          if (isClosed) target.select();
        }}
        onBlur={() => {
          setFocused(false);
          // What was typed need not match anything: a list that is empty at first does not open by the next click.
          setLooking(false);
          onLeave();
        }}
      />
      <Popover className={styles['offers'] ?? ''} offset={4} maxHeight={longestList}>
        <ListBox aria-label={comboText.offers}>
          {bySection(found).map(({ title, offers: of }) =>
            title === undefined ? (
              of.map(showOffer)
            ) : (
              <ListBoxSection key={title} id={title}>
                <Header className={styles['offersTitle'] ?? ''}>{title}</Header>
                {of.map(showOffer)}
              </ListBoxSection>
            ),
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** In pixels: more is scrolled. */
const longestList = 320;

function showOffer({ value, name, note }: Offer) {
  return (
    <ListBoxItem key={value} id={value} textValue={name} className={styles['offer'] ?? ''}>
      {name}
      <Text as="code" tone="soft" size="small">
        {note ?? value}
      </Text>
    </ListBoxItem>
  );
}

/** Offers with the same title that follow each other. */
function bySection(
  offers: readonly Offer[],
): { readonly title: string | undefined; readonly offers: Offer[] }[] {
  const sections: { readonly title: string | undefined; readonly offers: Offer[] }[] = [];
  for (const offer of offers) {
    const last = sections.at(-1);
    if (last !== undefined && last.title === offer.title) last.offers.push(offer);
    else sections.push({ title: offer.title, offers: [offer] });
  }
  return sections;
}

function ComboInput({
  stateRef,
  ...rest
}: ComponentProps<'input'> & { stateRef: Ref<ComboBoxState<unknown> | null> }) {
  const state = useContext(ComboBoxStateContext);
  useImperativeHandle<ComboBoxState<unknown> | null, ComboBoxState<unknown> | null>(stateRef, () => state, [
    state,
  ]);
  return (
    <Input
      {...(rest as ComponentProps<typeof Input>)}
      className={input['input'] ?? ''}
      autoCapitalize="off"
    />
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
  /** Of the part of the list that it stands in; no part without one. */
  readonly title?: string;
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
