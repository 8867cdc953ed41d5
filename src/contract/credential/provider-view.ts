import type { KnownFile } from '../../providers/catalogue.ts';
import { z } from 'zod';
import { providerShapes } from './provider.ts';

/** A provider as windows and commands show it: facts and sentences. */
export const ProviderView = z.object({
  id: z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/),
  name: z.string(),
  /** Which tokens it is for. */
  summary: z.string(),
  /** Other words under which a person may look for it. */
  search_words: z.array(z.string()),
  traits: z.object({
    shape: z.enum(providerShapes),
    old_ends: z.enum(['at_once', 'when_retired', 'never']),
    repeat: z.enum(['free', 'with_key', 'after_inspect']),
    ends_on: z.enum(['instant', 'day']),
    longest_days: z.int().nullable(),
    reuse_ends_all: z.boolean(),
  }),
  /** What a rotation does there. */
  rotation: z.array(z.string()),
  /** Null: the service can be anywhere. */
  default_base_url: z.string().nullable(),
  /** Where a person creates a token, where that is always the same page. */
  token_page: z.string().nullable().default(null),
  /** How a person creates a token, and which rights it needs. The first that applies counts. */
  creation: z
    .array(
      z.object({
        text: z.string(),
        only_for: z.object({ input: z.string(), values: z.array(z.string()) }).nullable(),
      }),
    )
    .default([]),
  /** The services that its input `service` chooses, as people look for them. */
  services: z
    .array(
      z.object({
        value: z.string(),
        name: z.string(),
        summary: z.string(),
        search_words: z.array(z.string()),
      }),
    )
    .default([]),
  /** Whether the service may be the one of this program. */
  may_be_embedded: z.boolean(),
  address_hint: z.string(),
  inputs: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['choice', 'text', 'credential']),
      label: z.string(),
      hint: z.string(),
      /** For a choice; the first is the default. */
      choices: z.array(z.object({ value: z.string(), label: z.string() })),
      only_for: z.object({ input: z.string(), values: z.array(z.string()) }).nullable(),
      is_optional: z.boolean(),
    }),
  ),
  /** What a person enters where that is no token: a secret that obtains tokens. */
  secret: z.object({ label: z.string(), hint: z.string() }).nullable().default(null),
  token_prefixes: z.array(
    z.object({
      prefix: z.string(),
      /** Followed by so many letters and digits at least, and by nothing else; absent: by anything. */
      letters: z.int().optional(),
      inputs: z.record(z.string(), z.string()),
    }),
  ),
  /** Commands that add a credential. */
  examples: z.array(z.string()),
});
export type ProviderView = z.infer<typeof ProviderView>;

export const ProviderList = z.object({ providers: z.array(ProviderView) });

/** What was found when the provider files of the data folder were read again. */
export const ProviderReload = z.object({
  /** Whether a provider was added, changed or removed. */
  changed: z.boolean(),
  /** The ids of the files in the data folder that are in use. */
  loaded: z.array(z.string()),
  /** Files that were left out. One that was in use before goes on as it was. */
  refused: z.array(
    z.object({
      path: z.string(),
      /** `place`: where in the file; empty: all of it. */
      problems: z.array(z.object({ place: z.string(), reason: z.string() })),
    }),
  ),
});
export type ProviderReload = z.infer<typeof ProviderReload>;

/** What a window knows of the provider of a file, from the list of the service. */
export function knownFileOf(view: ProviderView): KnownFile {
  const { traits, inputs } = view;
  const labels = inputs.map(({ name, label, hint }) => [name, { label, hint }] as const);
  return {
    words: {
      name: view.name,
      summary: view.summary,
      searchWords: view.search_words,
      addressHint: view.address_hint,
      creation: view.creation.map(({ text, only_for: onlyFor }) => ({
        text,
        ...(onlyFor === null ? {} : { onlyFor }),
      })),
      inputs: Object.fromEntries(labels),
    },
    facts: {
      traits: {
        shape: traits.shape,
        oldEnds: traits.old_ends,
        repeat: traits.repeat,
        endsOn: traits.ends_on,
        longestDays: traits.longest_days,
        reuseEndsAll: traits.reuse_ends_all,
      },
      defaultBaseUrl: view.default_base_url,
      ...(view.token_page === null
        ? {}
        : { services: { other: { baseUrl: view.default_base_url, page: view.token_page } } }),
      mayBeEmbedded: view.may_be_embedded,
      tokenPrefixes: view.token_prefixes.map(({ prefix, letters, inputs: said }) => ({
        prefix,
        inputs: said,
        ...(letters === undefined ? {} : { letters }),
      })),
      inputs: inputs.map(({ name, kind, choices, only_for: onlyFor, is_optional: isOptional }) => ({
        name,
        kind,
        isOptional,
        ...(choices.length === 0 ? {} : { choices: choices.map(({ value }) => value) }),
        ...(onlyFor === null ? {} : { onlyFor }),
      })),
      standby: null,
      slot: { header: 'authorization', prefix: 'Bearer ' },
      // Rules of the proxy are checked by the service.
      forbidden: [{ method: null, path: '/**' }],
    },
  };
}

/** The provider whose tokens begin like this one, and what the beginning says about the inputs; null: not known. */
export function providerOfToken(
  token: string,
  views: readonly Pick<ProviderView, 'id' | 'token_prefixes'>[],
): { readonly id: string; readonly inputs: Readonly<Record<string, string>> } | null {
  for (const { id, token_prefixes: prefixes } of views) {
    const found = prefixes.find((one) => hasPrefix(token, one) || hasOwnPrefix(token, one.prefix));
    if (found !== undefined) return { id, inputs: found.inputs };
  }
  return null;
}

function hasPrefix(token: string, { prefix, letters }: ProviderView['token_prefixes'][number]): boolean {
  if (!token.startsWith(prefix)) return false;
  if (letters === undefined) return true;
  const rest = token.slice(prefix.length);
  return rest.length >= letters && /^[A-Za-z0-9]*$/.test(rest);
}

/**
 * Whether a server of one's own puts a prefix before the usual one, as in `acme-glpat-`:
 * https://docs.gitlab.com/administration/settings/account_and_limit_settings/#instance-token-prefix
 */
function hasOwnPrefix(token: string, prefix: string): boolean {
  return prefix.endsWith('-') && token.slice(0, longestOwnPrefix).includes(`-${prefix}`);
}

const longestOwnPrefix = 40;
