import type { ExampleProblem } from '../../contract/credential/provider-file-example.ts';
import type { CommandHelp } from './cli.ts';
import { countWords } from '../count.ts';

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
