import { z } from 'zod';
import {
  isFor,
  isKnownProvider,
  knownServiceOf,
  providerFacts,
  tokenPage,
} from '../../providers/catalogue.ts';
import { originOf } from '../address.ts';
import type { ProviderFacts, ProviderInput } from './provider-facts.ts';
import { defaultProvider, listed, ProviderChoice } from './provider.ts';
import { BaseUrl, nameFault } from '../shapes.ts';

/*
 * What a provider has to be told about a token: which inputs apply, what is wrong with them, and their defaults.
 */

/** Whether a provider is told this input, beside these others. */
export function isAsked(
  { onlyFor }: { readonly onlyFor?: ProviderInput['onlyFor'] },
  facts: { readonly inputs: readonly Pick<ProviderInput, 'name' | 'choices'>[] },
  inputs: Readonly<Record<string, string>>,
): boolean {
  return isFor(onlyFor, { ...usualChoices(facts), ...inputs });
}

function usualChoices({ inputs }: Parameters<typeof isAsked>[1]): Record<string, string> {
  return Object.fromEntries(
    inputs.flatMap(({ name, choices: [first] = [] }) => (first === undefined ? [] : [[name, first]])),
  );
}

/** What is wrong with an input; `rule` is the end of a sentence about it. */
export interface InputProblem {
  readonly name: string;
  readonly rule: string;
  readonly isMissing: boolean;
}

/** What is wrong with the inputs of a provider, by its facts. Whether a credential exists is checked when one is added. */
export function inputProblems({ id, inputs: given }: ProviderChoice): InputProblem[] {
  // A file is known to the service only, which checks it.
  if (!isKnownProvider(id)) return [];
  const facts = providerFacts(id);
  const names = facts.inputs.map(({ name }) => name);
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const allowed = names.length === 0 ? 'it has none' : `allowed: ${names.join(', ')}`;
  return [
    ...unknown.map((name) => ({ name, rule: `is not an input of ${id}; ${allowed}`, isMissing: false })),
    ...facts.inputs.flatMap((input) => {
      const rule = brokenRule(input, facts, given);
      return rule === null ? [] : [{ name: input.name, rule, isMissing: given[input.name] === undefined }];
    }),
  ];
}

/** The longest text that an input may have. */
const longestInput = 500;

function brokenRule(
  input: ProviderInput,
  facts: ProviderFacts,
  given: Readonly<Record<string, string>>,
): string | null {
  const { name, kind, choices = [], onlyFor, isOptional = false } = input;
  const value = given[name];
  if (!isAsked(input, facts, given)) {
    if (value === undefined || onlyFor === undefined) return null;
    return `is only for ${onlyFor.input} ${listed(onlyFor.values)}`;
  }
  if (kind === 'choice') {
    return value === undefined || choices.includes(value) ? null : `must be ${listed(choices)}`;
  }
  if (value === undefined && isOptional) return null;
  const isText = value !== undefined && value !== '' && value.length <= longestInput;
  const fault = isText ? nameFault(value) : null;
  if (isText && fault === null) return null;
  if (isText && !/\p{Cc}/u.test(value)) return fault;
  return kind === 'credential'
    ? 'must be the name of another credential'
    : `must be a text of 1 to ${longestInput} characters`;
}

/** The inputs with the defaults of choices. */
function withDefaults({ id, inputs: given }: ProviderChoice): ProviderChoice {
  const facts = providerFacts(id);
  const asked = facts.inputs.filter((input) => isAsked(input, facts, given));
  return { id, inputs: { ...usualChoices({ inputs: asked }), ...given } };
}

/** What says at which service a token is: both are left out for this program. */
interface ServiceFields {
  readonly provider?: ProviderChoice | undefined;
  readonly base_url: string | null;
}

const CheckedFields = z.object({ provider: ProviderChoice.optional(), base_url: z.string().nullable() });

/**
 * Checks the inputs by the facts of the provider, and that there is an address where one is needed; also while other
 * fields are wrong, so that a person learns of all errors at once.
 */
export const checkService = z.superRefine<ServiceFields>(
  (fields, context) => {
    for (const issue of serviceProblems(fields)) context.addIssue({ code: 'custom', ...issue });
  },
  { when: ({ value }) => CheckedFields.safeParse(value).success },
);

function serviceProblems({
  provider = defaultProvider,
  base_url: baseUrl,
}: ServiceFields): { readonly path: string[]; readonly message: string }[] {
  const { mayBeEmbedded } = providerFacts(provider.id);
  if (!isKnownProvider(provider.id)) return [];
  const hasAddress = baseUrl !== null || usualBaseUrl(provider) !== null || mayBeEmbedded;
  return [
    ...inputProblems(provider).map(({ name, rule }) => ({
      path: ['provider', 'inputs', name],
      message: rule,
    })),
    ...(hasAddress
      ? []
      : [
          {
            path: ['base_url'],
            message: 'must be the address of a service, such as https://api.example.com',
          },
        ]),
  ];
}

/** Fills in what was left out: the provider's own address, and the defaults of choices. */
export function fillService<T extends ServiceFields>(fields: T): T {
  const { provider, base_url: baseUrl } = fields;
  if (provider === undefined) return fields;
  return { ...fields, provider: withDefaults(provider), base_url: baseUrl ?? usualBaseUrl(provider) };
}

/** The address of the service, if a person gives none: of a known server, or where its tokens are issued; null: not known. */
export function usualBaseUrl(choice: ProviderChoice): string | null {
  const { defaultBaseUrl, addressInputs = [] } = providerFacts(choice.id);
  const { inputs } = withDefaults(choice);
  const known = knownServiceOf({ ...choice, inputs })?.baseUrl ?? defaultBaseUrl;
  if (known !== null) return known;
  const given = addressInputs.map((name) => inputs[name]);
  const issuing = given.find((one) => one !== undefined && BaseUrl.safeParse(one).success);
  return issuing === undefined ? null : originOf(issuing);
}

/** Where a person creates a token of the same kind: a page of the service, or its address where no page is known. */
export function tokenPageOf(choice: ProviderChoice, baseUrl: string): string {
  return tokenPage(choice, baseUrl) ?? baseUrl;
}
