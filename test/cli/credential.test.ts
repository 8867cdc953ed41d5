import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CredentialList, CredentialView } from '../../src/contract/credential/credential-view.ts';
import { HistoryPage } from '../../src/contract/service/portal.ts';
import { exitCodeOf, rotavox, spawnRotavox } from './rotavox.ts';
import { fileVault, type ServiceHere, serviceOfFile } from './service-here.ts';

let service: ServiceHere;
let folder: string;

serviceOfFile((here) => {
  service = here;
  folder = dirname(here.dataDir);
}, fileVault);

/** Issues a token of the running service and adds it as a credential. */
async function keep(name: string): Promise<void> {
  const { code, stdout, stderr } = await service.cli(
    ...['token', 'issue', '--name', name, '--validity', '7', '--keep-as', name],
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain(`rotavox get ${name}`);
}

async function valueOf(name: string): Promise<string> {
  const { code, stdout, stderr } = await service.cli('get', name);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trimEnd();
}

async function viewOf(...args: string[]): Promise<CredentialView> {
  return CredentialView.parse(await service.json('credential', ...args));
}

/** What the service itself reports about a token. */
async function statusOf(value: string): Promise<number> {
  const { status } = await fetch(`${service.baseUrl}/v1/auth/token`, {
    headers: { authorization: `Bearer ${value}` },
  });
  return status;
}

describe('a credential, from its token to its removal', () => {
  it('keeps a token that was issued, with a token that works', async () => {
    await keep('kept');
    const value = await valueOf('kept');
    expect(value).toMatch(/^rvx_\w+$/);
    expect(await statusOf(value)).toBe(200);
    const { credentials, vault } = CredentialList.parse(await service.json('credential', 'list'));
    expect(vault).toMatchObject({ kind: 'file', status: 'ok' });
    expect(credentials.find(({ name }) => name === 'kept')).toMatchObject({
      service: 'embedded',
      state: 'fine',
      generation: 1,
      validity_days: 7,
      next_rotation_at: expect.any(String) as string,
    });
    expect((await service.cli('credential', 'list')).stdout).toMatch(/^kept +OK +6 d 23 h +\d{4}-/m);
  });

  it('takes a token from stdin and learns from the service when it expires', async () => {
    const issued = (await service.json('token', 'issue', '--name', 'piped', '--validity', '15')) as {
      access_token: string;
      expires_at: string;
    };
    const added = await rotavox(['credential', 'add', 'piped', '--json'], {
      dataDir: service.dataDir,
      stdin: `${issued.access_token}\n`,
    });
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(CredentialView.parse(JSON.parse(added.stdout))).toMatchObject({
      expires_at: issued.expires_at,
      validity_days: 15,
    });
    expect(await valueOf('piped')).toBe(issued.access_token);
  });

  it('refuses a name that is taken, and prints the token that was issued for it', async () => {
    await keep('taken');
    const before = await valueOf('taken');
    const { code, stdout, stderr } = await service.cli(
      ...['token', 'issue', '--name', 'again', '--validity', '7', '--keep-as', 'taken'],
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^rvx_\w+\n$/);
    expect(stderr).toContain('It was not added as the credential taken:');
    expect(await statusOf(stdout.trimEnd())).toBe(200);
    expect(await valueOf('taken')).toBe(before);
  });

  it('rotates: another token, the previous one no longer works, both in its history', async () => {
    await keep('rotated');
    const before = await valueOf('rotated');
    const { code, stderr } = await service.cli('credential', 'rotate', 'rotated');
    expect(code).toBe(0);
    expect(stderr).toContain('rotated has a new token');
    const { events } = HistoryPage.parse(await service.json('credential', 'history', 'rotated'));
    expect(events.map(({ kind }) => kind)).toEqual([
      'credential.rotated',
      'credential.rotation_begun',
      'credential.used',
      'credential.added',
    ]);
    const words = await service.cli('credential', 'history', 'rotated', '--limit', '1');
    expect(words.stdout).toMatch(/Credential rotated +cred_\w+ · token \d+ {2}by the service\n$/);
    expect(words.stderr).toContain('rotavox credential history rotated --before');
    const after = await valueOf('rotated');
    expect(after).not.toBe(before);
    expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
  });

  it('delivers to a file, a dotenv file and a value of a settings file, the current token at once and each new one', async () => {
    await keep('delivered');
    const [file, dotenv] = [join(folder, 'token'), join(folder, '.env')];
    await writeFile(dotenv, 'OTHER=1\n');
    const added = await service.cli('credential', 'target', 'delivered', 'add', 'file', file);
    expect(added).toMatchObject({ code: 0, stdout: '' });
    expect(added.stderr).toMatch(/^Added tgt_\w+, .*token: Delivered /);
    await service.cli('credential', 'target', 'delivered', 'add', 'dotenv', dotenv, '--variable', 'PBX');
    const npmrc = join(folder, '.npmrc');
    await writeFile(npmrc, '; ours\n//r/:_authToken=old\nfund=false\n');
    const setting = [
      'credential',
      'target',
      'delivered',
      'add',
      'setting',
      npmrc,
      '--key',
      '//r/:_authToken',
    ];
    const shown = await service.cli(...setting, '--dry-run');
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(/^- line 2: \/\/r\/:_authToken=•+$/m);
    expect((await service.cli(...setting)).code).toBe(0);
    const first = await valueOf('delivered');
    expect(await readFile(npmrc, 'utf8')).toBe(`; ours\n//r/:_authToken=${first}\nfund=false\n`);
    expect(await readFile(file, 'utf8')).toBe(`${first}\n`);
    expect(await readFile(dotenv, 'utf8')).toBe(`OTHER=1\nPBX=${first}\n`);
    await service.cli('credential', 'rotate', 'delivered');
    const [newFile, newDotenv] = [await readFile(file, 'utf8'), await readFile(dotenv, 'utf8')];
    const second = await valueOf('delivered');
    expect(second).not.toBe(first);
    expect(await readFile(npmrc, 'utf8')).toBe(`; ours\n//r/:_authToken=${second}\nfund=false\n`);
    expect(newFile).toBe(`${second}\n`);
    expect(newDotenv).toBe(`OTHER=1\nPBX=${second}\n`);
    const { targets } = (await service.json('credential', 'target', 'delivered', 'list')) as CredentialView;
    const [{ id }] = targets as [CredentialView['targets'][number]];
    expect((await service.cli('credential', 'target', 'delivered', 'deliver', id)).code).toBe(0);
    expect((await viewOf('target', 'delivered', 'remove', id)).targets).toHaveLength(2);
  });

  it('ends a rotation when a slow command has the new token, and with 1 when a target does not get it', async () => {
    await keep('awaited');
    const [got, broken] = [join(folder, 'awaited'), join(folder, 'awaited.env')];
    const command = `sleep 1; cat > '${got}'`;
    const addHook = ['credential', 'target', 'awaited', 'add', 'hook', '--', 'sh', '-c', command];
    expect((await service.cli(...addHook)).code).toBe(0);
    expect((await service.cli('credential', 'rotate', 'awaited')).code).toBe(0);
    expect((await readFile(got, 'utf8')).trimEnd()).toBe(await valueOf('awaited'));

    expect((await service.cli('credential', 'target', 'awaited', 'add', 'dotenv', broken)).code).toBe(0);
    await rm(broken);
    await mkdir(broken);
    const failed = await service.cli('credential', 'rotate', 'awaited');
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('awaited has a new token');
    expect(failed.stderr).toMatch(/awaited\.env .*: Delivery failed: /);
    expect(failed.stderr).toMatch(/sleep 1; .*: Not delivered yet: it runs when/);
  });

  it('reports that a delivery does not work, and ends with 1 when it was requested', async () => {
    await keep('undeliverable');
    const path = join(folder, 'no', 'such', 'folder', 'token');
    const added = await service.cli('credential', 'target', 'undeliverable', 'add', 'file', path);
    expect(added).toMatchObject({ code: 1, stdout: '' });
    expect(added.stderr).toMatch(/Added (tgt_\w+), .*: Delivery failed: /);
    const [, id] = /(tgt_\w+)/.exec(added.stderr) ?? [];
    const delivered = await service.cli('credential', 'target', 'undeliverable', 'deliver', id!);
    expect(delivered).toMatchObject({ code: 1, stdout: '' });
    expect(delivered.stderr).toContain(path);
  });

  it('pauses and resumes, changes its policy, takes another token, is issued again', async () => {
    await keep('changed');
    const until = '2126-01-01T00:00:00.000Z';
    expect(await viewOf('pause', 'changed', '--until', until)).toMatchObject({
      state: 'paused',
      paused: { until },
    });
    expect(await viewOf('resume', 'changed')).toMatchObject({ state: 'fine', paused: null });
    const policy = { fraction: 0.5, preferred_hours: { from: '02:00', to: '05:00' } };
    expect(
      await viewOf('policy', 'changed', '--fraction', '0.5', '--preferred-hours', '02:00-05:00'),
    ).toMatchObject({
      policy,
    });
    expect(await viewOf('policy', 'changed', '--preferred-hours', 'any')).toMatchObject({
      policy: { fraction: 0.5, preferred_hours: null },
    });
    const { stdout: other } = await service.cli('token', 'issue', '--name', 'other', '--validity', '1');
    const replaced = await rotavox(['credential', 'replace', 'changed'], {
      dataDir: service.dataDir,
      stdin: other,
    });
    expect(replaced).toMatchObject({ code: 0, stdout: '' });
    expect(`${await valueOf('changed')}\n`).toBe(other);
    expect(await viewOf('reissue', 'changed')).toMatchObject({ generation: 3, validity_days: 1 });
    expect(`${await valueOf('changed')}\n`).not.toBe(other);
  });

  it('is gone after its removal, and its token still works', async () => {
    await keep('removed');
    const value = await valueOf('removed');
    expect(await service.json('credential', 'remove', 'removed')).toEqual({ success: true });
    expect(await service.cli('get', 'removed')).toMatchObject({ code: 1, stdout: '' });
    expect((await service.cli('credential', 'list')).stdout).not.toMatch(/^removed /m);
    expect(await statusOf(value)).toBe(200);
  });
});

describe('a command that runs with a credential', () => {
  it('has the token, and its output does not', async () => {
    await keep('run');
    const file = join(folder, 'ran');
    const script = `printf %s "$ROTAVOX_TOKEN" > '${file}'; echo "it is $ROTAVOX_TOKEN"; exit 9`;
    const { code, stdout } = await rotavox(['exec', 'run', '--', 'sh', '-c', script], service);
    expect({ code, stdout }).toEqual({ code: 9, stdout: 'it is ••••\n' });
    expect(await readFile(file, 'utf8')).toBe(await valueOf('run'));
  });

  it('is restarted with the new token when the credential is rotated', async () => {
    await keep('restarted');
    const file = join(folder, 'values');
    const script = `echo "$ROTAVOX_TOKEN" >> '${file}'; echo started; exec sleep 1000`;
    const args = ['exec', 'restarted', '--restart-on-rotate', '--', 'sh', '-c', script];
    const child = spawnRotavox(args, { dataDir: service.dataDir });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await exitCodeOf(child);
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    const first = await valueOf('restarted');
    await service.cli('credential', 'rotate', 'restarted');
    await lines.next();
    const second = await valueOf('restarted');
    expect(await readFile(file, 'utf8')).toBe(`${first}\n${second}\n`);
    child.kill('SIGTERM');
    expect(await exitCodeOf(child)).toBeNull();
    expect(child.signalCode).toBe('SIGTERM');
  });
});

it('shows a token only to get, exec, a target and the person who issues it', async () => {
  await keep('silent');
  const value = await valueOf('silent');
  for (const command of [
    'list',
    'show silent',
    'test silent',
    'target silent add file /tmp/rotavox-dry-run --dry-run',
    'rotate silent',
    'history silent',
    'policy silent',
    'reissue silent',
  ]) {
    for (const words of [command.split(' '), [...command.split(' '), '--json']]) {
      const { code, stdout, stderr } = await service.cli('credential', ...words);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(/rvx_/);
    }
  }
  expect(value).toMatch(/^rvx_/);
});
