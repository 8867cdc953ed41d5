import type { Command } from 'commander';
import type { FieldError } from '../contract/problems.ts';
import { inputProblem } from '../text/cli/cli.ts';
import { commandIo, type CommandIo } from './command-io.ts';

const running = new WeakMap<CommandIo, Command>();

/** Remembers which command runs, so that a refusal can name its options. */
export function rememberCommand(command: Command): void {
  running.set(commandIo(), command);
}

/** Errors about fields of a request, named as they are typed for the running command: its option, or its argument. */
export function asTyped(errors: readonly FieldError[]): FieldError[] {
  const command = running.get(commandIo());
  return errors.map((error) => ({ ...error, field: typed(error.field, command) }));
}

/** Fields whose option has another name. */
const otherNames: Readonly<Record<string, string>> = { validity_days: '--validity', until: '--for' };

function typed(field: string, command: Command | undefined): string {
  if (command === undefined) return field;
  const [, input] = /^provider\.inputs\.(\w+)$/.exec(field) ?? [];
  const long = input === undefined ? (otherNames[field] ?? `--${field.replaceAll('_', '-')}`) : '--input';
  if (command.options.some((option) => option.long === long))
    return input === undefined ? long : `${long} ${input}`;
  if (command.registeredArguments.some((argument) => argument.name() === field)) return `<${field}>`;
  return field === 'value' ? inputProblem.token : field;
}
