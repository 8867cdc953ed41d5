import type { ProviderFacts, ProviderInput } from '../../contract/credential/provider-facts.ts';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import { tokenPageOf } from '../../contract/credential/provider-inputs.ts';
import { longestValidityDays, type ProviderChoice } from '../../contract/credential/provider.ts';
import { countWords } from '../count.ts';
import { durationText } from '../time.ts';
import {
  isBuiltIn,
  isNamedKind,
  isSignedIn,
  knownProviderIds,
  mayHaveStandby,
  providerFacts,
  providerWords,
} from '../../providers/catalogue.ts';

const dayMs = 86_400_000;

/*
 * Kinds of services: what they are asked for, and what a rotation does there. It follows from the facts and words of each
 * (`providers/catalogue.ts`).
 */

/** What a provider is called. */
export function providerName(id: string): string {
  return providerWords(id).name;
}

/** What a person enters for it where that is no token, within a sentence; null: a token. */
export function secretKind(id: string): string | null {
  return providerWords(id).secret?.label.toLowerCase() ?? null;
}

/** What an input of it is called. */
export function inputLabel(id: string, input: string): string {
  return providerWords(id).inputs[input]?.label ?? input;
}

/** What the address of its services is like. */
export function addressHint(id: string): string {
  return providerWords(id).addressHint;
}

/** All providers as windows and commands show them. */
export function providerViews(): ProviderView[] {
  return knownProviderIds().map(viewProvider);
}

function viewProvider(id: string): ProviderView {
  const {
    name,
    summary,
    searchWords,
    services = {},
    creation = [],
    addressHint,
    inputs: inputNames,
    secret = null,
  } = providerWords(id);
  const facts = providerFacts(id);
  const { shape, oldEnds, repeat, endsOn, longestDays, reuseEndsAll } = facts.traits;
  return {
    id,
    name,
    summary,
    search_words: [...searchWords],
    traits: {
      shape,
      old_ends: oldEnds,
      repeat,
      ends_on: endsOn,
      longest_days: longestDays,
      reuse_ends_all: reuseEndsAll,
    },
    rotation: rotationFacts(id),
    default_base_url: facts.defaultBaseUrl,
    token_page: facts.services?.other.page ?? null,
    creation: creation.map(({ text, onlyFor }) => ({ text, only_for: shownOnlyFor(onlyFor) })),
    services: Object.entries(services).map(([value, { searchWords: words, ...shown }]) => ({
      value,
      ...shown,
      search_words: [...words],
    })),
    may_be_embedded: facts.mayBeEmbedded,
    address_hint: addressHint,
    inputs: facts.inputs.map((input) => {
      const { label = input.name, hint = '', choices = {} } = inputNames[input.name] ?? {};
      return {
        name: input.name,
        kind: input.kind,
        label,
        hint,
        choices: (input.choices ?? []).map((value) => ({ value, label: choices[value] ?? value })),
        only_for: shownOnlyFor(input.onlyFor),
        is_optional: input.isOptional ?? false,
      };
    }),
    secret,
    token_prefixes: (facts.tokenPrefixes ?? []).map(({ prefix, letters, inputs = {} }) => ({
      prefix,
      inputs: { ...inputs },
      ...(letters === undefined ? {} : { letters }),
    })),
    examples: examplesOf(id, facts),
  };
}

function shownOnlyFor(onlyFor: ProviderInput['onlyFor']): ProviderView['inputs'][number]['only_for'] {
  return onlyFor === undefined ? null : { input: onlyFor.input, values: [...onlyFor.values] };
}

/** Commands that add a credential: the shortest, and one with inputs. */
function examplesOf(id: string, { addressInputs, defaultBaseUrl, inputs }: ProviderFacts): string[] {
  const hasAddress = defaultBaseUrl !== null || addressInputs !== undefined;
  const address = hasAddress ? '' : ' --base-url https://api.example.com';
  const signIn = isSignedIn({ id }) ? ' --sign-in browser' : '';
  const needed = isBuiltIn(id)
    ? []
    : inputs.filter(({ kind, isOptional }) => kind !== 'choice' && !isOptional);
  const told = needed.map(({ name }) => ` --input ${name}=…`).join('');
  const command = `rotavox credential add my-${id} --provider ${id}${address}${signIn}${told}`;
  const given = Object.entries(providerWords(id).exampleInputs ?? {}).map(
    ([name, value]) => ` --input ${name}=${value}`,
  );
  // An example without what is required would be refused.
  const isRequired = inputs.some(
    ({ kind, isOptional, onlyFor }) => kind !== 'choice' && isOptional !== true && onlyFor === undefined,
  );
  if (given.length > 0 && isRequired) return [command + given.join('')];
  return inputs.length === 0 || given.length === 0 ? [command] : [command, command + given.join('')];
}

/** What a rotation does to the old token. */
export function oldTokenText({ oldEnds, shape }: Pick<ProviderFacts['traits'], 'oldEnds' | 'shape'>): string {
  switch (oldEnds) {
    case 'at_once':
      return 'The old token stops working at once.';
    case 'when_retired':
      return 'The old token works until every target has the new one. Then Rotavox deletes it.';
    case 'never':
      return shape === 'renew'
        ? 'The token stays the same and expires later.'
        : 'The old token works until it expires.';
  }
}

/** What a rotation does at a service of this kind, in sentences. */
function rotationFacts(id: string): string[] {
  const { name, oldToken } = providerWords(id);
  const { traits, inputs, standby } = providerFacts(id);
  const { shape, repeat, endsOn, longestDays, reuseEndsAll } = traits;
  const recovers = shape === 'self_rotate' && inputs.some(({ name }) => name === 'recovery');
  const lost =
    shape === 'replace' && repeat === 'after_inspect'
      ? orphanText
      : lostText(shape === 'refresh' ? 'the server' : name, traits, recovers);
  return [
    shapeTexts[shape],
    oldToken ?? oldTokenText(traits),
    ...(endsOn === 'day' ? [`${name} tokens end at 00:00 UTC of a date.`] : []),
    ...(longestDays === null || longestDays >= longestValidityDays
      ? []
      : [`A token is valid for ${longestDays} days at most.`]),
    lost,
    ...(standby === null
      ? []
      : ['With a second token, the token in use keeps working until the next rotation.']),
    ...(reuseEndsAll
      ? [
          'If another program rotates an old token again, the current one stops working too. Let only Rotavox rotate it.',
        ]
      : []),
  ];
}

const shapeTexts: Record<ProviderFacts['traits']['shape'], string> = {
  self_rotate: 'The token requests its own replacement.',
  replace: 'Rotavox creates a new token beside the old one and delivers it.',
  refresh: 'A long-lived secret obtains short-lived tokens.',
  renew: 'Rotavox extends the same token.',
  assisted: 'You create the new token. Rotavox reminds you in time, checks it and delivers it.',
};

const sameValueText =
  'Rotavox chooses the new value itself. If the reply is lost, it asks for the same one again.';

const repeatTexts = {
  free: 'If the reply is lost, Rotavox repeats the request.',
  with_key: 'If the reply is lost, Rotavox repeats the request and gets the same new token.',
} as const;

const orphanText =
  'If the reply is lost, the old token still works. Rotavox deletes what was created, where the service can list it, and creates another.';

function lostText(
  name: string,
  { repeat, shape }: Pick<ProviderFacts['traits'], 'repeat' | 'shape'>,
  recovers: boolean,
): string {
  if (shape === 'replace') return sameValueText;
  if (repeat !== 'after_inspect') return repeatTexts[repeat];
  const asks = `If the reply is lost, Rotavox asks ${name} what happened before it tries again.`;
  return recovers ? `${asks} ${recoveryText}` : asks;
}

const recoveryText =
  'If the token was replaced, a recovery credential obtains the new one. Without it, you create a token there and enter it.';

/** What a token is called: `project access token`; just `token` where no kinds are known. */
export function tokenKindText({ id, inputs }: ProviderChoice): string {
  const facts = providerFacts(id);
  const kinds = facts.inputs.flatMap(({ name, kind }) =>
    kind === 'choice' ? [providerWords(id).inputs[name]?.tokens?.[inputs[name] ?? ''] ?? null] : [],
  );
  return kinds.find((kind) => kind !== null) ?? 'token';
}

/** The inputs of a credential with their labels. */
export function inputRows({ id, inputs }: ProviderChoice): [label: string, value: string][] {
  return providerFacts(id).inputs.flatMap(({ name }) => {
    const value = inputs[name];
    if (value === undefined) return [];
    const { label = name, choices = {} } = providerWords(id).inputs[name] ?? {};
    return [[label, choices[value] ?? value]];
  });
}

/** Why a token is not rotated, within a sentence. Other services let some of their tokens rotate and others not. */
export function notRotatedText({ id }: ProviderChoice): string {
  if (!isNamedKind({ id })) return 'its service has no rotate endpoint';
  switch (providerFacts(id).traits.shape) {
    case 'renew':
      return 'it cannot be renewed any further';
    case 'assisted':
      return 'its service lets only a person create tokens';
    case 'self_rotate':
    case 'replace':
    case 'refresh':
      return 'it may not rotate itself';
  }
}

/** What a rotation does to the token that programs have now. A second token takes its place if there is one. */
export function currentTokenEnds({ id }: ProviderChoice, hasStandby: boolean): string {
  const { traits } = providerFacts(id);
  if (hasStandby) return 'The current token keeps working until the rotation after this one.';
  return traits.oldEnds === 'at_once' ? 'The current token stops working at once.' : oldTokenText(traits);
}

/** Where a service is, with what kind it is where that says more: `GitLab · gitlab.com`. */
export function serviceWithKind(host: string, { id }: ProviderChoice): string {
  return isNamedKind({ id }) ? `${providerWords(id).name} · ${host}` : host;
}

/** What a person can do when the reply to a rotation was lost and the new token with it; null: the remedies say it. */
export function lostReplyAdvice(provider: ProviderChoice, baseUrl: string): string | null {
  const { id, inputs } = provider;
  const { traits, inputs: known } = providerFacts(id);
  // A sign-in has a remedy of its own, and where a token is created beside the old one nothing is lost.
  if (traits.repeat !== 'after_inspect' || traits.shape === 'refresh' || traits.shape === 'replace') {
    return null;
  }
  const create = `Create a new token at ${tokenPageOf(provider, baseUrl)} and enter it here.`;
  const recovery = known.find(({ name }) => name === 'recovery');
  if (recovery === undefined || inputs[recovery.name] !== undefined) return create;
  const label = (providerWords(id).inputs[recovery.name]?.label ?? recovery.name).toLowerCase();
  const second = mayHaveStandby(provider) ? `a second token or a ${label}` : `a ${label}`;
  return `${create} With ${second} the new token is not lost in such a case.`;
}

/** What will happen to a token that is about to be added, before it is saved. */
export const rotationPlanText = {
  title: 'What happens next',
  rotated: 'Rotavox rotates it for the first time about {at}, {left} before it expires.',
  rotatedSoon: 'Rotavox rotates it as soon as it is added, because {share} of its lifetime are over.',
  /** The same for a token that is renewed. */
  renewed: 'Rotavox renews it for the first time about {at}, {left} before it expires.',
  renewedSoon: 'Rotavox renews it as soon as it is added, because {share} of its lifetime are over.',
  renewedUntil: 'When it cannot be renewed any further, Rotavox reminds you to create a new one.',
  /** Of a token that only a person can replace. */
  reminded: 'Rotavox reminds you to create a new token about {at}, {left} before this one expires.',
  remindedSoon: 'Rotavox reminds you at once to create a new token, because this one expires soon.',
  remindedUnknown: 'Set below when it expires, so that Rotavox can remind you in time.',
  entered: 'When you enter the new token, Rotavox checks it and delivers it to every target.',
  left: (ms: number) => (ms >= 2 * dayMs ? countWords(Math.round(ms / dayMs), 'day') : durationText(ms)),
  share: (fraction: number) => `${Math.round(fraction * 100)} %`,
  read: 'Programs must read the new one with {command}, or get it from a target.',
  readNoCommand: 'Programs must get the new one from a target.',
  /** Of a secret that obtains tokens. */
  obtained: 'Rotavox obtains an access token with it now, so a mistake shows at once.',
  refreshed: 'Before an access token expires, Rotavox obtains the next one.',
  validity: (days: number) => `New tokens will be valid for ${days === 1 ? '1 day' : `${days} days`}.`,
  /** Where nothing may be repeated before the service was asked. */
  lostReply: (name: string, mayRecover: boolean) =>
    `If the reply of ${name} to a rotation is lost, you have to create a new token there.${
      mayRecover
        ? ' To prevent that, choose another credential of the same person as recovery credential.'
        : ''
    }`,
} as const;
