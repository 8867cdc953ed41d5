import { describe, expect, it } from 'vitest';
import { DeliveryTarget } from '../../../src/contract/credential.ts';
import {
  emptyTarget,
  readTarget,
  targetKinds,
} from '../../../src/renderer/credentials/targets/target-draft.ts';

const filled = {
  ...emptyTarget,
  service: 'app',
  account: 'me',
  path: ' /srv/app/.env ',
  variable: 'API_TOKEN',
  program: 'systemctl',
  args: '--user\nreload\nmy app\n',
  timeLimit: '60',
};

describe('the targets editor', () => {
  it('stands for a target of each kind, by the contract', () => {
    const targets = targetKinds.map((kind) => readTarget({ ...filled, kind }).target);
    expect(targets).toEqual([
      { kind: 'dotenv', path: '/srv/app/.env', variable: 'API_TOKEN' },
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

  it('says what is wrong at its field, in a sentence', () => {
    const { target, errors } = readTarget({ ...filled, kind: 'dotenv', path: 'app/.env', variable: '1ST' });
    expect(target).toBeNull();
    expect(errors.path).toBe('The path must be an absolute path of 4096 characters at most.');
    expect(errors.variable).toMatch(/^The variable must be a variable name/);
  });

  it('needs a program and a time limit of a command, and a variable only when that has the value', () => {
    const hook = { ...filled, kind: 'hook' as const, variable: '' };
    expect(readTarget(hook).errors).toEqual({});
    expect(Object.keys(readTarget({ ...hook, pass: 'env' }).errors)).toEqual(['variable']);
    expect(readTarget({ ...hook, program: ' ' }).errors).toEqual({
      program: 'The command must name a program.',
    });
    for (const timeLimit of ['', '0', '241', '1.5', 'ten'])
      expect(readTarget({ ...hook, timeLimit }).errors.timeLimit).toMatch(/from 1 to 240/);
  });

  it('looks at the fields of its own kind only', () => {
    expect(readTarget({ ...emptyTarget, kind: 'file', path: '/srv/token' }).errors).toEqual({});
  });
});
