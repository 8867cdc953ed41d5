import { expect, it } from 'vitest';
import { CallHangs } from '../../../src/agent/vault/call-queue.ts';
import { keychainNotLoaded, keychainTrouble } from '../../../src/agent/vault/keychain-trouble.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';

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
  const trouble = keychainTrouble(cause, platform, onABus);
  expect(trouble).toBeInstanceOf(VaultUnavailable);
  const said = code === 'keychain_failed' ? { said: text } : code === 'keychain_locked' ? { platform } : {};
  expect(trouble).toMatchObject({ code: status, cause, problem: { code, ...said } });
});

it('finds out that there is no session bus, whatever the language of the system', () => {
  const trouble = keychainTrouble(new Error('Kein D-Bus'), 'linux', {});
  expect(trouble.code).toBe('absent');
  expect(trouble.problem).toEqual({ code: 'no_session_bus' });
});

it.each(['linux', 'darwin', 'win32'] as const)('on %s, no answer is a prompt that waits', (platform) => {
  const trouble = keychainTrouble(new CallHangs(15_000), platform, {});
  expect(trouble.code).toBe('locked');
  expect(trouble.problem).toEqual({ code: 'keychain_not_answering' });
});

it('distinguishes a missing library from a damaged installation when keytar cannot be loaded', () => {
  const cause = new Error('Failed to load');
  expect(keychainNotLoaded(cause, 'linux')).toMatchObject({ code: 'absent', cause });
  expect(keychainNotLoaded(cause, 'linux').problem).toEqual({ code: 'keychain_library_missing' });
  expect(keychainNotLoaded(cause, 'win32')).toMatchObject({ code: 'failed', cause });
});
