import { useEffect, useEffectEvent, useState } from 'react';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import { addCredentialText } from '../../text/credential/add-credential.ts';
import { Row, Stack } from '../kit/layout.tsx';
import inputStyles from '../kit/input.module.css';
import type { Resource } from '../kit/live/resource.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { PickList } from '../kit/pick-list.tsx';
import { Text } from '../kit/text.tsx';
import { entryOfToken, searchServices, type ServiceEntry } from './service-entries.ts';
import styles from './credentials.module.css';
import { ServiceLogo } from './service-logo.tsx';

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

/** The first step of adding a credential: its service. A token that is pasted here chooses it. */
export function ServiceList({
  entries,
  early,
  chosenBefore,
  onChoose,
}: {
  entries: readonly ServiceEntry[];
  early: EarlyEntry;
  /** The id of the service that was chosen last: it is suggested first. */
  chosenBefore: string | null;
  /** `token`: one that was pasted, with what its beginning says about the inputs. */
  onChoose: (
    entry: ServiceEntry,
    known: { readonly token?: string; readonly inputs: Readonly<Record<string, string>> },
  ) => void;
}) {
  const [sought, setSought] = useState(() =>
    early.pasted !== '' && entryOfToken(early.pasted, entries) === null ? early.pasted : early.typed,
  );
  const found = searchServices(entries, sought);
  const before = sought.trim() === '' ? entries.filter(({ id }) => id === chosenBefore) : [];
  const items = (list: readonly ServiceEntry[]) =>
    list.map((item) => ({ id: item.id, name: item.name, item }));

  /** Whether it was a token. */
  function take(pasted: string): boolean {
    const known = entryOfToken(pasted, entries);
    if (known === null) return false;
    onChoose(known.entry, { token: pasted, inputs: known.inputs });
    return true;
  }
  const takeEarly = useEffectEvent(() => take(early.pasted));
  useEffect(() => {
    takeEarly(); // once
  }, []);

  return (
    <div
      onPasteCapture={(event) => {
        // A token is not shown in a search field.
        if (take(event.clipboardData.getData('text').trim())) event.preventDefault();
      }}
    >
      <Stack gap={3}>
        <Text tone="soft">{text.lead}</Text>
        <PickList
          label={text.label}
          placeholder={text.placeholder}
          listLabel={text.list}
          sought={sought}
          styles={{
            field: inputStyles['input'] ?? '',
            list: styles['list'] ?? '',
            item: styles['item'] ?? '',
            title: styles['title'] ?? '',
          }}
          groups={
            before.length === 0
              ? [{ title: null, items: items(found) }]
              : [
                  { title: text.chosenBefore, items: items(before) },
                  { title: text.all, items: items(found.filter((one) => !before.includes(one))) },
                ]
          }
          onSearch={setSought}
          onPick={(entry) => onChoose(entry, { inputs: {} })}
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
        {found.length === 0 ? (
          <Text tone="soft" size="medium" role="status">
            {text.none}
          </Text>
        ) : null}
      </Stack>
    </div>
  );
}
