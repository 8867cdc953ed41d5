/** Every command of the command line, with what it needs to do its work: for tests that hold for all of them. */
import type { Command } from 'commander';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildProgram } from '../../src/cli/run-cli.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { keyProviderText } from '../fixtures/key-provider.ts';
import { hostile } from './hostile-reply.ts';
import { menu } from './menu.ts';

/** The possible content of an argument: no zero byte. */
export const typed = hostile.replaceAll('\u0000', '');

export interface Run {
  /** Default: the hostile text for every required argument. */
  readonly args?: readonly string[];
  readonly stdin?: string;
  /** Its exit code when the service has done everything that it was asked. */
  readonly code?: number;
  /** Its result is a text file, which has its own lines. */
  readonly isDocument?: true;
}

let folder: string;

/** A file of the folder that `useRunFiles` makes. */
export const file = (name: string) => join(folder, name);

/** What commands need besides hostile arguments; others have to work without. */
export const runs: Readonly<Record<string, () => Run>> = {
  'credential set': () => ({ args: [typed, 'client_certificate', 'none'] }),
  'token issue': () => ({ args: ['--name', 'nightly', '--validity', '7'] }),
  'token list': () => ({ args: ['--limit', '2'] }),
  'token history': () => ({ args: ['tok_a_1', '--limit', '2'] }),
  'credential add': () => ({ args: ['pbx'], stdin: 'rvx_value' }),
  'credential import': () => ({ args: [file('tokens.json'), '--dry-run'] }),
  'credential replace': () => ({ args: ['pbx'], stdin: 'rvx_value' }),
  'credential second-token': () => ({ args: ['pbx'], stdin: 'rvx_value' }),
  'credential policy': () => ({ args: ['pbx', '--fraction', '0.5'] }),
  'credential history': () => ({ args: ['pbx', '--limit', '2'] }),
  'credential target': () => ({ args: ['pbx', 'list'] }),
  'credential rotate': () => ({ args: ['pbx'], code: 1 }), // its answer reports a trouble
  'provider show': () => ({ args: ['abc_1'] }),
  exec: () => ({ args: ['pbx', '--', 'true'] }),
  history: () => ({ args: ['--limit', '2'] }),
  'host add': () => ({ args: [typed], code: 2 }), // no address
  'host remove': () => ({ args: [typed], code: 2 }),
  'owner add': () => ({ args: ['alice'] }),
  'ivr create': () => ({ args: [file('menu.json')] }),
  'ivr validate': () => ({ args: [file('menu.json')] }),
  'ivr simulate': () => ({ args: [file('menu.json'), '--keys', '1'] }),
  'ivr import': () => ({ args: [file('menus.json')] }),
  'ivr export': () => ({ args: [file('menus.json'), '--to', 'document'], isDocument: true }),
  'ivr draft publish': () => ({ args: ['draft_1'] }),
  'recording add': () => ({ args: [file(`${typed.replaceAll('/', '')}.wav`), '--name', 'Welcome'] }),
  'recording speak': () => ({ args: ['--text', 'Welcome'] }),
  'ivr speak-all': () => ({ args: ['--stop'] }),
  'recording pronunciation remove': () => ({ args: ['Rotavox'], code: 1 }), // there is none of this word
  'recording pronounce': () => ({ args: ['Rotavox', 'Roh ta vox'] }),
  'voice add': () => ({ args: ['piper/de_DE-thorsten-medium'] }),
  'voice remove': () => ({ args: ['piper/de_DE-thorsten-medium'] }),
  'recording rename': () => ({ args: [typed, 'Welcome'] }),
  'recording save': () => ({ args: [typed, file(`${String(Math.random())}${typed}`)] }),
  'connect git': () => ({
    args: [typed, '--url', 'https://git.example.com', '--username', 'me', '--dry-run'],
  }),
  ...Object.fromEntries(
    ['bazel', 'claude', 'codex', 'headers'].map((tool) => [
      `connect ${tool}`,
      () => ({ args: [typed, '--url', 'https://tool.example.com', '--dry-run'] }),
    ]),
  ),
  'connect go': () => ({
    args: [typed, '--url', 'https://go.example.com', '--username', 'me', '--dry-run'],
  }),
  'connect docker': () => ({
    args: [typed, '--url', 'https://reg.example.com', '--username', 'me', '--dry-run'],
  }),
  helper: () => ({ args: ['git', 'store'] }),
  'proxy allow': () => ({ args: [typed, 'GET /api/v4/**', '--yes'] }),
  'proxy revoke': () => ({ args: ['rule_1'] }),
  'proxy token': () => ({ args: [typed, '--app', 'app'] }),
  'ivr ring': () => ({ args: ['ivr_1', '--pbx', typed, '--endpoint', 'PJSIP/101'] }),
  'pbx add': () => ({
    args: ['office', '--url', 'http://127.0.0.1:8088', '--user', 'rotavox'],
    stdin: 'secret',
  }),
  'pbx change': () => ({ args: [typed, '--user', 'rotavox'] }),
  'pbx test': () => ({ args: [typed], code: 1 }), // its checks fail
  'hours add': () => ({ args: ['Office', '--zone', 'Europe/Berlin', '--weekdays', '08:00-17:00'] }),
  'hours change': () => ({ args: [typed, '--rename', 'Branch'] }),
  'hours set': () => ({ args: [typed, 'closed', '--until', 'tomorrow 08:00'] }),
  'hours import': () => ({ args: [typed, file('entries.csv')] }),
  'hours holidays': () => ({ args: [typed, 'DE', '--state', 'BY', '--years', '2027'] }),
  'provider test': () => ({ args: [file('provider.json')] }),
  'provider add': () => ({ args: [file('provider.json')] }),
  'provider remove': () => ({ args: [typed], code: 1 }), // there is none of this name
  'extension import': () => ({ args: [file('entries.csv')] }),
  'sms-template import': () => ({ args: [file('entries.csv')] }),
  'extension export': () => ({ isDocument: true }),
  'sms-template export': () => ({ isDocument: true }),
  'extension set': () => ({ args: ['101', 'Ana'] }),
  'sms-template set': () => ({ args: ['31', 'Hours', typed] }),
  'settings set': () => ({ args: ['theme', 'dark'] }),
  'credential revoke-all': () => ({ args: ['--dry-run'] }),
  'confirm-move': () => ({ args: ['--yes'] }),
  'vault move': () => ({ args: ['keychain'] }),
  completion: () => ({ args: ['bash'] }),
};

/**
 * The service runs until it is told to end, and a journal is copied, a passphrase changed, a backup made and restored with a folder of its own,
 * files of tools are changed, free space differs from one look to the next, and a voice is heard, so they have separate tests; no app is started and nothing is installed here.
 */
export const onItsOwn = [
  'serve',
  'app',
  'doctor',
  'journal copy',
  'vault passphrase',
  'backup',
  'restore',
  'voice test',
  'connect cargo',
  'connect check',
  'connect kubectl',
  'connect npm',
  'connect pip',
  'connect pnpm',
  'connect repair',
  'connect terraform',
  'disconnect',
  'service install',
  'service status',
  'service uninstall',
];

/** The commands without commands below them, by how they are typed. */
export function leaves(command: Command = buildProgram(), path: readonly string[] = []): [string, Command][] {
  return command.commands.flatMap((child) => {
    const childPath = [...path, child.name()];
    return child.commands.length > 0
      ? leaves(child, childPath)
      : [[childPath.join(' '), child] as [string, Command]];
  });
}

export const commands = leaves().filter(([path]) => !onItsOwn.includes(path));

/** How a command is called so that it has done its work when it ends. */
export function runOf(path: string, command: Command): Required<Pick<Run, 'args'>> & Run {
  const run = runs[path]?.() ?? {};
  return { args: command.registeredArguments.filter(({ required }) => required).map(() => typed), ...run };
}

/** Makes the files that commands read, for the tests of a file. */
export function useRunFiles(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-hostile-'));
    const hostileMenu = { ...menu, description: hostile, [hostile]: 1 };
    await writeFile(file('menu.json'), JSON.stringify(hostileMenu));
    await writeFile(file('menus.json'), JSON.stringify([{ ...hostileMenu, name: hostile }]));
    const examples = keyProviderText.examples.map((one) => ({ ...one, title: hostile }));
    await writeFile(file('provider.json'), JSON.stringify({ ...keyProviderText, examples }));
    const tokens = { [hostile]: 'glpat-a1b2c3d4e5', a: { token: 'rvx_a1b2c3d4e5' } };
    await writeFile(file('tokens.json'), JSON.stringify(tokens));
    await writeFile(file('entries.csv'), 'id,name\n1,a\n');
    await writeFile(file(`${typed}.wav`), wavFile(100));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
}
