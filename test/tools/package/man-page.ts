import type { Command } from 'commander';
import { buildProgram, examplesOf } from '../../../src/cli/build-program.ts';
import { programHelp } from '../../../src/text/cli/cli.ts';

/** The man page of the command line, section 1, made from the commands themselves. */
export function manPage(version: string): string {
  const program = buildProgram();
  return [
    `.TH ROTAVOX 1 "" "Rotavox ${version}" "User Commands"`,
    '.SH NAME',
    `rotavox \\- ${plain(programHelp.description)}`,
    '.SH SYNOPSIS',
    '.B rotavox',
    '\\fICOMMAND\\fR [\\fIOPTION\\fR]...',
    '.SH OPTIONS',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...leavesOf(program).flatMap(({ command, path }) => [
      `.SS "rotavox ${plain(
        [
          path,
          command
            .createHelp()
            .commandUsage(command)
            .replace(/^.*?(?=\[|<|$)/, ''),
        ]
          .join(' ')
          .trim(),
      )}"`,
      plain(command.description()),
      ...argumentsOf(command),
      ...optionsOf(command),
      ...examplesOf(command).flatMap((example) => ['.PP', '.EX', `$ ${plain(example)}`, '.EE']),
    ]),
    '.SH EXIT STATUS',
    plain(programHelp.after.trim()),
    '',
  ].join('\n');
}

interface Leaf {
  readonly command: Command;
  /** As it is typed, without the name of the program. */
  readonly path: string;
}

function leavesOf(command: Command, path: readonly string[] = []): Leaf[] {
  const shown = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
  if (shown.length === 0) return [{ command, path: path.join(' ') }];
  return shown.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

function argumentsOf(command: Command): string[] {
  const help = command.createHelp();
  return help
    .visibleArguments(command)
    .flatMap((argument) => [
      '.TP',
      `.I ${plain(argument.name())}`,
      plain(help.argumentDescription(argument)),
    ]);
}

function optionsOf(command: Command): string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help' || command.parent === null)
    .flatMap((option) => ['.TP', `.B ${plain(option.flags)}`, plain(help.optionDescription(option))]);
}

/** A text for troff, on one line. */
function plain(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/\s+/g, ' ');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
