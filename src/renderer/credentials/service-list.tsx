import { useState } from 'react';
import { type ProviderView, providerOfToken } from '../../contract/credential/provider-view.ts';
import { addCredentialText } from '../../text/credential/add-credential.ts';
import { Stack } from '../kit/layout.tsx';
import inputStyles from '../kit/input.module.css';
import type { Resource } from '../kit/live/resource.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { PickList } from '../kit/pick-list.tsx';
import { searchList } from '../kit/search-list.ts';
import { Text } from '../kit/text.tsx';
import styles from './service-list.module.css';

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

/** A service to choose: a provider, or this program itself. */
export interface ServiceEntry {
  readonly id: string;
  readonly provider: ProviderView;
  readonly isEmbedded: boolean;
  readonly name: string;
  readonly summary: string;
}

/** Named services first: who does not find theirs chooses by its API. */
export function serviceEntries(providers: readonly ProviderView[]): ServiceEntry[] {
  const [own, others] = [true, false].map((isOwn) =>
    providers.filter((provider) => provider.may_be_embedded === isOwn),
  );
  const entry = (provider: ProviderView, more: Omit<ServiceEntry, 'provider'>) => ({ provider, ...more });
  return [
    ...(own ?? []).map((provider) => entry(provider, { id: 'this', isEmbedded: true, ...text.embedded })),
    ...(others ?? []).map((provider) => {
      const { id, name, summary } = provider;
      return entry(provider, { id, isEmbedded: false, name, summary });
    }),
    ...(own ?? []).map((provider) => entry(provider, { id: provider.id, isEmbedded: false, ...text.remote })),
  ];
}

/** The entry that a token belongs to by its beginning, and what that says about the inputs. */
export function entryOfToken(token: string, entries: readonly ServiceEntry[]) {
  const found = providerOfToken(
    token.trim(),
    entries.map(({ provider }) => provider),
  );
  const entry = entries.find(({ provider }) => provider.id === found?.id);
  return found === null || entry === undefined ? null : { entry, inputs: found.inputs };
}

/** The choices of a provider that a search means: who looks for “Tailscale” need not choose it once more. */
function soughtInputs({ provider }: ServiceEntry, sought: string): Record<string, string> {
  const start = sought.trim().toLowerCase();
  if (start.length < 3) return {};
  const found = provider.inputs.flatMap(({ name, choices }) => {
    const choice = choices.find(({ label }) => label.toLowerCase().startsWith(start));
    return choice === undefined ? [] : [[name, choice.value] as const];
  });
  return Object.fromEntries(found);
}

/** The first step of adding a credential: its service. A token that is pasted here chooses it. */
export function ServiceList({
  entries,
  onChoose,
}: {
  entries: readonly ServiceEntry[];
  /** With what the search or the beginning of a token says about the inputs; `token`: one that was pasted. */
  onChoose: (
    entry: ServiceEntry,
    known: { readonly token?: string; readonly inputs: Readonly<Record<string, string>> },
  ) => void;
}) {
  const [sought, setSought] = useState('');
  const found = searchList(entries, sought, ({ name, summary, provider }) =>
    [name, summary, ...provider.search_words].join('\n'),
  );
  return (
    <div
      onPasteCapture={(event) => {
        const pasted = event.clipboardData.getData('text').trim();
        const known = entryOfToken(pasted, entries);
        if (known === null) return;
        event.preventDefault(); // a token is not shown in a search field
        onChoose(known.entry, { token: pasted, inputs: known.inputs });
      }}
    >
      <Stack gap={3}>
        <Text tone="soft">{text.lead}</Text>
        <PickList
          label={text.label}
          placeholder={text.placeholder}
          listLabel={text.list}
          styles={{
            field: inputStyles['input'] ?? '',
            list: styles['list'] ?? '',
            item: styles['item'] ?? '',
          }}
          groups={[{ title: null, items: found.map((item) => ({ id: item.id, name: item.name, item })) }]}
          onSearch={setSought}
          onPick={(entry) => onChoose(entry, { inputs: soughtInputs(entry, sought) })}
        >
          {({ name, summary }) => (
            <>
              <Text as="span" weight="strong">
                {name}
              </Text>
              <Text as="span" tone="soft" size="small">
                {summary}
              </Text>
            </>
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
