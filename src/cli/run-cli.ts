import { Argument, Command, CommanderError, type Help, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { programHelp, unexpectedFailure } from '../text/cli/cli.ts';
import { stackOf } from '../text/service/stack-of.ts';
import { tokenHelp } from '../text/cli/cli-token.ts';
import { CommandFailure, type Ending, EndsAs, type ExitCode, exitCodes } from './command-failure.ts';
import { type CommandIo, withIo } from './command-io.ts';
import { commanderOutput, say } from './terminal.ts';
import type { CommandGroup, CommandTable, Field, TableCommand } from './command-table.ts';
import {
  backupCommand,
  restoreCommand,
  journalCommands,
  confirmMoveCommand,
} from './commands/data-commands.ts';
import { callCommands } from './commands/call-commands.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { connectCommands, disconnectCommand, helperCommand } from './commands/connect-commands.ts';
import { credentialCommands, getCommand } from './commands/credential-commands.ts';
import { extensionCommands, smsTemplateCommands } from './commands/directories.ts';
import { execCommand } from './commands/exec.ts';
import { historyCommand } from './commands/history-command.ts';
import { hostCommands, ownerCommands } from './commands/team-commands.ts';
import { hoursCommands } from './commands/hours-commands.ts';
import { ivrCommands } from './commands/ivr-commands.ts';
import { appCommand, openCommand } from './commands/open.ts';
import { pbxCommands } from './commands/pbx-commands.ts';
import { providerCommands } from './commands/provider-commands.ts';
import { proxyCommands } from './commands/proxy-commands.ts';
import { recordingCommands } from './commands/recording-commands.ts';
import { serveCommand } from './commands/serve.ts';
import { serviceCommands } from './commands/service-commands.ts';
import { settingsCommands } from './commands/settings-commands.ts';
import { doctorCommand, statusCommand } from './commands/status-commands.ts';
import { tokenCommands } from './commands/token-commands.ts';
import { vaultCommands } from './commands/vault-commands.ts';
import { voiceCommands } from './commands/voice-commands.ts';
import { valueOf, valuesOf } from './option-values.ts';
import type { GlobalOptions } from './chosen-data-dir.ts';
import { rememberCommand } from './open-portal.ts';
import { rememberDataDir } from './own-command.ts';

/** Runs one command to its end and returns its exit code, or how the program ended that it ran. `serve` ends the process itself. */
export function runCli(args: readonly string[], io: CommandIo): Promise<ExitCode | Ending> {
  return withIo(io, async () => {
    try {
      await buildProgram().parseAsync(args, { from: 'user' });
      return exitCodes.done;
    } catch (error) {
      // Commander has printed it already. Its exit code is 0 after help and version.
      if (error instanceof CommanderError)
        return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
      if (error instanceof EndsAs) return error.ending;
      if (error instanceof CommandFailure) {
        say(...error.lines);
        return error.exitCode;
      }
      say(...unexpectedFailure(stackOf(error)));
      return exitCodes.failed;
    }
  });
}

const commands: CommandTable = {
  serve: serveCommand,
  open: openCommand,
  app: appCommand,
  status: statusCommand,
  doctor: doctorCommand,
  'confirm-move': confirmMoveCommand,
  service: serviceCommands,
  token: tokenCommands,
  credential: credentialCommands,
  get: getCommand,
  exec: execCommand,
  connect: connectCommands,
  disconnect: disconnectCommand,
  helper: helperCommand,
  proxy: proxyCommands,
  provider: providerCommands,
  ivr: ivrCommands,
  hours: hoursCommands,
  recording: recordingCommands,
  voice: voiceCommands,
  extension: extensionCommands,
  'sms-template': smsTemplateCommands,
  pbx: pbxCommands,
  owner: ownerCommands,
  calls: callCommands,
  history: historyCommand,
  journal: journalCommands,
  vault: vaultCommands,
  backup: backupCommand,
  restore: restoreCommand,
  host: hostCommands,
  settings: settingsCommands,
  completion: completionCommand,
  complete: completeCommand,
};

/** All commands, for commander. Wrong usage is thrown; the process is never ended here. */
export function buildProgram(): Command {
  const program = new Command('rotavox')
    .description(programHelp.description)
    .version(packageJson.version, '-V, --version', programHelp.version)
    .helpOption('-h, --help', programHelp.help)
    .helpCommand('help [command]', programHelp.helpCommand)
    .option('--data-dir <dir>', programHelp.dataDir)
    .option('--host <url>', programHelp.host)
    .exitOverride()
    .hook('preAction', (whole, command) => {
      rememberCommand(command);
      // Of the program, not of `serve --host`. With a host, the folder has its key only.
      const { dataDir, host } = whole.opts<GlobalOptions>();
      if (host === undefined) rememberDataDir(dataDir);
    })
    .configureOutput(commanderOutput)
    .showHelpAfterError(programHelp.afterError)
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions })
    .addHelpText('after', programHelp.after)
    .addHelpText('after', programHelp.examples(['rotavox serve', ...tokenHelp.examples.slice(0, 1)]));

  for (const [name, one] of Object.entries(commands)) addCommand(program, name, one);
  return program;
}

/** The options of every command, without those that a command has with another meaning (`serve --host`) or refuses. */
function visibleGlobalOptions(this: Help, command: Command) {
  const hidden = new Set(command.options.map(({ long }) => long));
  const listed: Command['options'][number][] = [];
  for (let one: Command | null = command; one !== null; one = one.parent) {
    if (localCommands.has(one)) hidden.add('--host');
    if (one !== command)
      listed.push(...one.options.filter((option) => !option.hidden && !hidden.has(option.long)));
  }
  return listed;
}

const localCommands = new WeakSet<Command>();

function addCommand(parent: Command, name: string, one: TableCommand | CommandGroup): void {
  const { description, examples } = one.help;
  const { isDefault = false, hidden = false } = 'run' in one ? one : {};
  const command = parent
    .command(name, { isDefault, hidden })
    .description(description)
    .helpOption('-h, --help', programHelp.help)
    .addHelpText('after', programHelp.examples(examples));
  examplesOfCommands.set(command, examples);
  if (one.isLocal === true) localCommands.add(command);
  if ('run' in one) declare(command, one);
  else for (const [child, below] of Object.entries(one.commands)) addCommand(command, child, below);
}

function declare(command: Command, one: TableCommand): void {
  const { arguments: places = {}, options = {}, json = programHelp.json, usage, more } = one;
  if (usage !== undefined) command.usage(usage);
  for (const [flags, field] of Object.entries(places))
    command.addArgument(withField(new Argument(flags, helpOf(field)), field));
  for (const [flags, field] of Object.entries(options)) {
    const option = withField(new Option(flags, helpOf(field)), field);
    if (typeof field !== 'string')
      option.makeOptionMandatory(field.isRequired === true).conflicts([...(field.conflicts ?? [])]);
    command.addOption(option);
  }
  if (json !== false) command.option('--json', json);
  if (more !== undefined) command.addHelpText('after', more);
  command.action(async () => {
    const { processedArgs, registeredArguments } = command;
    const given = registeredArguments.map((argument, place) => [
      argument.name(),
      processedArgs[place] as unknown,
    ]);
    const { json: isJson, ...chosen } = command.optsWithGlobals<Record<string, unknown>>();
    await one.run({ ...chosen, ...Object.fromEntries(given), json: isJson === true } as never, command);
  });
}

function withField<T extends Argument | Option>(one: T, field: string | Field): T {
  if (typeof field === 'string') return one;
  const { choices, usual } = field;
  const read = readerOf(field);
  if (choices !== undefined) one.choices(choices);
  if (read !== undefined) one.argParser(read as (text: string, before: unknown) => unknown);
  if (usual !== undefined) one.default(usual);
  return one;
}

function readerOf({ schema, convert, isRepeated, read }: Field): Field['read'] {
  if (schema === undefined) return read;
  return isRepeated ? valuesOf(schema) : valueOf(schema, convert);
}

function helpOf(field: string | Field): string {
  return typeof field === 'string' ? field : field.help;
}

const examplesOfCommands = new WeakMap<Command, readonly string[]>();

/** The examples in the help of a command. */
export function examplesOf(command: Command): readonly string[] {
  return examplesOfCommands.get(command) ?? [];
}
