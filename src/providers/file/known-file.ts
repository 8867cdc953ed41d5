import {
  placeholdersIn,
  type ProviderFile,
  textsIn,
  wantedEndNames,
  withWildcards,
} from '../../contract/credential/provider-file.ts';
import type { ProviderFacts } from '../../contract/credential/provider-facts.ts';
import type { KnownFile } from '../catalogue.ts';

/** What every module may know of the provider of a file. */
export function knownFile(file: ProviderFile): KnownFile {
  const { title: name, summary = '', search = [], inputs, creation } = file;
  const labels = inputs.map(({ name: input, title: label, hint = '' }) => [input, { label, hint }] as const);
  return {
    facts: factsOfFile(file),
    words: {
      name,
      summary,
      searchWords: [file.id, ...search],
      addressHint: '',
      ...(creation === undefined ? {} : { creation: [{ text: creation }] }),
      inputs: Object.fromEntries(labels),
    },
  };
}

const oldEnds = {
  replace: 'when_retired',
  self_rotate: 'at_once',
  renew: 'never',
  assisted: 'never',
} as const satisfies Record<ProviderFile['shape'], ProviderFacts['traits']['oldEnds']>;

/** The facts alone. */
export function factsOfFile(file: ProviderFile): ProviderFacts {
  const { shape, traits, base_url: baseUrl, inputs, page, prefixes, present, forbidden, steps } = file;
  const asksForEnd = [...textsIn([steps.mint, steps.renew], [])].some(([text]) =>
    placeholdersIn(text)?.some((name) => wantedEndNames.includes(name)),
  );
  const { rate } = traits;
  return {
    traits: {
      shape,
      oldEnds: oldEnds[shape],
      overlapHours: traits.overlap_hours,
      repeat: shape === 'renew' || shape === 'assisted' ? 'free' : 'after_inspect',
      endsOn: traits.ends_on,
      longestDays: traits.longest_days,
      reuseEndsAll: false,
    },
    defaultBaseUrl: baseUrl,
    ...(rate === undefined ? {} : { rate: { calls: rate.calls, perSeconds: rate.per_seconds } }),
    ...(page === undefined ? {} : { services: { other: { baseUrl, page } } }),
    mayBeEmbedded: false,
    ...(prefixes === undefined ? {} : { tokenPrefixes: prefixes.map((prefix) => ({ prefix })) }),
    inputs: inputs.map(({ name, kind, choices, optional = false }) => ({
      name,
      kind,
      isOptional: optional,
      ...(choices === undefined ? {} : { choices }),
    })),
    standby: null,
    ...(asksForEnd ? { validity: { onlyFor: undefined } } : {}),
    slot:
      present.kind === 'basic'
        ? { header: 'authorization', prefix: 'Basic ', isBasic: true }
        : { header: present.header, prefix: present.prefix },
    forbidden: [...forbidden, ...ownRoutes(steps)],
  };
}

/** The calls that create, list and end tokens are never for the proxy, whatever the file says. To ask about a token gives none away. */
function ownRoutes(steps: ProviderFile['steps']): ProviderFacts['forbidden'] {
  const paths = Object.entries(steps).flatMap(([name, step]) =>
    name === 'inspect' || step === undefined ? [] : [withWildcards(step.request.path)],
  );
  return [...new Set(paths)].map((path) => ({ method: null, path: `${path.replace(/\/$/, '')}/**` }));
}
