import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ConnectionTest, DeliveryPreview } from '../../src/contract/credential/credential-checks.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { rotavox, serviceForTest } from './rotavox.ts';
import { StandInService } from './stand-in-service.ts';

const works = {
  outcome: 'works',
  message: 'It works: https://api.example.com knows the token (Active), until 2026-11-28T12:00:00.000Z.',
  checked_at: '2026-11-21T12:00:00.000Z',
  token: { name: null, status: 'Active', expires_at: '2026-11-28T12:00:00.000Z', validity_days: 7 },
  took_ms: 12,
};
const preview = {
  possible: true,
  message: 'In /srv/.env, line 12 changes: T gets the new value.',
  place: '/srv/.env',
  exists: true,
  lines: [
    { number: 12, before: 'export T="••••••"', after: 'export T="••••••"' },
    { number: 13, before: null, after: 'T=••••••' },
  ],
};

let service: StandInService;
beforeEach(async () => {
  service = await StandInService.start();
});
const cli = (...words: string[]) => rotavox(['credential', ...words], { dataDir: service.dataDir });

describe('rotavox credential test', () => {
  it('ends with 0 when the token works, and with 1 for anything else, in the words of the service', async () => {
    const route = 'POST /portal/credentials/pbx/test';
    service.answers.set(route, [200, works]);
    expect(await cli('test', 'pbx')).toEqual({ code: 0, stdout: '', stderr: `${works.message}\n` });
    for (const outcome of ['refused', 'unreachable', 'unknown', 'busy']) {
      service.answers.set(route, [
        200,
        { ...works, outcome, token: null, message: `That is ${outcome}.\u001b[2J` },
      ]);
      const { code, stdout, stderr } = await cli('test', 'pbx');
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr: `That is ${outcome}.\\u001b[2J\n`,
      });
    }
    expect(service.calls[0]).toEqual({ call: route, body: undefined });
  });

  it('prints what it learnt as JSON, whatever it is', async () => {
    service.answers.set('POST /portal/credentials/pbx/test', [200, works]);
    const good = await cli('test', 'pbx', '--json');
    expect([good.code, JSON.parse(good.stdout), good.stderr]).toEqual([0, works, '']);
    const refused = { ...works, outcome: 'refused', token: null };
    service.answers.set('POST /portal/credentials/pbx/test', [200, refused]);
    const bad = await cli('test', 'pbx', '--json');
    expect([bad.code, JSON.parse(bad.stdout)]).toEqual([1, refused]);
  });
});

describe('rotavox credential address', () => {
  const route = 'POST /portal/credentials/pbx/address';
  const changed = { test: works, is_saved: true };

  it('prints the address, and as JSON the credential', async () => {
    expect(await cli('address', 'pbx')).toEqual({ code: 0, stdout: 'https://api.example.com\n', stderr: '' });
    expect(JSON.parse((await cli('address', 'pbx', '--json')).stdout)).toMatchObject({ name: 'pbx' });
  });

  it('changes it within the same server without a question', async () => {
    service.answers.set(route, [200, changed]);
    expect(await cli('address', 'pbx', 'https://api.example.com/v2/')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'The service of pbx is now https://api.example.com/v2.\n',
    });
    const body = { base_url: 'https://api.example.com/v2' };
    expect(service.calls.at(-1)).toEqual({ call: route, body });
  });

  it('sends the token to another server only when that one is named', async () => {
    service.answers.set(route, [200, changed]);
    const other = 'https://api.example.org/pbx';
    for (const named of [[], ['--send-token-to', 'https://api.example.com']]) {
      const { code, stdout, stderr } = await cli('address', 'pbx', other, ...named);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('Nothing was sent.');
      expect(stderr).toContain(`credential address pbx ${other} --send-token-to https://api.example.org\n`);
    }
    expect(service.calls.map(({ call }) => call)).not.toContain(route);
    await cli('address', 'pbx', other, '--send-token-to', 'https://api.example.org/');
    const body = { base_url: other, confirmed_origin: 'https://api.example.org' };
    expect(service.calls.at(-1)).toEqual({ call: route, body });
  });

  it('ends with 1 where the token does not work at the new address, and prints JSON in either case', async () => {
    const test = { ...works, outcome: 'refused', token: null, message: 'It refuses the token.' };
    service.answers.set(route, [200, { test, is_saved: false }]);
    const url = 'https://api.example.com/v2';
    expect(await cli('address', 'pbx', url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'It refuses the token. The address was not saved.\n',
    });
    const inJson = await cli('address', 'pbx', url, '--json');
    expect([inJson.code, JSON.parse(inJson.stdout)]).toMatchObject([1, { is_saved: false }]);
  });
});

describe('rotavox credential target NAME add … --dry-run', () => {
  const route = 'POST /portal/credentials/pbx/targets/preview';

  it('prints what would change, asks for the preview only, and says that nothing was changed', async () => {
    service.answers.set(route, [200, preview]);
    const { code, stdout, stderr } = await cli(
      'target',
      'pbx',
      'add',
      'dotenv',
      '/srv/.env',
      '--variable',
      'T',
      '--dry-run',
    );
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      '/srv/.env',
      '- line 12: export T="••••••"',
      '+ line 12: export T="••••••"',
      '+ line 13: T=••••••',
      '',
    ]);
    expect(stderr).toBe(`${preview.message} Nothing was changed.\n`);
    expect(service.calls).toEqual([
      { call: route, body: { kind: 'dotenv', path: '/srv/.env', variable: 'T' } },
    ]);
  });

  it('ends with 1 where the place cannot be, and prints JSON in either case', async () => {
    const impossible = { ...preview, possible: false, message: '/srv is a folder.', lines: [] };
    service.answers.set(route, [200, impossible]);
    const words = ['target', 'pbx', 'add', 'file', '/srv', '--dry-run'];
    expect(await cli(...words)).toEqual({ code: 1, stdout: '/srv/.env\n', stderr: '/srv is a folder.\n' });
    const inJson = await cli(...words, '--json');
    expect([inJson.code, JSON.parse(inJson.stdout)]).toEqual([1, impossible]);
  });

  it('takes a hook with all that follows it', async () => {
    service.answers.set(route, [200, { ...preview, lines: [] }]);
    await cli('target', 'pbx', 'add', 'hook', '--dry-run', '--pass', 'env', '--', 'set-token', '--dry-run');
    expect(service.calls[0]?.body).toMatchObject({
      kind: 'hook',
      command: ['set-token', '--dry-run'],
      pass: 'env',
    });
  });
});

it('both ask the real service, which changes nothing and returns no token', { tags: ['long'] }, async () => {
  const folder = makeFolder();
  const passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery staple\n', { mode: 0o600 });
  const real = await serviceForTest(['--vault', 'file', '--vault-passphrase-file', passphraseFile]);
  await real.cli('token', 'issue', '--name', 'app', '--validity', '7', '--keep-as', 'pbx');
  const value = (await real.cli('get', 'pbx')).stdout.trim();
  const tested = ConnectionTest.parse(await real.json('credential', 'test', 'pbx'));
  expect(tested).toMatchObject({ outcome: 'works', token: { name: 'app', status: 'Active' } });

  const path = join(folder, '.env');
  const text = 'SECRET=one\nexport PBX="old" # mine\n';
  writeFileSync(path, text, { mode: 0o600 });
  const add = ['credential', 'target', 'pbx', 'add', 'dotenv', path, '--variable', 'PBX'];
  const dry = DeliveryPreview.parse(await real.json(...add, '--dry-run'));
  expect(dry.lines).toEqual([
    { number: 2, before: 'export PBX="••••••" # …', after: 'export PBX="••••••" # …' },
  ]);
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect((await real.json('credential', 'target', 'pbx', 'list')) as object).toEqual({ targets: [] });
  await real.cli(...add);
  expect(readFileSync(path, 'utf8')).toBe(`SECRET=one\nexport PBX="${value}" # mine\n`);

  const witness = join(folder, 'it-ran');
  const hook = await real.cli(
    'credential',
    'target',
    'pbx',
    'add',
    'hook',
    '--dry-run',
    '--',
    'touch',
    witness,
  );
  expect(hook).toMatchObject({ code: 0, stderr: expect.stringContaining('it was not run now') as string });
  expect(existsSync(witness)).toBe(false);
  const missing = await real.cli(
    'credential',
    'target',
    'pbx',
    'add',
    'hook',
    '--dry-run',
    '--',
    'no-such-program',
  );
  expect(missing).toMatchObject({ code: 1, stdout: 'no-such-program\n' });
  for (const { stdout, stderr } of [hook, missing]) expect(stdout + stderr).not.toContain('rvx_');
  const status = (await real.json('status')) as { command_line: string };
  expect(status.command_line).toMatch(/^rotavox --data-dir '.*'$/);
});
