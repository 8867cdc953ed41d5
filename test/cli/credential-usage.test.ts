import { describe, expect, it } from 'vitest';
import { rotavox } from './rotavox.ts';
import { StandInService } from './stand-in-service.ts';

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
