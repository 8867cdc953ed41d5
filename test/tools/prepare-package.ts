/**
 * Builds the app if its build is not fresh, and writes what the npm package has besides: `npm pack` calls it (`prepack`).
 *
 * The types of the client, the man page, and the licences of the packages that are bundled. A fresh build is left alone, because tests
 * that run meanwhile use it.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { format } from 'oxfmt';
import { ensureBuilt } from '../../src/launcher/ensure-built.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { licencesAsText } from './licences/shipped-packages.ts';
import { clientTypes } from './package/client-types.ts';
import { root } from './root.ts';
import type { Command } from 'commander';
import { buildProgram, examplesOf } from '../../src/cli/run-cli.ts';
import { programHelp } from '../../src/text/cli/cli.ts';

await ensureBuilt({ tell: console.error });
const types = 'out/client/index.d.ts';
const formatted = await format(types, clientTypes(), { printWidth: 110, singleQuote: true });
if (formatted.errors.length > 0) throw new Error(`${types}: ${formatted.errors[0]?.message}`);
write(types, formatted.code);
write('out/man/rotavox.1', manPage(packageJson.version));
write('out/THIRD-PARTY-LICENCES.txt', licencesAsText(['electron']));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  // Whole at each moment: two packages may be made at the same time.
  const whole = join(root, 'out', `${basename(file)}.${process.pid}`);
  writeFileSync(whole, text);
  renameSync(whole, join(root, file));
}

/** The man page of the command line, section 1, made from the commands themselves. */
function manPage(version: string): string {
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
