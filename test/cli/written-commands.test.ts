/** The pages and examples that people copy commands from: what they call is what the program understands. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/run-cli.ts';
import { chosenJournal } from '../../src/cli/commands/serve.ts';
import { type AddressOptions, chosenAddress } from '../../src/cli/chosen-network.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const folder = join(import.meta.dirname, '../../resources/team');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The command that the program would carry out, with its options. Rejects when it does not understand the words. */
async function understood(words: readonly string[]): Promise<{ path: string; options: object }> {
  const program = buildProgram();
  const found: { path: string; options: object }[] = [];
  const record = (command: Command, path: readonly string[]): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (command.commands.length === 0) {
      command.action(() => {
        found.push({ path: path.join(' '), options: command.optsWithGlobals() });
      });
    }
    for (const child of command.commands) record(child, [...path, child.name()]);
  };
  record(program, []);
  await program.parseAsync(words, { from: 'user' });
  const [first] = found;
  if (first === undefined) throw new Error(`no command: ${words.join(' ')}`);
  return first;
}

/** Throws unless a host would start with these options, as far as they say it. */
async function expectServes(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { path, options } = await understood(words);
  expect(path).toBe('serve');
  expect(chosenAddress(options as AddressOptions).network).toBeDefined();
  expect(chosenJournal(options, environment)).not.toBeNull();
}

/** The words after `rotavox`, without the dots for what is left out. */
const wordsOf = (command: string): string[] =>
  command.split(/\s+/).filter((word) => word !== '' && word !== '…');

/** Each `rotavox …` in a page, after that word: in its blocks, and in its sentences. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n([^`]*)```/g)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' '),
  );
  return [
    ...blocks.flatMap((block) => [...block.matchAll(/^\s*(?:sudo )?rotavox (.*)$/gm)]),
    ...text.matchAll(/`rotavox ([^`]+)`/g),
  ].map(([, command = '']) => command);
}

/** The words of a command as a shell gives them, as far as our pages need it: quotes, and no comment. */
function shellWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s#]\S*)|#.*/g)].flatMap(
    ([, double, single, plain]) => {
      const word = double ?? single ?? plain;
      return word === undefined ? [] : [word];
    },
  );
}

describe.each(['../../README.md', '../guide/README.md', '../asterisk/README.md', '../providers/README.md'])(
  'the page %s',
  (page) => {
    const commands = commandsIn(textOf(page)).filter((command) => !/--help|[<…|]/.test(command));

    it.each(commands)('has what is understood: rotavox %s', async (command) => {
      const path = await understood(shellWords(command)).then(
        (found) => found.path,
        // A sentence may name a command without its arguments.
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'commander.missingArgument' });
          return command;
        },
      );
      expect(command.split(' ')[0]).toBe(path.split(' ')[0]);
    });
  },
);

describe('the instructions', () => {
  const text = textOf('README.md');
  const commands = commandsIn(text);

  it('have commands of every kind that an operator needs', () => {
    const kinds = ['serve', 'owner add', 'journal copy', 'vault passphrase', 'history', 'status', 'app'];
    expect(kinds.filter((kind) => !commands.some((command) => command.startsWith(kind)))).toEqual([]);
  });

  it.each(commands)('are understood: rotavox %s', async (command) => {
    await expect(understood(wordsOf(command))).resolves.toMatchObject({ path: /^\w/ });
  });

  it('start a host that others reach', async () => {
    const [serve = ''] = commands.filter((command) => command.includes('--listen'));
    await expectServes(wordsOf(serve), {});
  });

  it('would show a wrong option', async () => {
    await expect(understood(['serve', '--listen-on', '10.0.0.1:7682'])).rejects.toThrow('--listen-on');
  });
});

describe('the compose file', () => {
  const [, ...services] = textOf('compose.yml').split(/^ {2}(?=rotavox-\d:)/m);

  it.each(services)('starts hosts with options that the program has (%#)', async (service) => {
    const [command = ''] = /command:\n(?: {6}- .*\n)+/.exec(service) ?? [];
    const words = [...command.matchAll(/^ {6}- (.*)$/gm)].map(([, word = '']) => word);
    await expectServes(words, { ROTAVOX_JOURNAL: 'postgres://rotavox@database/rotavox' });
  });

  it('has two of them, and variables that the program reads', () => {
    expect(services).toHaveLength(2);
    const named = [...textOf('compose.yml').matchAll(/^ {4}(ROTAVOX_\w+):/gm)].map(([, name = '']) => name);
    expect(named).toContain('ROTAVOX_JOURNAL');
    expectVariables(named);
  });
});

describe.skipIf(process.platform !== 'linux')('the systemd unit', () => {
  const environment = Object.fromEntries(
    [...textOf('team.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const unit = textOf('rotavox-team.service');

  it('is valid for systemd', async () => {
    const file = join(makeFolder(), 'rotavox-team.service');
    cpSync(join(folder, 'rotavox-team.service'), file);
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', file]);
    // It also reads units of the machine, which are not ours.
    expect((stdout + stderr).split('\n').filter((line) => line.includes(file))).toEqual([]);
    await promisify(execFile)('systemd-analyze', ['security', '--offline=true', '--threshold=20', file]);
  });

  it('starts a host with options and variables that the program has, and those of its example', async () => {
    const [, start = ''] = /^ExecStart=\/usr\/bin\/env rotavox (.*)$/m.exec(unit) ?? [];
    const words = wordsOf(start).map((word) =>
      word.replace(/\$\{(\w+)\}/, (_, name: string) => environment[name] ?? `no ${name}`),
    );
    await expectServes(words, environment);
    expectVariables([...unit.matchAll(/^Environment=(ROTAVOX_\w+)/gm)].map(([, name = '']) => name));
  });
});

/** Variables that the help of the program names, or the reference that it is made from. */
function expectVariables(names: readonly string[]): void {
  const program = buildProgram();
  const help = [program, ...program.commands].map((command) => command.helpInformation()).join('\n');
  const manual = help + textOf('../guide/README.md');
  expect(names.filter((name) => !manual.includes(name))).toEqual([]);
}
