/** What holds for every command, whatever it does: wrong usage, a service that is away, a refusal, `--json`. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { optionHelp } from '../../src/text/cli/cli.ts';
import { commands, leaves, onItsOwn, runOf, runs, useRunFiles } from './command-runs.ts';
import { hostileAnswer } from './hostile-reply.ts';
import { rotavox } from './rotavox.ts';
import { refusal, StandInService } from './stand-in-service.ts';

useRunFiles();

/** Commands that do their work without a service, or then do it themselves. */
const withoutService = [
  'completion',
  'complete',
  'confirm-move',
  'credential find',
  'helper',
  'host add',
  'host list',
  'host remove',
  'ivr export',
  'ivr simulate',
  'ivr validate',
  'provider add',
  'provider remove',
  'provider test',
  'vault move',
];

/** Commands whose JSON is not the answer to their one call. */
const withOwnJson = [
  'open',
  'connect git',
  'connect docker',
  'credential import',
  'credential target',
  'provider show',
  'ivr import',
  'calls list',
];

/** Commands that also say something beside their JSON. */
const withNotes = ['status', 'credential sign-in', 'calls list'];

it('is asked of every command: none is named here that does not exist', () => {
  const paths = leaves().map(([path]) => path);
  const named = [...Object.keys(runs), ...onItsOwn, ...withoutService, ...withOwnJson, ...withNotes];
  expect(named.filter((path) => !paths.includes(path))).toEqual([]);
});

const askingCommands = commands.filter(([path]) => !withoutService.includes(path));
const takesJson = (command: Command): boolean => command.options.some(({ long }) => long === '--json');

const readsFile = ({ registeredArguments: [first] }: Command): boolean =>
  first?.description === optionHelp.inputFile;

/** Runs a command as it is typed, and with `--json` where it has that. */
function bothWays(path: string, command: Command): string[][] {
  const words = [...path.split(' '), ...runOf(path, command).args];
  const at = words.includes('--') ? words.indexOf('--') : words.length;
  return takesJson(command) ? [words, words.toSpliced(at, 0, '--json')] : [words];
}

/** The options that a command cannot do without, with their values. */
function neededOptions(path: string, { options }: Command): string[] {
  const { args = [] } = runs[path]?.() ?? {};
  return options.flatMap(({ mandatory, long }) =>
    mandatory && long ? args.slice(args.indexOf(long)).slice(0, 2) : [],
  );
}

/** Runs a command as far as its usage is read, and expects that it is wrong and why. */
async function expectWrong(words: readonly string[], why: string): Promise<void> {
  const { stderr, ...ended } = await rotavox(words, { dataDir: '/nowhere' });
  expect(ended).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(why);
}

describe('wrong usage', () => {
  it.each(leaves())('is an option that it does not have: rotavox %s', async (path, command) => {
    const words = [...path.split(' '), ...neededOptions(path, command), '--unheard-of'];
    await expectWrong(words, "unknown option '--unheard-of'");
  });

  it.each(leaves().filter(([, { registeredArguments: all }]) => all.at(-1)?.variadic !== true))(
    'is an argument too many: rotavox %s',
    async (path, command) => {
      const words = [...path.split(' '), ...neededOptions(path, command)];
      const given = Array.from({ length: command.registeredArguments.length + 1 }, () => 'x');
      await expectWrong([...words, ...given], 'too many arguments');
    },
  );

  it.each(leaves().filter(([, command]) => command.registeredArguments.some(({ required }) => required)))(
    'is an argument that is missing: rotavox %s',
    async (path, command) => {
      const words = [...path.split(' '), ...neededOptions(path, command)];
      const missing = command.registeredArguments.filter(({ required }) => required);
      for (const [place, argument] of missing.entries()) {
        const before = missing.slice(0, place).map(() => 'x');
        await expectWrong([...words, ...before], `missing required argument '${argument.name()}'`);
      }
    },
  );

  it.each(
    leaves().flatMap(([path, command]) =>
      command.options.flatMap(({ mandatory, flags, long }) =>
        mandatory ? [{ path, flags, long: long ?? '', command }] : [],
      ),
    ),
  )('is an option that is missing: rotavox $path without $flags', async ({ path, flags, long, command }) => {
    const { args } = runOf(path, command);
    const words = [...path.split(' '), ...args.toSpliced(args.indexOf(long), 2)];
    await expectWrong(words, `required option '${flags}' not specified`);
  });
});

describe('a file or a choice', () => {
  it.each(leaves().filter(([, command]) => readsFile(command)))(
    'that cannot be read ends with 2: rotavox %s',
    async (path, command) => {
      const words = [...path.split(' '), '/nowhere/file', ...neededOptions(path, command)];
      await expectWrong(words, '/nowhere/file cannot be read (ENOENT).');
    },
  );

  it.each(
    leaves().flatMap(([path, command]) =>
      command.options.flatMap(({ long, argChoices }) =>
        argChoices ? [{ path, long, argChoices, command }] : [],
      ),
    ),
  )(
    'that an option does not have ends with 2: rotavox $path $long',
    async ({ path, long, argChoices, command }) => {
      const words = [...path.split(' '), ...neededOptions(path, command), long ?? '', 'none-of-them'];
      await expectWrong(words, `Allowed choices are ${argChoices.join(', ')}.`);
    },
  );
});

describe('a command that needs the service', () => {
  it.each(askingCommands)('ends with 3 when it does not run: rotavox %s', async (path, command) => {
    for (const words of bothWays(path, command)) {
      const { stderr, ...ended } = await rotavox(words, { dataDir: '/nowhere', stdin: 'rvx_value' });
      expect(ended).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain('not running with the data folder /nowhere.');
      expect(stderr).toContain('Start it with `rotavox serve`, or open the app.');
    }
  });

  it.each(askingCommands)('ends with 1 and the reason when it refuses: rotavox %s', async (path, command) => {
    const service = await StandInService.start();
    service.otherwise = () => refusal(404, 'not_found');
    for (const words of bothWays(path, command)) {
      const ended = await rotavox(words, { dataDir: service.dataDir, stdin: 'rvx_value' });
      expect(ended).toEqual({ code: 1, stdout: '', stderr: 'That is not_found.\n' });
    }
  });

  it.each(askingCommands.filter(([, command]) => takesJson(command)))(
    'prints one line of JSON on stdout with --json: rotavox %s',
    async (path, command) => {
      const service = await StandInService.start();
      service.otherwise = hostileAnswer;
      const [, words = []] = bothWays(path, command);
      const { code, stdout, stderr } = await rotavox(words, { dataDir: service.dataDir, stdin: 'rvx_value' });
      expect(code).toBe(runOf(path, command).code ?? 0);
      if (code === 0 && !withNotes.includes(path)) expect(stderr).toBe('');
      const printed: unknown = JSON.parse(stdout);
      expect(stdout).toBe(`${JSON.stringify(printed)}\n`);
      const [first, ...more] = service.calls;
      if (more.length === 0 && !withOwnJson.includes(path))
        expect(printed).toEqual(hostileAnswer(first!.call)[1]);
    },
  );
});
