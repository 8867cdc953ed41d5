import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { buildProgram } from '../../src/cli/run-cli.ts';
import { fileWith, menu } from './menu.ts';
import { rotavox } from './rotavox.ts';
import { StandInService } from './stand-in-service.ts';

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
      connect:
        'bazel, cargo, check, claude, codex, docker, git, go, headers, kubectl, list, npm, pip, pnpm, repair, terraform',
      credential:
        'add, address, find, history, import, list, pause, policy, reissue, remind, remove, replace, resume, revoke-all, rotate, second-token, set, show, sign-in, target, test',
      disconnect: '',
      doctor: '',
      exec: '',
      extension: 'export, import, list, remove, set',
      get: '',
      helper: '',
      history: '',
      host: 'add, list, remove',
      hours: 'add, change, delete, holidays, import, list, set, show',
      ivr: 'create, delete, draft, draft delete, draft list, draft publish, draft show, draft versions, export, import, list, ring, show, simulate, speak, speak-all, validate',
      journal: 'copy',
      open: '',
      owner: 'add, list, revoke',
      pbx: 'add, change, list, remove, test',
      provider: 'add, list, remove, show, test',
      proxy: 'allow, list, revoke, token',
      recording:
        'add, list, pronounce, pronunciation, pronunciation list, pronunciation remove, remove, rename, save, speak',
      restore: '',
      serve: '',
      service: 'install, status, uninstall',
      settings: 'list, set',
      'sms-template': 'export, import, list, remove, set',
      status: '',
      token: 'blacklist, dismiss-use, history, issue, list, resume, show, suspend',
      vault: 'move, passphrase',
      voice: 'add, list, remove, test',
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

  it('has no --host where that is refused', async () => {
    for (const path of ['connect', 'connect git', 'connect list', 'disconnect'])
      expect((await rotavox([...path.split(' '), '--help'])).stdout).not.toContain('--host');
    expect((await rotavox(['token', 'list', '--help'])).stdout).toContain('--host');
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

describe('wrong usage of a credential command', () => {
  it.each([
    ['a name that cannot be one', 'credential add -- .hidden', 'letters, digits, dots'],
    ['a plain address of another machine', 'credential add a --base-url http://api.example.com', 'https'],
    ['a validity of 0', 'credential add a --validity 0', 'a whole number of days from 1 to 3650'],
    ['no instant', 'credential add a --expires-at soon', '2026-12-31T23:59:59Z'],
    ['a fraction of all', 'credential policy a --fraction 1', 'from 0.1 to 0.9'],
    ['a fraction in words', 'credential policy a --fraction half', 'from 0.1 to 0.9'],
    ['a validity of no days', 'credential policy a --validity 0d', 'a whole number of days from 1 to 3650'],
    ['a validity in words', 'credential policy a --validity long', 'a whole number of days from 1 to 3650'],
    ['hours without an end', 'credential policy a --preferred-hours 02:00', 'such as 22:00-04:00'],
    ['hours that are none', 'credential policy a --preferred-hours 2-5', 'such as 22:00-04:00'],
    [
      'a pause with two ends',
      'credential pause a --for 1h --until 2030-01-01T00:00:00Z',
      'cannot be used with',
    ],
    ['a pause without a unit', 'credential pause a --for 2', '30m, 2h or 1d'],
    ['an action that is none', 'credential target a give file x', 'Use add, list, deliver, remove'],
    ['a target that is none', 'credential target a add', 'keychain --service S --account A'],
    ['a kind that is none', 'credential target a add ftp x', 'There is no target of the kind "ftp"'],
    ['a keychain entry without an account', 'credential target a add keychain --service s', '--account A'],
    ['a file without a path', 'credential target a add file', 'Use: file PATH'],
    ['a file with two paths', 'credential target a add file x y', 'Use: file PATH'],
    [
      'a variable for a file',
      'credential target a add file x --variable V',
      '--variable is not an option of file',
    ],
    ['a variable that is none', 'credential target a add dotenv x --variable 1a', 'must be a variable name'],
    ['a hook without a command', 'credential target a add hook', 'COMMAND'],
    ['a hook without a program', 'credential target a add hook -- ', 'must name a program'],
    ['a time limit of an hour', 'credential target a add hook --time-limit 3600 -- x', 'from 1 to 240'],
    ['a mode that is none', 'credential target a add file x --mode 999', 'must be a mode in octal digits'],
    [
      'a mode for a command',
      'credential target a add hook --mode 600 -- x',
      '--mode is not an option of hook',
    ],
    ['no target to remove', 'credential target a remove', 'remove needs the id of one target'],
    ['options for a removal', 'credential target a remove tgt_1 --service s', 'are for add, not for remove'],
    [
      'a dry run of a removal',
      'credential target a remove tgt_1 --dry-run',
      '--dry-run is an option of add only',
    ],
    ['more than list', 'credential target a list tgt_1', 'list takes no arguments'],
    [
      'a target with its words the other way round',
      'credential target add a dotenv',
      'credential target a add …',
    ],
    [
      'a key that is none',
      'credential target a add setting x.json --key a..b',
      'key must be the key of one value',
    ],
    [
      'a file without a format',
      'credential target a add setting x --key a',
      'format must be json, yaml, toml, or ini',
    ],
    [
      'two texts of a value',
      'credential target a add setting x.json --key a --template {token} --base64 {token}',
      'Use: setting PATH --key KEY',
    ],
    ['nothing to do with a target', 'credential target a ad dotenv', 'Use add, list, deliver, remove.'],
    ['exec without a command', 'exec a', 'here is “a”'],
    ['exec without a name', 'exec --env A -- true', 'here is “true”'],
    [
      'a service that only a person creates tokens at, without its name',
      'credential add a --provider assisted',
      '--input service=… is required',
    ],
    ['an end in another form', 'credential add a --expires-at 31.12.2027', 'a date such as 2027-01-31'],
    ['exec into a variable that is none', 'exec a --env 1A -- x', 'must be a variable name'],
    ['exec into two variables', 'exec a --env A --env B -- x', 'exec NAME takes one --env'],
    ['exec with credentials for some variables', 'exec --env A=a --env B -- x', 'Write every --env as'],
    ['exec with a variable twice', 'exec --env A=a --env A=b -- x', '--env names the variable A twice'],
    ['exec with a credential that has no name', 'exec --env A= -- x', "argument 'A=' is invalid"],
    ['exec into LD_PRELOAD', 'exec --env A=a --env LD_PRELOAD=b -- x', 'makes programs load code'],
    ['exec into NODE_OPTIONS', 'exec --env A=a --env NODE_OPTIONS=b -- x', 'makes programs load code'],
    ['exec into BASH_ENV', 'exec --env A=a --env BASH_ENV=b -- x', 'makes programs load code'],
    ['exec into PGSERVICEFILE', 'exec --env A=a --env PGSERVICEFILE=b -- x', 'makes programs load code'],
    ['an issue without a name', 'token issue --validity 7', '--name <name>'],
    ['an issue without a validity', 'token issue --name a', '--validity <days>'],
    [
      'a credential name for an issue that cannot be one',
      'token issue --name a --validity 7 --keep-as .',
      'letters',
    ],
  ])('ends with 2 and says why: %s', async (_what, command, why) => {
    const result = await rotavox(command.split(' '), { dataDir: '/nowhere' });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(why);
  });

  it.each([
    ['nothing', '', 'No token was entered for pbx'],
    ['a line break', '\n', 'No token was entered for pbx'],
    ['two words', 'Bearer two words', 'without a word such as Bearer before it'],
    ['a line with its name', 'PBX_TOKEN=two_words', '--take-token'],
    ['two lines', 'two words\nx', 'on one line'],
    ['a whole file', 'x'.repeat(270_000), 'More than 256 KB'],
    ['more than a token may have', 'x'.repeat(65_537), 'must be a token'],
    ['in an encoding that is not UTF-8', Buffer.from('two_w\xf6rds', 'latin1'), 'is not UTF-8'],
    ['with a letter that was lost before', 'two_w\ufffdrds', 'was lost before it came here'],
  ])('is %s as a token', async (_what, stdin, why) => {
    const service = await StandInService.start();
    for (const command of ['add', 'replace', 'second-token']) {
      const result = await rotavox(['credential', command, 'pbx'], { dataDir: service.dataDir, stdin });
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toContain(why);
      expect(result.stderr).not.toMatch(/two.words/);
    }
    expect(service.calls).toEqual([]);
  });

  it.each([
    ['a line', 'export PBX_TOKEN="rvx_new"\n'],
    ['UTF-16', Buffer.from('\ufeffrvx_new\r\n', 'utf16le').toString('latin1')],
    ['a header', 'Authorization: Bearer rvx_new'],
  ])('takes the token out of %s where it may', async (_what, text) => {
    const service = await StandInService.start();
    const stdin = Buffer.from(text, 'latin1');
    const without = await rotavox(['credential', 'replace', 'pbx'], { dataDir: service.dataDir, stdin });
    expect(without).toMatchObject({ code: 2 });
    expect(service.calls).toEqual([]);
    const args = ['credential', 'replace', 'pbx', '--take-token'];
    await rotavox(args, { dataDir: service.dataDir, stdin });
    expect(service.calls).toMatchObject([{ body: { value: 'rvx_new' } }]);
  });
});

describe('a token that is asked to be taken out', () => {
  it.each(['"pw10" extra', 'X=plain # comment', '{"a":"x7","b":"y7"}', 'PBX_TOKEN=two words'])(
    'stores nothing where it cannot be told: %s',
    async (stdin) => {
      const service = await StandInService.start();
      const args = ['credential', 'replace', 'pbx', '--take-token'];
      const result = await rotavox(args, { dataDir: service.dataDir, stdin });
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toMatch(/cannot be told|token alone/);
      expect(service.calls).toEqual([]);
    },
  );
});
