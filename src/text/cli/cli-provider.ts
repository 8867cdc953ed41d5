import type { InputProblem } from '../../contract/credential/provider-inputs.ts';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import type { CommandHelp } from './cli.ts';

/** What the provider commands say. */

export const providerHelp = {
  description: 'Show, test and add the kinds of services whose tokens Rotavox can rotate.',
  examples: ['rotavox provider list', 'rotavox provider show gitlab'],
  id: 'the id of the provider, as `rotavox provider list` shows it',
  list: {
    description: 'List the providers: the kinds of services whose tokens can be rotated.',
    examples: ['rotavox provider list', 'rotavox provider list --json'],
  },
  show: {
    description:
      'Show one provider: what it has to be told about a token, what a rotation does there, and an example.',
    examples: ['rotavox provider show gitlab'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const providerCommandText = {
  unknown: (id: string, ids: readonly string[]) =>
    `There is no provider “${id}”. The providers are ${ids.join(', ')}.`,
  wrongInput: (id: string, { name, rule, isMissing }: InputProblem): string[] => [
    isMissing ? `--input ${name}=… is required; it ${rule}.` : `--input ${name} ${rule}.`,
    `\`rotavox provider show ${id}\` shows the inputs.`,
  ],
} as const;

export const providerListHead = ['id', 'name', 'address', 'inputs'];

export function providerListRow(one: ProviderView): string[] {
  return [
    one.id,
    one.name,
    one.default_base_url ?? addressOf(one),
    one.inputs.map(({ name }) => name).join(', ') || '-',
  ];
}

function addressOf({ may_be_embedded: isOwn, traits }: ProviderView): string {
  if (isOwn) return 'this program, or --base-url';
  return traits.shape === 'refresh' ? 'of the service, or --base-url' : '--base-url';
}

/** Everything about one provider, each with its label. */
export function providerRows(one: ProviderView): string[][] {
  const labelled = (label: string, texts: readonly string[]) =>
    texts.map((text, place) => [place === 0 ? label : '', text]);
  return [
    ['Provider', one.id],
    ['Name', one.name],
    ['For', one.summary],
    ['Address', addressText(one)],
    ...labelled(
      'Inputs',
      one.inputs.map((input) => inputText(input)),
    ),
    ...labelled('Rotation', one.rotation),
    ...labelled('Example', one.examples),
  ];
}

function addressText(one: ProviderView): string {
  const { default_base_url: usual, may_be_embedded: isOwn, address_hint: hint, traits } = one;
  if (traits.shape === 'refresh') return `--base-url (default: of the service, or of the issuer). ${hint}`;
  if (usual !== null) return `--base-url (default: ${usual}). ${hint}`;
  return isOwn ? `--base-url (default: this program). ${hint}` : `--base-url (required). ${hint}`;
}

function inputText({ name, kind, label, hint, choices, only_for: onlyFor, is_optional: isOptional }: Input) {
  const [first] = choices;
  const what =
    first === undefined ? '' : ` (${choices.map(({ value }) => value).join(', ')}; default: ${first.value})`;
  const when = onlyFor === null ? '' : `, only for ${onlyFor.input} ${onlyFor.values.join(', ')}`;
  const need = isOptional ? ', optional' : kind === 'choice' ? '' : ', required';
  return `--input ${name}=…${what}${need}${when}: ${label}. ${hint}`.trimEnd();
}

type Input = ProviderView['inputs'][number];
