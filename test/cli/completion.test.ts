import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/run-cli.ts';
import { complete } from '../../src/cli/commands/completion.ts';
import { completionScripts, shells } from '../../src/cli/completion-scripts.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { rotavox } from './rotavox.ts';
import { fine, StandInService } from './stand-in-service.ts';

async function completed(line: string, names: readonly string[] = []): Promise<string[]> {
  const { words, files } = await complete(buildProgram(), line.split(' '), () => Promise.resolve(names));
  return [...words.map(({ word }) => word), ...(files ? [':files'] : [])];
}

describe('what can be typed next', () => {
  it('is a command, then one of its commands', async () => {
    expect(await completed('to')).toEqual(['token']);
    expect(await completed('')).toEqual(expect.arrayContaining(['serve', 'get', 'completion']));
    expect(await completed('')).not.toContain('complete');
    expect(await completed('ivr draft pu')).toEqual(['publish']);
    expect(await completed('--data-dir /tmp token su')).toEqual(['suspend']);
    expect(await completed('nonsense to')).toEqual([]);
  });

  it('is an option of the command or of all, and its value', async () => {
    expect(await completed('serve --va')).toEqual(['--vault', '--vault-passphrase-file']);
    expect(await completed('get --d')).toEqual(['--data-dir']);
    expect(await completed('token list --ho')).toEqual(['--host']);
    expect(await completed('connect git --ho')).toEqual([]);
    expect(await completed('serve --vault f')).toEqual(['file']);
    expect(await completed('serve --vault-passphrase-file ')).toEqual([':files']);
    expect(await completed('serve --port ')).toEqual([]);
    expect(await completed('exec pbx -- --d')).toEqual([':files']);
  });

  it('is a file, a choice or the name of a credential, where the command takes one', async () => {
    expect(await completed('ivr validate ')).toEqual([':files']);
    expect(await completed('completion z')).toEqual(['zsh']);
    expect(await completed('credential rotate p', ['pbx', 'billing'])).toEqual(['pbx']);
    expect(await completed('exec ', ['pbx'])).toEqual(['pbx']);
    expect(await completed('exec pbx ', ['pbx'])).toEqual([':files']);
    expect(await completed('credential add ', ['pbx'])).toEqual([]);
    expect(await completed('credential target pbx de', ['pbx'])).toEqual(['deliver']);
  });
});

it('names of credentials are those of the running service, and none while it does not run', async () => {
  const service = await StandInService.start();
  const vault = { kind: 'file', description: 'encrypted file', status: 'ok', message: null };
  const list = { credentials: [fine], vault };
  service.answers.set('GET /portal/credentials?planned=false', [200, list]);
  expect((await rotavox(['complete', '--', 'get', ''], service)).stdout).toBe('pbx\t\n');
  await service.stop();
  expect(await rotavox(['complete', '--', 'get', ''], service)).toEqual({ code: 0, stdout: '', stderr: '' });
});

it('each script is printed as it is', async () => {
  for (const shell of shells)
    expect(await rotavox(['completion', shell])).toEqual({
      code: 0,
      stdout: completionScripts[shell],
      stderr: '',
    });
  expect((await rotavox(['completion', 'csh'])).code).toBe(2);
});

/** What a shell highlights words with while they are typed, and its bell. */
const colours = /\u0007|\u001b*\[[\d;?]*[A-Za-z]/g;

/** How each shell is started without the files of a person, and reads a script. */
const starts = {
  bash: { file: '/bin/bash', start: 'bash --norc --noprofile -i', read: 'source' },
  zsh: { file: '/usr/bin/zsh', start: 'zsh -f -i', read: 'autoload -U compinit && compinit -u -D && source' },
  fish: { file: '/usr/bin/fish', start: 'fish --no-config -i', read: 'source' },
} as const;

describe.runIf(hasTerminals)('in a shell, by the Tab key', () => {
  for (const shell of shells.filter((one) => existsSync(starts[one].file)))
    it(`${shell} completes`, { tags: shell === 'bash' ? [] : ['long'] }, async () => {
      const folder = makeFolder();
      await writeFile(join(folder, 'rotavox'), `#!/bin/sh\nexec ${shellLine([])} "$@"\n`);
      await chmod(join(folder, 'rotavox'), 0o755);
      await writeFile(join(folder, 'completion'), completionScripts[shell]);
      await writeFile(join(folder, 'reception-menu.json'), '{}');
      const { start, read } = starts[shell];
      const terminal = inTerminal(`cd '${folder}' && PATH='${folder}':"$PATH" exec ${start}`, folder);
      terminal.type(`${read} ./completion; echo rea''dy\n`);
      const shows = (text: string) =>
        expect.poll(() => terminal.screen().replace(colours, ''), { timeout: 20_000 }).toContain(text);
      await shows('ready');
      terminal.type('rotavox credential rot\t');
      await shows('credential rotate');
      terminal.type('\u0015rotavox ivr validate rece\t');
      await shows('reception-menu.json');
      // What was typed is not run.
      terminal.type('\u0015rotavox get $(touch ran) x\t\t');
      terminal.type("\u0015echo do''ne\n");
      await shows('done');
      expect(existsSync(join(folder, 'ran'))).toBe(false);
      terminal.type('exit\n');
      await terminal.ended;
    });
});
