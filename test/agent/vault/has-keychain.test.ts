import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasKeychain } from '../../../src/agent/vault/has-keychain.ts';
import type { VaultProblem } from '../../../src/contract/credential/vault-problem.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';

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
