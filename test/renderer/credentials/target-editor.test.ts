import { describe, expect, it } from 'vitest';
import { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import {
  checkTarget,
  emptyTarget,
  readTarget,
  type TargetDraft,
  targetKinds,
} from '../../../src/renderer/credentials/targets/target-editor.tsx';

const filled = {
  ...emptyTarget,
  service: 'app',
  account: 'me',
  path: ' /srv/app/.env ',
  variable: 'API_TOKEN',
  key: 'a',
  format: 'ini' as const,
  program: 'systemctl',
  args: '--user\nreload\nmy app\n',
  timeLimit: '60',
};

async function errorsOf(draft: TargetDraft): Promise<Record<string, string | undefined>> {
  const { errors } = await checkTarget(draft, undefined, { fields: {}, shouldUseNativeValidation: false });
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, error.message]));
}

describe('the target form', () => {
  it('stands for a target of each kind, by the contract', () => {
    const targets = targetKinds.map((kind) => readTarget({ ...filled, kind }).data);
    expect(targets).toEqual([
      { kind: 'dotenv', path: '/srv/app/.env', variable: 'API_TOKEN' },
      { kind: 'setting', path: '/srv/app/.env', key: 'a', format: 'ini' },
      { kind: 'file', path: '/srv/app/.env' },
      { kind: 'keychain', service: 'app', account: 'me' },
      {
        kind: 'hook',
        command: ['systemctl', '--user', 'reload', 'my app'],
        pass: 'stdin',
        variable: 'ROTAVOX_TOKEN',
        time_limit_seconds: 60,
      },
    ]);
    for (const target of targets) expect(DeliveryTarget.parse(target)).toEqual(target);
  });

  it('says how a file is written only where that differs from what is usual', () => {
    const options = { way: 'in_place', noNewline: true, mode: ' 0640 ', owner: 'app', group: ' ' } as const;
    const draft = { ...filled, ...options };
    const written = { in_place: true, mode: '0640', owner: 'app' };
    expect(readTarget({ ...draft, kind: 'file' }).data).toEqual({
      kind: 'file',
      path: '/srv/app/.env',
      newline: false,
      ...written,
    });
    expect(readTarget({ ...draft, kind: 'dotenv' }).data).toEqual({
      kind: 'dotenv',
      path: '/srv/app/.env',
      variable: 'API_TOKEN',
      ...written,
    });
    expect(readTarget({ ...draft, kind: 'keychain' }).data).toEqual({
      kind: 'keychain',
      service: 'app',
      account: 'me',
    });
  });

  it('says of a value only what differs from what is usual', () => {
    const draft = {
      ...filled,
      kind: 'setting',
      path: ' /srv/a.json ',
      key: ' a.b ',
      format: 'name',
    } as const;
    expect(readTarget(draft).data).toEqual({ kind: 'setting', path: '/srv/a.json', key: 'a.b' });
    const more = { format: 'yaml', template: 'me:{token}', base64: true, create: true } as const;
    expect(readTarget({ ...draft, ...more }).data).toEqual({
      kind: 'setting',
      path: '/srv/a.json',
      key: 'a.b',
      format: 'yaml',
      template: 'me:{token}',
      encoding: 'base64',
      create: true,
    });
  });

  it('says what is wrong with a key, and with a file whose name does not say its format', async () => {
    const draft = { ...filled, kind: 'setting', path: '/srv/a.json', key: 'a..b', format: 'name' } as const;
    expect((await errorsOf(draft))['key']).toMatch(/^must be the key of one value/);
    expect((await errorsOf({ ...draft, path: '/srv/a', key: 'a' }))['format']).toMatch(/^must be json, yaml/);
  });

  it('says what is wrong with the mode and the accounts of a new file', async () => {
    const errors = await errorsOf({ ...filled, kind: 'file', mode: '888', owner: 'a b', group: '-' });
    expect(errors).toEqual({
      mode: expect.stringContaining('such as 0640') as string,
      owner: expect.stringContaining('an account of this machine') as string,
      group: expect.stringContaining('an account of this machine') as string,
    });
  });

  it('says what is wrong at its field', async () => {
    const errors = await errorsOf({ ...filled, kind: 'dotenv', path: 'app/.env', variable: '1ST' });
    expect(errors['path']).toBe('must be an absolute path of 4096 characters at most');
    expect(errors['variable']).toMatch(/^must be a variable name/);
  });

  it('needs a program and a time limit of a command, and a variable only when that has the token', async () => {
    const hook = { ...filled, kind: 'hook' as const, variable: '' };
    expect(await errorsOf(hook)).toEqual({});
    expect(Object.keys(await errorsOf({ ...hook, pass: 'env' }))).toEqual(['variable']);
    expect(await errorsOf({ ...hook, program: ' ' })).toEqual({ program: 'must name a program' });
    for (const timeLimit of ['', '0', '241', '1.5', 'ten'])
      expect((await errorsOf({ ...hook, timeLimit }))['timeLimit']).toMatch(/from 1 to 240/);
  });

  it('looks at the fields of its own kind only', async () => {
    expect(await errorsOf({ ...emptyTarget, kind: 'file', path: '/srv/token' })).toEqual({});
  });
});
