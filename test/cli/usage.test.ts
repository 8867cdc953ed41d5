import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { buildProgram } from '../../src/cli/build-program.ts';
import { fileWith, menu } from './menu.ts';
import { rotavox } from './rotavox.ts';

/** Every command, as a person types it. */
function commandPaths(command: Command = buildProgram(), path: readonly string[] = []): string[] {
  return command.commands.flatMap((child) => {
    const childPath = [...path, child.name()];
    return [childPath.join(' '), ...commandPaths(child, childPath)];
  });
}

function commandsBelow(command: Command = buildProgram()): Command[] {
  return command.commands.flatMap((child) => [child, ...commandsBelow(child)]);
}

describe('help', () => {
  it.each(commandsBelow().map((command) => [command.name(), command.description()] as const))(
    'of %s breaks no line within a sentence, because a terminal does that',
    (_name, description) => {
      expect(description).not.toMatch(/[^.:\n]\n(?!\n)/);
    },
  );

  it('has every command', () => {
    const expected = Object.entries({
      app: '',
      backup: '',
      calls: 'export, forget, list, show',
      complete: '',
      completion: '',
      'confirm-move': '',
      credential:
        'add, address, history, list, pause, policy, reissue, remind, remove, replace, resume, revoke-all, rotate, second-token, set, show, sign-in, target, test',
      doctor: '',
      exec: '',
      extension: 'export, import, list, remove, set',
      get: '',
      history: '',
      host: 'add, list, remove',
      ivr: 'create, delete, draft, draft delete, draft list, draft publish, draft show, draft versions, export, import, list, ring, show, simulate, speak, validate',
      journal: 'copy',
      open: '',
      owner: 'add, list, revoke',
      pbx: 'add, change, list, remove, test',
      provider: 'add, list, remove, show, test',
      proxy: 'allow, list, revoke, token',
      recording: 'add, list, remove, rename, save, speak',
      restore: '',
      serve: '',
      service: 'install, status, uninstall',
      settings: 'list, set',
      'sms-template': 'export, import, list, remove, set',
      status: '',
      token: 'blacklist, dismiss-use, history, issue, list, resume, show, suspend',
      vault: 'move, passphrase',
      voice: 'list',
    }).flatMap(([name, below]) => [
      name,
      ...below
        .split(', ')
        .filter(Boolean)
        .map((one) => `${name} ${one}`),
    ]);
    expect(commandPaths().sort()).toEqual(expected.sort());
  });

  it.each(['', ...commandPaths()])('is there with an example: rotavox %s --help', async (path) => {
    const { code, stdout, stderr } = await rotavox([...path.split(' ').filter(Boolean), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: rotavox');
    expect(stdout).toContain('--data-dir');
    expect(stdout).toMatch(/Example:\n {2}\$ rotavox \w+/);
    if (path !== '') expect(stdout).toContain(`$ rotavox ${path}`);
  });

  it('is there as a command too, and the version with -V', async () => {
    expect(await rotavox(['help', 'token'])).toMatchObject({ code: 0, stderr: '' });
    expect(await rotavox(['--version'])).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    });
  });
});

describe('wrong usage', () => {
  it.each([
    ['no command', '', 'Usage:'],
    ['no subcommand', 'token', 'Usage:'],
    ['an unknown command', 'rotate', "unknown command 'rotate'"],
    ['an unknown subcommand', 'token rotate', "unknown command 'rotate'"],
    ['an option without its value', 'token issue --name', 'argument missing'],
    ['a validity of 0', 'token issue --name a --validity 0', 'a whole number of days from 1 to 90'],
    ['a validity of 91', 'token issue --name a --validity 91', 'a whole number of days from 1 to 90'],
    ['half a day', 'token issue --name a --validity 0.5', 'a whole number of days from 1 to 90'],
    ['a validity in words', 'token issue --name a --validity week', 'a whole number of days from 1 to 90'],
    ['an unknown scope', 'token issue --name a --validity 7 --scope all', 'ivr:read, ivr:write'],
    ['no address', 'token issue --name a --validity 7 --allow-ip home', 'CIDR'],
    ['no instant', 'token issue --name a --validity 7 --expires-at tomorrow', '2026-12-31T23:59:59Z'],
    ['an unknown status', 'token list --status Gone', 'one or more of Active'],
    ['a limit of 0', 'history --limit 0', 'from 1 to'],
    ['an unknown kind', 'history --kind token.lost', 'must be kinds of event'],
    ['an unknown result', 'history --result fine', 'must be one of ok, failed, attention'],
    ['checking and searching', 'history --verify --text a', 'cannot be used with'],
    ['a token as subject', 'history --subject tok_a_1', 'rotavox token history'],
    ['checking and following', 'history --verify --follow', 'cannot be used with'],
    ['the past and following', 'history --before 3 --follow', 'cannot be used with'],
    ['an unknown setting', 'settings set colour red', 'sms_templates_enabled'],
    ['a value that a setting cannot have', 'settings set sms_templates_enabled maybe', 'true or false'],
    ['hours that are none', 'settings set quiet_hours 25:00-07:00', 'a time of day'],
    ['hours without an end', 'settings set quiet_hours 22:00', 'a time of day'],
    ['hours in three parts', 'settings set quiet_hours 22:00-23:00-24:00', 'from and to'],
    ['a feed that is not safe', 'settings set update_feed http://downloads.example.com', 'https'],
    ['a theme that is none', 'settings set theme blue', 'system, light or dark'],
    ['a port that needs rights', 'settings set port 80', '1024 to 65535'],
    ['a share of all of it', 'settings set rotation_fraction 1', '0.1 to 0.9'],
    ['a share that is none', 'settings set rotation_fraction 1/0', '0.1 to 0.9'],
    ['a folder instead of a file', 'ivr validate /tmp', 'cannot be read (EISDIR)'],
  ])('ends with 2 and the reason: %s', async (_what, command, why) => {
    const result = await rotavox(command.split(' ').filter(Boolean), { dataDir: '/nowhere' });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(why);
  });

  it('is a file or a stdin that is not JSON', async () => {
    const file = await fileWith('{"name": ');
    for (const command of ['create', 'validate']) {
      const result = await rotavox(['ivr', command, file], { dataDir: '/nowhere' });
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toContain(`${file} is not JSON`);
      expect(await rotavox(['ivr', command, '-'], { dataDir: '/nowhere' })).toMatchObject({ code: 2 });
    }
    expect(await rotavox(['ivr', 'validate', '-'], { stdin: JSON.stringify(menu) })).toMatchObject({
      code: 0,
    });
  });
});
