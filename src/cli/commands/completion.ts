import { completionHelp } from '../../text/cli/cli-service.ts';
import { customCommand } from '../command-table.ts';
import { completionScripts, shells } from '../completion-scripts.ts';
import { chosenService } from '../chosen-service.ts';
import { createClient } from '../../client/create-client.ts';
import { printDocument } from '../terminal.ts';
import type { Argument, Command, Option } from 'commander';
import { credentialHelp } from '../../text/cli/cli-credential.ts';

/** How long a person who presses Tab waits for names, in milliseconds. */
const namesLimitMs = 1_000;

export const completionCommand = customCommand({
  help: completionHelp,
  arguments: { '<shell>': { help: completionHelp.shell, choices: shells } },
  json: false,
  run: ({ shell }) => printDocument(completionScripts[shell]),
});

export const completeCommand = customCommand({
  help: completionHelp.complete,
  arguments: { '[words...]': completionHelp.complete.words },
  json: false,
  hidden: true,
  async run({ words }, command) {
    const { words: found, files } = await complete(command.parent ?? command, words, () =>
      credentialNames(words),
    );
    const lines = found.map(({ word, description }) => `${word}\t${firstSentence(description)}`);
    printDocument([...lines, ...(files ? [':files'] : []), ''].join('\n'));
  },
});

/** The names of the credentials of the service that the words choose; none where they cannot be read quickly. */
async function credentialNames(words: readonly string[]): Promise<string[]> {
  const chosen = (option: string): string | undefined =>
    words.includes(option) ? words[words.indexOf(option) + 1] : undefined;
  const host = chosen('--host');
  const options = { dataDir: chosen('--data-dir'), ...(host === undefined ? {} : { host }) };
  try {
    const client = createClient(await chosenService(options).connect());
    const listed = await client.call('listCredentials', {
      query: { planned: 'false' },
      signal: AbortSignal.timeout(namesLimitMs),
    });
    return listed.ok ? listed.value.credentials.map(({ name }) => name) : [];
  } catch {
    return []; // it does not run, or is busy: a shell that completes says nothing
  }
}

function firstSentence(text: string): string {
  return /^.+?(?=\.(?:\s|$))/.exec(text)?.[0] ?? text;
}

/** What can be typed next. */
interface Candidates {
  readonly words: readonly { readonly word: string; readonly description: string }[];
  /** Whether a file may be named as well. */
  readonly files: boolean;
}

const nothing: Candidates = { words: [], files: false };

/**
 * What can be typed in the place of the last word, by the commands themselves.
 *
 * `credentialNames` is asked only where the name of a credential is expected.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  credentialNames: () => Promise<readonly string[]>,
): Promise<Candidates> {
  const typed = words.at(-1) ?? '';
  const { command, places, option, isPastOptions } = readUpTo(program, words.slice(0, -1));
  if (option !== undefined) return matching(typed, valuesOf(option));
  if (typed.startsWith('-') && !isPastOptions) return matching(typed, optionsOf(command));

  const subcommands =
    places > 0 || isPastOptions ? [] : command.createHelp().visibleCommands(command).map(describedCommand);
  const argument = argumentAt(command, places);
  if (argument === undefined) return matching(typed, { words: subcommands, files: false });
  const names =
    argument.description === credentialHelp.name
      ? (await credentialNames()).map((name) => ({ word: name, description: '' }))
      : [];
  const { words: choices, files } = valuesOf(argument);
  return matching(typed, { words: [...subcommands, ...names, ...choices], files });
}

interface Position {
  readonly command: Command;
  /** How many arguments were typed. */
  readonly places: number;
  /** The option whose value comes next. */
  readonly option: Option | undefined;
  /** After `--`, where nothing is an option. */
  readonly isPastOptions: boolean;
}

function readUpTo(program: Command, words: readonly string[]): Position {
  let command = program;
  let places = 0;
  let option: Option | undefined;
  for (const [index, word] of words.entries()) {
    if (word === '--')
      return { command, places: places + words.length - index - 1, option: undefined, isPastOptions: true };
    if (option !== undefined) {
      option = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      const known = [...command.options, ...program.options].find(({ long, short }) =>
        [long, short].includes(word),
      );
      option = known?.required === true || known?.optional === true ? known : undefined;
    } else {
      const next = places === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next === undefined) places += 1;
      else command = next;
    }
  }
  return { command, places, option, isPastOptions: false };
}

function argumentAt(command: Command, place: number): Argument | undefined {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  return registeredArguments[place] ?? (last?.variadic === true ? last : undefined);
}

function optionsOf(command: Command): Candidates {
  const help = command.createHelp();
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const words = options.flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
  return {
    words: words.filter(({ word }, index) => words.findIndex((one) => one.word === word) === index),
    files: false,
  };
}

/** The choices of an option or argument, or files where its placeholder names one, or a command line. */
function valuesOf(value: Option | Argument): Candidates {
  const words = (value.argChoices ?? []).map((word) => ({ word, description: '' }));
  return { words, files: /\b(?:file|dir|source)\b/.test(placeholderOf(value)) };
}

function placeholderOf(value: Option | Argument): string {
  if ('flags' in value) return value.flags;
  return value.variadic ? 'file' : value.name();
}

function describedCommand(command: Command): Candidates['words'][number] {
  return { word: command.name(), description: command.description() };
}

function matching(typed: string, { words, files }: Candidates): Candidates {
  if (words.length === 0 && !files) return nothing;
  return { words: words.filter(({ word }) => word.startsWith(typed)), files };
}
