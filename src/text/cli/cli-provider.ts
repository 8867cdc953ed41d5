import type { InputProblem } from '../../contract/credential/provider-inputs.ts';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import type { CommandHelp } from './cli.ts';
import type { ExampleProblem } from '../../contract/credential/provider-file-example.ts';
import { countWords } from '../count.ts';

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
  // A choice has a default.
  const required = kind === 'choice' ? '' : ', required';
  return `--input ${name}=…${what}${isOptional ? ', optional' : required}${when}: ${label}. ${hint}`.trimEnd();
}

type Input = ProviderView['inputs'][number];

/** What the commands for providers that are files say, and why a file is left out at the start. */

export const providerFileHelp = {
  file: 'the provider file (JSON)',
  id: 'the id of the provider',
  test: {
    description: 'Check a provider file and play its recorded examples. Nothing is sent.',
    examples: ['rotavox provider test grafana.json'],
  },
  add: {
    description:
      'Check a provider file, play its examples, and copy it into the data folder. Rotavox uses it at once.',
    examples: ['rotavox provider add grafana.json'],
  },
  remove: {
    description: 'Remove a provider file from the data folder. Its credentials wait until it is added again.',
    examples: ['rotavox provider remove grafana'],
  },
} as const satisfies Record<string, CommandHelp | string>;

interface Problem {
  readonly place: string;
  readonly reason: string;
}

/** Why a file cannot be read, the end of a sentence about it. */
export const fileReasons = {
  tooLarge: 'is larger than 1 MiB',
  notAFile: 'is no file: a pipe, a device or a folder is not read. Write it to a file first',
  twice: 'is there twice',
  unsafeHost:
    'must be the name of a host that can be called: not a link-local address, nor where a cloud tells its machines their secrets',
  notJson: (reason: string) => `is not JSON: ${reason}`,
  unreadable: (code: string) => `cannot be read (${code})`,
  /** Undefined: the schema itself says it. */
  ofIssue: ({ code, keys, expected, values }: Readonly<Record<string, unknown>>): string | undefined => {
    const list = (all: unknown) => (Array.isArray(all) ? all.map(String).join(', ') : '');
    if (code === 'unrecognized_keys') return `has fields that are not known: ${list(keys)}`;
    if (code === 'invalid_type') return `is missing, or not of type ${String(expected)}`;
    return code === 'invalid_value' ? `must be ${list(values)}` : undefined;
  },
} as const;

/** What is wrong with a file, a line each. */
export function providerFileLines(path: string, problems: readonly Problem[]): string[] {
  return [
    `${path} is not a provider file:`,
    ...problems.map(({ place, reason }) => `  ${place === '' ? 'The file' : place} ${reason}`),
  ];
}

/** The same in one line, for a start. */
export function brokenProviderText(path: string, problems: readonly Problem[]): string {
  const [first] = problems;
  const more = problems.length - 1;
  const what = first === undefined ? '' : `${first.place === '' ? 'it' : first.place} ${first.reason}`;
  return `The provider file ${path} was left out: ${what}${more > 0 ? ` (and ${countWords(more, 'more error')})` : ''}.`;
}

/** Why an example fails. */
export function exampleProblemText(problem: ExampleProblem): string {
  switch (problem.code) {
    case 'other_request':
      return `Request ${problem.place} is another one. Expected: ${problem.expected}. Sent: ${problem.sent}.`;
    case 'too_few':
      return `Only ${problem.sent} of ${problem.expected} requests were sent.`;
    case 'other_outcome':
      return `The outcome is ${problem.found}, not ${problem.expected}.`;
    case 'other_value':
      return `${problem.field} is ${problem.found}, not ${problem.expected}.`;
  }
}

export const providerFileText = {
  passed: (title: string) => `pass  ${title}`,
  failed: (title: string, why: string) => `fail  ${title}: ${why}`,
  allPass: (count: number) => `All ${countWords(count, 'example')} pass.`,
  someFail: (count: number, of: number) => `${count} of ${of} examples fail.`,
  added: (id: string, path: string, isRunning: boolean) => [
    `The provider “${id}” is at ${path}.`,
    isRunning ? 'Rotavox uses it from now on.' : 'Rotavox uses it when it starts.',
  ],
  removed: (
    id: string,
    { isRunning, isShipped }: { readonly isRunning: boolean; readonly isShipped: boolean },
  ) => [
    `The provider “${id}” was removed.${isRunning ? ' Rotavox has stopped using it.' : ''}`,
    isShipped
      ? 'The one that comes with Rotavox is used instead.'
      : 'Its credentials wait until it is added again.',
  ],
  notThere: (id: string) => `The data folder has no provider file with the id “${id}”.`,
} as const;
