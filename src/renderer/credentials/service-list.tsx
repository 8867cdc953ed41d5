import { useEffect, useEffectEvent, useState } from 'react';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import { addCredentialText } from '../../text/credential/add-credential.ts';
import { Box } from '../kit/box.tsx';
import { Button } from '../kit/button.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import inputStyles from '../kit/input.module.css';
import type { Resource } from '../kit/live/resource.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { type PickGroup, PickList } from '../kit/pick-list.tsx';
import { Text } from '../kit/text.tsx';
import { entryOfToken, searchServices, type ServiceEntry } from './service-entries.ts';
import styles from './credentials.module.css';
import { ServiceLogo } from './service-logo.tsx';
import { addressText, baseUrlAt, readSought, servicesAt, type SoughtAddress } from './sought-service.ts';

const text = addCredentialText.service;

/** The kinds of services whose tokens can be rotated. They change with an update of the program only. */
export const allProviders: Resource<readonly ProviderView[]> = {
  key: ['providers'],
  about: ['provider.'],
  read: async (signal) => {
    const reply = await askPortal('listProviders', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.providers } : reply;
  },
};

/** What a person did before the list of services was there. */
export interface EarlyEntry {
  readonly typed: string;
  readonly pasted: string;
}

/** What the search says about the service that was chosen. */
export interface ChosenEntry {
  readonly token: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Null: no address was entered. */
  readonly baseUrl: string | null;
}

/** A text that comes with more letters than this at once was pasted or dropped. */
const longestKey = 8;
const mask = '•';

/**
 * The first step of adding a credential: its service. A token that is pasted or typed here is never shown, in the page or in an
 * attribute of it, and goes with the choice; one whose beginning is known makes it.
 */
export function ServiceList({
  entries,
  early,
  keptToken,
  chosenBefore,
  onChoose,
}: {
  entries: readonly ServiceEntry[];
  early: EarlyEntry;
  /** A token that was entered before the service was changed; empty: none. */
  keptToken: string;
  /** The id of the service that was chosen last: it is suggested first. */
  chosenBefore: string | null;
  onChoose: (entry: ServiceEntry, chosen: ChosenEntry) => void;
}) {
  const [first] = useState(() => firstEntry(early, entries));
  const [sought, setSought] = useState(first.sought);
  /** A token that is typed: the field has a mark for each of its characters. */
  const [typed, setTyped] = useState(first.typed);
  const [held, setHeld] = useState(first.held === '' ? keptToken : first.held);
  const token = typed === '' ? held : typed;
  const read = readSought(sought, false, entries);
  const address = read.kind === 'address' ? read.address : null;
  const groups = groupsOf({ entries, sought, typed, address, chosenBefore });

  function pick(entry: ServiceEntry): void {
    const known = typed === '' ? null : entryOfToken(typed, entries);
    onChoose(entry, {
      token,
      inputs: known?.entry === entry ? known.inputs : {},
      baseUrl:
        address === null || searchServices(entries, sought).length > 0 ? null : baseUrlAt(address, entry),
    });
  }
  /** Without an address: one that stands in the search may be half typed or of another service, and the token would go there. */
  function chooseByToken(
    { entry, inputs }: NonNullable<ReturnType<typeof entryOfToken>>,
    pasted: string,
  ): void {
    onChoose(entry, { token: pasted, inputs, baseUrl: null });
  }
  /** What came at once: a token whose service is known chooses that, and any other token is held. */
  function paste(pasted: string): boolean {
    const found = readSought(pasted, true, entries);
    if (found.kind === 'address') {
      setSought(shownSearch(pasted, found.address));
      return true;
    }
    if (found.kind === 'words') return false;
    const known = entryOfToken(found.token, entries);
    setTyped('');
    setHeld(found.token);
    if (known !== null) chooseByToken(known, found.token);
    return true;
  }
  function search(entered: string): void {
    if (typed !== '') return setTyped(typedBehind(typed, entered));
    if (entered.length > sought.length + longestKey && paste(entered)) return;
    const found = readSought(entered, false, entries);
    if (found.kind !== 'token') return setSought(entered);
    setSought('');
    setTyped(found.token);
  }
  const chooseAtOnce = useEffectEvent(() => {
    const known = entryOfToken(first.held, entries);
    if (known !== null) chooseByToken(known, first.held);
  });
  useEffect(() => {
    if (first.held !== '') chooseAtOnce();
  }, [first]);

  return (
    <div
      onPasteCapture={(event) => {
        if (paste(event.clipboardData.getData('text').trim())) event.preventDefault();
      }}
    >
      <Stack gap={3}>
        <Text tone="soft">{held === '' ? text.lead : text.leadWithToken}</Text>
        {held === '' ? null : (
          <HeldToken
            token={held}
            isKnown={entryOfToken(held, entries) !== null}
            onRemove={() => setHeld('')}
          />
        )}
        <PickList
          label={text.label}
          placeholder={held === '' ? text.placeholder : text.placeholderWithToken}
          listLabel={text.list}
          sought={typed === '' ? sought : mask.repeat(typed.length)}
          styles={{
            field: inputStyles['input'] ?? '',
            list: styles['list'] ?? '',
            item: styles['item'] ?? '',
            title: styles['title'] ?? '',
          }}
          below={
            typed === '' ? null : (
              <Text tone="soft" size="medium" role="status">
                {text.held.typed}
              </Text>
            )
          }
          groups={groups}
          onSearch={search}
          onPick={pick}
        >
          {({ name, summary }) => (
            <Row gap={3} align="center">
              <ServiceLogo name={name} />
              <Stack gap={1}>
                <Text as="span" weight="strong">
                  {name}
                </Text>
                <Text as="span" tone="soft" size="small">
                  {summary}
                </Text>
              </Stack>
            </Row>
          )}
        </PickList>
        {groups.every(({ items }) => items.length === 0) ? (
          <Text tone="soft" size="medium" role="status">
            {text.none}
          </Text>
        ) : null}
      </Stack>
    </div>
  );
}

/** That a token is there, which the next step takes. */
/** What was entered before there was a list: words, a token that is typed, or one that came at once. */
function firstEntry({ typed, pasted }: EarlyEntry, entries: readonly ServiceEntry[]) {
  const nothing = { sought: '', typed: '', held: '' };
  const isPasted = pasted !== '' || typed.length > longestKey;
  const entered = pasted === '' ? typed : pasted;
  const found = readSought(entered, isPasted, entries);
  if (found.kind === 'token') return { ...nothing, [isPasted ? 'held' : 'typed']: found.token };
  return { ...nothing, sought: found.kind === 'address' ? shownSearch(entered, found.address) : entered };
}

function HeldToken({ token, isKnown, onRemove }: { token: string; isKnown: boolean; onRemove: () => void }) {
  return (
    <Box isSunken>
      <Row gap={3} align="center" justify="between" wraps>
        <div role="status">
          <Text size="medium">
            <strong>{text.held.label}</strong> · {text.held.length(token.length)}
          </Text>
          <Text tone="soft" size="small">
            {isKnown ? text.held.next : text.held.unknown}
          </Text>
        </div>
        <Button onPress={onRemove}>{text.held.remove}</Button>
      </Row>
    </Box>
  );
}

function groupsOf({
  entries,
  sought,
  typed,
  address,
  chosenBefore,
}: {
  entries: readonly ServiceEntry[];
  sought: string;
  typed: string;
  address: SoughtAddress | null;
  chosenBefore: string | null;
}): PickGroup<ServiceEntry>[] {
  const group = (title: string | null, list: readonly ServiceEntry[]) => ({
    title,
    items: list.map((item) => ({ id: item.id, name: item.name, item })),
  });
  if (typed !== '') {
    const known = entryOfToken(typed, entries);
    return [group(null, known === null ? entries : [known.entry])];
  }
  const found = searchServices(entries, sought);
  if (address !== null && found.length === 0) {
    const { likely, others } = servicesAt(address, entries);
    return [group(text.likely(address.host), likely), group(text.anyAddress, others)];
  }
  const before = sought.trim() === '' ? entries.filter(({ id }) => id === chosenBefore) : [];
  if (before.length === 0) return [group(null, found)];
  return [
    group(text.chosenBefore, before),
    group(
      text.all,
      found.filter((one) => !before.includes(one)),
    ),
  ];
}

/** An address as it was pasted, without what may be secret in it. */
function shownSearch(pasted: string, address: SoughtAddress): string {
  return /[@?#]/.test(pasted) ? addressText(address) : pasted;
}

/** A hidden token with what was typed behind it. Whatever else is done to the marks takes it away, because nobody sees what is left. */
function typedBehind(token: string, entered: string): string {
  const marks = mask.repeat(token.length);
  return entered.startsWith(marks) ? token + entered.slice(marks.length) : '';
}
