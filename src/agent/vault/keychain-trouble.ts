import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VaultUnavailable, type VaultTrouble } from '../../core/vault.ts';
import { CallHangs } from './call-queue.ts';

interface Recognised {
  readonly text: RegExp;
  readonly code: VaultTrouble;
  readonly sentence: string;
}

const orFile = 'or choose the encrypted-file vault';
const goesOn = 'Rotavox goes on by itself.';

const noBus =
  'There is no D-Bus session here, and so no keychain. Run Rotavox inside a desktop session, or under ' +
  `dbus-run-session with gnome-keyring, ${orFile}.`;

/**
 * What the native side says, and what it means.
 *
 * By text, because keytar passes on a message and nothing else: no code, no domain. These texts come untranslated from
 * the message bus (dbus-daemon, dbus-broker), gnome-keyring and libsecret. What is not recognised is `failed` and told
 * with its text, which is the worst that a translation or a change of words can do.
 */
const linuxTexts: readonly Recognised[] = [
  {
    text: /locked collection|\bis ?locked\b|prompt was dismissed/i,
    code: 'locked',
    sentence: `The keychain is locked. Unlock it, by signing in to the desktop or in its own program; ${goesOn}`,
  },
  {
    // The address of the one that was first spoken to: libsecret keeps it for as long as the process lives.
    text: /The name :\d+\.\d+ was not provided|session wrapping the secret does not exist|NameHasNoOwner/,
    code: 'failed',
    sentence:
      'The keychain was started anew while Rotavox ran. Rotavox tries again; if this stays, start Rotavox again too: ' +
      'it finishes what it began.',
  },
  {
    text: /was not provided by any \.service files|is not activatable/,
    code: 'absent',
    sentence:
      'No program offers a keychain (a Secret Service) in this session. Install and start one, such as ' +
      `gnome-keyring, KWallet or KeePassXC, ${orFile}.`,
  },
  {
    text: /does not exist at path .?\/org\/freedesktop\/secrets/,
    code: 'absent',
    sentence:
      'The keychain has no default keyring to put anything into. Create one in its own program (in GNOME, “Passwords ' +
      `and Keys”), ${orFile}.`,
  },
  {
    text: /Cannot autolaunch D-Bus|Could not connect:|unsupported transport/,
    code: 'absent',
    sentence: noBus,
  },
];

/** Security framework, in English; another language ends as `failed`, with the text. */
const macTexts: readonly Recognised[] = [
  {
    text: /User interaction is not allowed|User canceled|passphrase you entered is not correct/,
    code: 'locked',
    sentence: `The keychain is locked, or Rotavox was not allowed to use it. Unlock it in Keychain Access and allow Rotavox; ${goesOn}`,
  },
  {
    text: /default keychain could not be found|specified keychain could not be found/,
    code: 'absent',
    sentence: `There is no keychain here. Sign in to the desktop, or make a default keychain in Keychain Access, ${orFile}.`,
  },
];

/** Credential Manager, in English; another language ends as `failed`, with the text. */
const windowsTexts: readonly Recognised[] = [
  {
    text: /logon session does not exist/,
    code: 'absent',
    sentence: `Credential Manager belongs to a user who is signed in. Run Rotavox as one, ${orFile}.`,
  },
];

/** Keytar could not be loaded at all. Told with what is usually missing; keytar itself hides the system's reason. */
export function keychainNotLoaded(cause: unknown, platform: NodeJS.Platform): VaultUnavailable {
  return platform === 'linux'
    ? new VaultUnavailable(
        'absent',
        'The keychain cannot be used: a library for it is missing. Install libsecret-1-0 and a Secret Service such as ' +
          `gnome-keyring and start Rotavox again, ${orFile}.`,
        { cause },
      )
    : new VaultUnavailable(
        'failed',
        `The keychain cannot be used: Rotavox's part for it did not load. Install Rotavox again, ${orFile}.`,
        { cause },
      );
}

/** A failed call of keytar as what a person can do about it. */
export function keychainTrouble(
  cause: unknown,
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): VaultUnavailable {
  if (cause instanceof CallHangs) {
    return new VaultUnavailable(
      'locked',
      `The keychain does not answer: most likely its prompt is open and waits for you. Unlock the keychain; ${goesOn}`,
      { cause },
    );
  }
  if (platform === 'linux' && !hasSessionBus(environment))
    return new VaultUnavailable('absent', noBus, { cause });

  const text = cause instanceof Error ? cause.message : String(cause);
  const known = textsOf(platform).find((row) => row.text.test(text));
  if (known !== undefined) return new VaultUnavailable(known.code, known.sentence, { cause });
  return new VaultUnavailable(
    'failed',
    `The keychain failed and said: ${text}. See whether other programs can use it; ${goesOn}`,
    { cause },
  );
}

function textsOf(platform: NodeJS.Platform): readonly Recognised[] {
  if (platform === 'darwin') return macTexts;
  if (platform === 'win32') return windowsTexts;
  return linuxTexts;
}

function hasSessionBus(environment: NodeJS.ProcessEnv): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime } = environment;
  return Boolean(address) || (runtime !== undefined && existsSync(join(runtime, 'bus')));
}
