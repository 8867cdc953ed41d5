import { beforeEach, describe, expect, it } from 'vitest';
import { providerViews } from '../../src/text/credential/providers.ts';
import { rotavox } from './rotavox.ts';
import { StandInService } from './stand-in-service.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyProviderText } from '../fixtures/key-provider.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { serviceHere } from './service-here.ts';

let service: StandInService;

beforeEach(async () => {
  service = await StandInService.start();
  service.answers.set('GET /portal/providers', [200, { providers: providerViews() }]);
});

function cli(command: string, stdin = '') {
  return rotavox(command.split(' '), { dataDir: service.dataDir, stdin });
}

describe('provider', () => {
  it('lists what can be rotated', async () => {
    const { code, stdout } = await cli('provider list');
    expect(code).toBe(0);
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(['ID', 'NAME', 'ADDRESS', 'INPUTS']);
    expect(rows.slice(1, -1).map(([id]) => id)).toEqual(providerViews().map(({ id }) => id));
    const rowOf = (wanted: string) => rows.find(([id]) => id === wanted);
    expect(rowOf('rotavox')).toEqual([
      'rotavox',
      'A service with the Rotavox API',
      'this program, or --base-url',
      '-',
    ]);
    expect(rowOf('gitlab')).toEqual(['gitlab', 'GitLab', 'https://gitlab.com', 'kind, of, recovery']);
    expect(rowOf('oauth2-client')).toEqual([
      'oauth2-client',
      'OAuth client',
      'of the service, or --base-url',
      'service, client_id, issuer, scope, token_url, revocation_url',
    ]);
    const json = await cli('provider list --json');
    expect(JSON.parse(json.stdout)).toEqual({ providers: providerViews() });
  });

  it('shows the inputs, what a rotation does, and an example', async () => {
    const { code, stdout } = await cli('provider show gitlab');
    expect(code).toBe(0);
    expect(stdout).toContain('--input kind=… (personal, project, group, runner; default: personal)');
    expect(stdout).toContain('--input of=…, required, only for kind project, group: Project or group.');
    expect(stdout).toContain('GitLab tokens end at 00:00 UTC of a date.');
    expect(stdout).toContain('rotavox credential add my-gitlab --provider gitlab --input kind=project');
    const json = await cli('provider show gitlab --json');
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'gitlab', name: 'GitLab' });
  });

  it('names those that exist when another is asked for', async () => {
    expect(await cli('provider show gitea')).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no provider “gitea”. The providers are ${providerViews()
        .map(({ id }) => id)
        .join(', ')}.\n`,
    });
  });
});

describe('credential add --provider', () => {
  it.each([
    ['one line: the token alone', 'abc\n', { value: 'abc' }],
    [
      'two lines: the token and the password',
      'abc\nlong pass word\n',
      { value: 'abc', password: 'long pass word' },
    ],
  ])('reads %s', async (_what, stdin, sent) => {
    const added = await cli('credential add calls --provider smartflo --input email=ada@example.com', stdin);
    expect(added.code).toBe(0);
    expect(service.calls[0]?.body).toMatchObject({ name: 'calls', ...sent });
    expect(Object.keys(service.calls[0]?.body as object).includes('password')).toBe('password' in sent);
  });

  it('does not show a password that cannot be one', async () => {
    const refused = await cli(
      'credential add calls --provider smartflo --input email=ada@example.com',
      'abc\npass\tword\n',
    );
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('The password must be a text of 1 to 1000 characters');
    expect(refused.stderr).not.toContain('pass\t');
    expect(service.calls).toEqual([]);
  });

  it('sends the provider, its inputs and the address', async () => {
    const added = await cli(
      'credential add deploy --provider gitlab --input kind=project --input of=a/b=c --base-url https://git.example.com/gitlab/',
      'glpat-abc\n',
    );
    expect(added.code).toBe(0);
    expect(service.calls).toEqual([
      {
        call: 'POST /portal/credentials',
        body: {
          name: 'deploy',
          value: 'glpat-abc',
          provider: { id: 'gitlab', inputs: { kind: 'project', of: 'a/b=c' } },
          base_url: 'https://git.example.com/gitlab',
        },
      },
    ]);
  });

  it.each([
    ['--provider gitlab --input kind=deploy', '--input kind must be personal, project, group or runner.'],
    [
      '--provider gitlab --input kind=group',
      '--input of=… is required; it must be a text of 1 to 500 characters.',
    ],
    [
      '--provider gitlab --input project=7',
      '--input project is not an input of gitlab; allowed: kind, of, recovery.',
    ],
    ['--input kind=project', '--input kind is not an input of rotavox; it has none.'],
    ['--provider gitlab --input kind', 'It must be a name and a value, such as kind=project.'],
    ['--provider Gitea', 'It must be the id of a provider'],
  ])('refuses %s before it asks for the token', async (options, message) => {
    const { code, stderr } = await cli(`credential add deploy ${options}`, 'glpat-abc\n');
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(service.calls).toEqual([]);
  });
});

function fileWith(content: unknown): string {
  const path = join(makeFolder(), 'keys.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('rotavox provider', () => {
  it('tests the examples of a file, without a service', async () => {
    const tested = await rotavox(['provider', 'test', fileWith(keyProviderText)]);
    expect(tested.code).toBe(0);
    expect(tested.stdout).toBe('pass  A new key\npass  The key was deleted\npass  The reply is lost\n');
    expect(tested.stderr).toBe('All 3 examples pass.\n');
  });

  it('says which example fails, and why', async () => {
    const [first, ...rest] = keyProviderText.examples;
    const file = fileWith({
      ...keyProviderText,
      examples: [{ ...first, expect: { value: 'other' } }, ...rest],
    });
    const tested = await rotavox(['provider', 'test', file]);
    expect(tested.code).toBe(1);
    expect(tested.stdout).toContain('fail  A new key: value is new, not other.');
    expect(tested.stderr).toContain('1 of 3 examples fail.');
  });

  it('refuses a file without an example of a lost reply, or that is no JSON', async () => {
    const without = await rotavox([
      'provider',
      'test',
      fileWith({ ...keyProviderText, examples: keyProviderText.examples.slice(0, 2) }),
    ]);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('examples there is no example with the outcome unclear');
    const broken = await rotavox(['provider', 'test', fileWith('{')]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('is not JSON');
  });

  it('adds a file to the data folder and removes it', async () => {
    const dataDir = makeFolder();
    const stored = join(dataDir, 'providers', 'keys.json');
    expect((await rotavox(['provider', 'add', fileWith(keyProviderText)], { dataDir })).code).toBe(0);
    expect(existsSync(stored)).toBe(true);
    expect((await rotavox(['provider', 'remove', 'keys'], { dataDir })).code).toBe(0);
    expect(existsSync(stored)).toBe(false);
    const again = await rotavox(['provider', 'remove', 'keys'], { dataDir });
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('no provider file with the id “keys”');
  });

  it('that is added or removed takes effect in a program that runs', async () => {
    const service = await serviceHere();
    const run = (...args: string[]) => service.cli(...args);
    const added = await run('provider', 'add', fileWith(keyProviderText));
    expect(added.stderr).toContain('Rotavox uses it from now on.');
    expect((await run('provider', 'show', 'keys')).stdout).toContain('Keys');
    await run('provider', 'add', fileWith({ ...keyProviderText, title: 'Other keys' }));
    expect((await run('provider', 'show', 'keys')).stdout).toContain('Other keys');
    const removed = await run('provider', 'remove', 'keys');
    expect(removed.stderr).toContain(
      'Rotavox has stopped using it.\nIts credentials wait until it is added again.',
    );
    expect((await run('provider', 'show', 'keys')).code).toBe(1);
  });
});
