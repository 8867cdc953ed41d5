import { expect, it } from 'vitest';
import { CallHangs } from '../../../src/agent/vault/call-queue.ts';
import { keychainNotLoaded, keychainTrouble } from '../../../src/agent/vault/keychain-trouble.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';

const onABus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' };

// The Linux texts were seen (libsecret 0.20.5, gnome-keyring 42.1, dbus-daemon 1.14); those of dbus-broker, macOS and
// Windows are taken from their sources and system messages.
it.each([
  ['linux', 'Cannot create an item in a locked collection', 'locked', 'Unlock it'],
  ['linux', 'The name :1.0 was not provided by any .service files', 'failed', 'start Rotavox again'],
  ['linux', 'The session wrapping the secret does not exist', 'failed', 'start Rotavox again'],
  [
    'linux',
    'The name org.freedesktop.secrets was not provided by any .service files',
    'absent',
    'gnome-keyring',
  ],
  ['linux', 'The name is not activatable', 'absent', 'gnome-keyring'],
  [
    'linux',
    'Object does not exist at path “/org/freedesktop/secrets/collection/login”',
    'absent',
    'Create one',
  ],
  ['linux', 'Cannot autolaunch D-Bus without X11 $DISPLAY', 'absent', 'desktop session'],
  ['linux', 'Could not connect: No such file or directory', 'absent', 'desktop session'],
  ['darwin', 'User interaction is not allowed.', 'locked', 'Keychain Access'],
  ['darwin', 'User canceled the operation.', 'locked', 'Keychain Access'],
  ['darwin', 'The user name or passphrase you entered is not correct.', 'locked', 'Keychain Access'],
  ['darwin', 'A default keychain could not be found.', 'absent', 'Keychain Access'],
  [
    'win32',
    'A specified logon session does not exist. It may already have been terminated.',
    'absent',
    'Credential Manager',
  ],
  ['linux', 'Something new', 'failed', 'said: Something new'],
  ['darwin', 'Something new', 'failed', 'said: Something new'],
  ['win32', 'Something new', 'failed', 'said: Something new'],
] as const)('on %s, “%s” is %s', (platform, text, code, words) => {
  const cause = new Error(text);
  const trouble = keychainTrouble(cause, platform, onABus);
  expect(trouble).toBeInstanceOf(VaultUnavailable);
  expect(trouble).toMatchObject({ code, cause });
  expect(trouble.message).toContain(words);
});

it('knows by itself that there is no session bus, in whatever language the system says it', () => {
  const trouble = keychainTrouble(new Error('Kein D-Bus'), 'linux', {});
  expect(trouble.code).toBe('absent');
  expect(trouble.message).toContain('desktop session');
});

it.each(['linux', 'darwin', 'win32'] as const)('on %s, no answer is a prompt that waits', (platform) => {
  const trouble = keychainTrouble(new CallHangs(15_000), platform, {});
  expect(trouble.code).toBe('locked');
  expect(trouble.message).toContain('prompt');
});

it('says what to install where keytar cannot be loaded', () => {
  const cause = new Error('Failed to load');
  expect(keychainNotLoaded(cause, 'linux')).toMatchObject({ code: 'absent', cause });
  expect(keychainNotLoaded(cause, 'linux').message).toContain('libsecret-1-0');
  expect(keychainNotLoaded(cause, 'win32')).toMatchObject({ code: 'failed', cause });
});
