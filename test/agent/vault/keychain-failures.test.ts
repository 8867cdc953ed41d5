import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { dismissPrompt, startKeychainSession } from './keychain-session.ts';
import { startVaultProcess } from './vault-process.ts';
import { waitFor } from '../../fixtures/wait-for.ts';
import { CallHangs } from '../../../src/agent/vault/call-queue.ts';
import { keychainNotLoaded, keychainTrouble } from '../../../src/agent/vault/keychain-trouble.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { isNetworkLogon } from '../../../src/system/windows-account.ts';
import { vaultProblemText } from '../../../src/text/credential/vault-text.ts';

/** Far longer than a call takes, and short enough to wait for one that hangs. */
const shortLimitMs = 1_000;

describe.runIf(process.platform === 'linux')('the keychain vault on Linux', () => {
  it('is absent without a session bus', { tags: ['long'] }, async () => {
    const vault = startVaultProcess({
      ...process.env,
      DBUS_SESSION_BUS_ADDRESS: undefined,
      XDG_RUNTIME_DIR: makeFolder(),
      DISPLAY: undefined,
    });
    const absent = { code: 'absent', message: expect.stringContaining('no_session_bus') as string };
    expect(await vault.contact()).toEqual(absent);
    expect(await vault.read('a')).toEqual(absent);
    expect(await vault.write('a', 'value')).toEqual(absent);
    expect(await vault.remove('a')).toEqual(absent);
  });

  it('is absent on a bus that is gone', async () => {
    const vault = startVaultProcess({
      ...process.env,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(makeFolder(), 'bus')}`,
    });
    expect(await vault.read('a')).toMatchObject({ code: 'absent' });
  });

  it('is absent on a bus without a keychain, and works once one is there', async () => {
    const session = await startKeychainSession();
    const vault = startVaultProcess(session.env);
    const absent = { code: 'absent', message: expect.stringContaining('no_secret_service') as string };
    expect(await vault.contact()).toEqual(absent);
    expect(await vault.write('a', 'value')).toEqual(absent);
    expect(await vault.read('a')).toEqual(absent);
    await session.startDaemon();
    expect(await vault.contact()).toEqual({ value: null });
    expect(await vault.write('a', 'value')).toEqual({ value: null });
    expect(await vault.read('a')).toEqual({ value: 'value' });
  });

  it('is absent where libsecret cannot be loaded', { tags: ['long'] }, async () => {
    const broken = makeFolder();
    writeFileSync(join(broken, 'libsecret-1.so.0'), '');
    const vault = startVaultProcess({ ...process.env, LD_LIBRARY_PATH: broken });
    const absent = { code: 'absent', message: expect.stringContaining('keychain_library_missing') as string };
    expect(await vault.read('a')).toEqual(absent);
    expect(await vault.read('a')).toEqual(absent);
  });

  it('never takes a locked keychain for an empty one', async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    const vault = startVaultProcess(session.env);
    await vault.write('a', 'value');
    expect(await vault.read('other')).toEqual({ value: null });
    await session.lock();

    const locked = { code: 'locked', message: expect.stringContaining('keychain_locked') as string };
    expect(await vault.read('a')).toEqual(locked);
    expect(await vault.read('other')).toEqual(locked);
    expect(await vault.write('a', 'other value')).toEqual(locked);
    expect(await vault.remove('a')).toEqual(locked);

    await session.unlock();
    expect(await vault.read('a')).toEqual({ value: 'value' });
    expect(await vault.read('other')).toEqual({ value: null });
  });

  it('never takes a keychain for an empty one that was locked before it was ever used', async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    await session.lock();
    const vault = startVaultProcess(session.env);
    expect(await vault.read('a')).toMatchObject({ code: 'locked' });
    expect(await vault.remove('a')).toMatchObject({ code: 'locked' });
  });

  it('is locked while a prompt is open, and works on when it was answered', { tags: ['long'] }, async () => {
    const session = await startKeychainSession({ prompter: 'silent' });
    await session.startDaemon();
    await startVaultProcess(session.env).write('a', 'value');
    await session.lock();

    const vault = startVaultProcess(session.env, shortLimitMs);
    const locked = { code: 'locked', message: expect.stringContaining('keychain_not_answering') as string };
    const answers = await Promise.all([vault.read('a'), vault.write('a', 'never'), vault.remove('a')]);
    expect(answers).toEqual([locked, locked, locked]);
    expect(await vault.read('a')).toEqual(locked);

    await session.unlock();
    expect(dismissPrompt(session)).toBe(true);
    await waitFor(async () => {
      expect(await vault.read('a')).toEqual({ value: 'value' });
    });
  });

  it('does not keep its program from ending while a prompt is open', { tags: ['long'] }, async () => {
    const session = await startKeychainSession({ prompter: 'silent' });
    await session.startDaemon();
    const vault = startVaultProcess(session.env, shortLimitMs + 500);
    await vault.write('a', 'value');
    await session.lock();
    expect(await vault.read('a')).toMatchObject({ code: 'locked' });
    expect(await vault.quit()).toEqual([null, 'SIGKILL']);
  });

  it('ends with its own exit code when nothing hangs', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    const vault = startVaultProcess(session.env);
    await vault.write('a', 'value');
    expect(await vault.quit()).toEqual([7, null]);
  });

  it('reports that the keychain ended, and loses nothing that was written', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    const daemon = await session.startDaemon();
    const vault = startVaultProcess(session.env);
    await vault.write('a', 'value');
    await daemon.kill();

    expect(await vault.read('a')).toMatchObject({ code: 'failed' });
    expect(await vault.write('a', 'other')).toMatchObject({ code: 'absent' });

    await session.startDaemon();
    const failed = { code: 'failed', message: expect.stringContaining('keychain_restarted') as string };
    expect(await vault.read('a')).toEqual(failed);
    expect(await vault.write('a', 'other')).toEqual(failed);
    expect(await startVaultProcess(session.env).read('a')).toEqual({ value: 'value' });
  });
});

const onABus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' };

// The Linux texts were observed (libsecret 0.20.5, gnome-keyring 42.1, dbus-daemon 1.14); those of dbus-broker, macOS and
// Windows are taken from their sources and system messages.
it.each([
  ['linux', 'Cannot create an item in a locked collection', 'locked', 'keychain_locked'],
  ['linux', 'The name :1.0 was not provided by any .service files', 'failed', 'keychain_restarted'],
  ['linux', 'The session wrapping the secret does not exist', 'failed', 'keychain_restarted'],
  [
    'linux',
    'The name org.freedesktop.secrets was not provided by any .service files',
    'absent',
    'no_secret_service',
  ],
  ['linux', 'The name is not activatable', 'absent', 'no_secret_service'],
  [
    'linux',
    'Object does not exist at path “/org/freedesktop/secrets/collection/login”',
    'absent',
    'no_default_keyring',
  ],
  ['linux', 'Cannot autolaunch D-Bus without X11 $DISPLAY', 'absent', 'no_session_bus'],
  ['linux', 'Could not connect: No such file or directory', 'absent', 'no_session_bus'],
  ['darwin', 'User interaction is not allowed.', 'locked', 'keychain_locked'],
  ['darwin', 'User canceled the operation.', 'locked', 'keychain_locked'],
  ['darwin', 'The user name or passphrase you entered is not correct.', 'locked', 'keychain_locked'],
  ['darwin', 'A default keychain could not be found.', 'absent', 'no_default_keychain'],
  [
    'win32',
    'A specified logon session does not exist. It may already have been terminated.',
    'absent',
    'no_signed_in_user',
  ],
  ['linux', 'Something new', 'failed', 'keychain_failed'],
  ['darwin', 'Something new', 'failed', 'keychain_failed'],
  ['win32', 'Something new', 'failed', 'keychain_failed'],
] as const)('on %s, “%s” is %s: %s', (platform, text, status, code) => {
  const cause = new Error(text);
  const trouble = keychainTrouble(cause, { platform, environment: onABus, isNetworkSession: () => false });
  expect(trouble).toBeInstanceOf(VaultUnavailable);
  const details = detailsOf(code, text, platform);
  expect(trouble).toMatchObject({ code: status, cause, problem: { code, ...details } });
});

function detailsOf(code: string, text: string, platform: NodeJS.Platform): object {
  if (code === 'keychain_failed') return { said: text };
  return code === 'keychain_locked' ? { platform } : {};
}

// danieljoos/wincred#7, PowerShell/Win32-OpenSSH#996, Azure/azure-devops-cli-extension#797.
it.each([
  ['over the network', '"NT-AUTORITÄT\\NETZWERK","Bekannte Gruppe","S-1-5-2","x"\r\n', 'no_signed_in_user'],
  ['on the desktop', '"NT-AUTORITÄT\\INTERAKTIV","Bekannte Gruppe","S-1-5-4","x"\r\n', 'keychain_failed'],
  ['of an account whose number begins so', '"PC\\Ada","Gruppe","S-1-5-21-5-2","x"\r\n', 'keychain_failed'],
])('on Windows in another language, a session %s is %s', (_how, groups, code) => {
  const trouble = keychainTrouble(new Error('Eine angegebene Anmeldesitzung ist nicht vorhanden.'), {
    platform: 'win32',
    environment: {},
    isNetworkSession: () => isNetworkLogon(() => groups),
  });
  expect(trouble.problem.code).toBe(code);
});

it('on Windows, a session whose kind cannot be found out is none over the network', () => {
  const isNetwork = isNetworkLogon(() => {
    throw new Error('There is no whoami');
  });
  expect(isNetwork).toBe(false);
  expect(vaultProblemText({ code: 'no_signed_in_user' })).toContain('encrypted-file vault');
});

it('finds out that there is no session bus, whatever the language of the system', () => {
  const trouble = keychainTrouble(new Error('Kein D-Bus'), { platform: 'linux', environment: {} });
  expect(trouble.code).toBe('absent');
  expect(trouble.problem).toEqual({ code: 'no_session_bus' });
});

it.each(['linux', 'darwin', 'win32'] as const)('on %s, no answer is a prompt that waits', (platform) => {
  const trouble = keychainTrouble(new CallHangs(15_000), { platform, environment: {} });
  expect(trouble.code).toBe('locked');
  expect(trouble.problem).toEqual({ code: 'keychain_not_answering' });
});

it('distinguishes a missing library from a damaged installation when keytar cannot be loaded', () => {
  const cause = new Error('Failed to load');
  expect(keychainNotLoaded(cause, 'linux')).toMatchObject({ code: 'absent', cause });
  expect(keychainNotLoaded(cause, 'linux').problem).toEqual({ code: 'keychain_library_missing' });
  expect(keychainNotLoaded(cause, 'win32')).toMatchObject({ code: 'failed', cause });
});
