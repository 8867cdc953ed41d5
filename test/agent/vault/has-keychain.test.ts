import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasKeychain } from '../../../src/agent/vault/has-keychain.ts';
import type { VaultProblem } from '../../../src/contract/credential/vault-problem.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { firstFiveMinutes, startAsNewUser } from '../../fixtures/new-user.ts';
import { startKeychainSession } from './keychain-session.ts';

/** A keychain that answers with a problem. */
function failing(problem: VaultProblem): { contact(): Promise<void> } {
  return { contact: () => Promise.reject(new VaultUnavailable(problem)) };
}

const noLibrary = failing({ code: 'keychain_library_missing' });

/** A session with a bus, and programs that answer for it. */
function session(programs: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const folder = makeFolder();
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', PATH: folder };
}

const listsSecrets = 'echo \'as 2 "org.freedesktop.DBus" "org.freedesktop.secrets"\'';
const listsNone = 'echo \'as 1 "org.freedesktop.DBus"\'';
const listsActivatable = 'case "$*" in *ListActivatableNames*) echo org.freedesktop.secrets;; esac';

describe('whether there is a keychain', () => {
  it.each<[boolean, VaultProblem]>([
    [false, { code: 'no_session_bus' }],
    [false, { code: 'no_secret_service' }],
    [true, { code: 'keychain_locked', platform: 'linux' }],
    [true, { code: 'keychain_not_answering' }],
    [true, { code: 'keychain_restarted' }],
    [true, { code: 'no_default_keyring' }],
    [true, { code: 'keychain_failed', said: 'x' }],
  ])('is %j when it says %j', async (expected, problem) => {
    expect(await hasKeychain({ platform: 'linux', environment: {}, keychain: failing(problem) })).toBe(
      expected,
    );
  });

  it.each(['darwin', 'win32'] as const)('is not asked on %s, which always has one', async (platform) => {
    const keychain = failing({ code: 'no_default_keychain' });
    expect(await hasKeychain({ platform, keychain })).toBe(true);
  });

  it.each<[string, boolean, Readonly<Record<string, string>> | null]>([
    ['there is no bus', false, null],
    ['a program offers it', true, { busctl: listsSecrets }],
    ['a program that offers it can be started', true, { busctl: listsActivatable }],
    ['none offers it', false, { busctl: listsNone }],
    ['the bus does not answer', false, { busctl: 'exit 1' }],
    ['gdbus says so', true, { gdbus: listsSecrets }],
    ['dbus-send says so', true, { 'dbus-send': listsSecrets }],
    ['dbus-send finds none', false, { 'dbus-send': listsNone }],
    ['no program can ask', true, {}],
  ])('is found out from the bus where the library is missing: %s', async (_what, expected, programs) => {
    const environment = programs === null ? {} : session(programs);
    expect(await hasKeychain({ platform: 'linux', environment, keychain: noLibrary })).toBe(expected);
  });
});

const command = 'alias rotavox=$PWD/out/rotavox\n';

describe.runIf(process.platform === 'linux')('a new user on a machine with a keychain', () => {
  it(
    'types the first five minutes of the README, word for word, and has the tokens in the keychain',
    { tags: ['long'] },
    async () => {
      const session = await startKeychainSession();
      await session.startDaemon();
      const user = await startAsNewUser(session.env);
      const typed = await user.type(firstFiveMinutes());
      expect(typed).toMatchObject({ code: 0 });
      expect(typed.stdout).toContain('Token refreshed successfully.');
      const { stdout } = await user.type(`${command}rotavox get nightly\n`);
      expect(await session.lookUp('nightly')).toBe(stdout.trim());
      for (const name of ['vault.key', 'vault.json'])
        expect(existsSync(join(user.dataDir, name))).toBe(false);
      await user.stop();
      // Without its keychain the folder gets no other vault.
      const without = await startAsNewUser({}, user.home);
      const got = await without.type(`${command}rotavox get nightly\n`);
      expect(got).toMatchObject({ code: 1, stdout: '' });
      expect(got.stderr).toContain('no keychain');
      expect(existsSync(join(user.dataDir, 'vault.key'))).toBe(false);
    },
  );

  it('gets no other vault while the keychain is locked', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    await session.lock();
    const user = await startAsNewUser(session.env);
    const issued = await user.type(`${command}rotavox token issue --name a --validity 7 --keep-as a\n`);
    expect(issued).toMatchObject({ code: 1 });
    expect(issued.stderr).toContain('locked');
    expect(existsSync(join(user.dataDir, 'vault.key'))).toBe(false);
  });

  it('gets a file with a key file in a session whose bus has no keychain', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    const user = await startAsNewUser(session.env);
    expect(existsSync(join(user.dataDir, 'vault.key'))).toBe(true);
    await session.startDaemon();
    expect(await user.type(firstFiveMinutes())).toMatchObject({ code: 0 });
    await user.stop();
    const later = await startAsNewUser(session.env, user.home);
    expect((await later.type(`${command}rotavox get nightly\n`)).stdout).toMatch(/^rvx_/);
    expect(await session.lookUp('nightly')).toBeNull();
  });
});
