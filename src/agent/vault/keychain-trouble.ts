import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isNetworkLogon } from '../../system/windows-account.ts';
import type { VaultProblem } from '../../contract/credential/vault-problem.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import { CallHangs } from './call-queue.ts';

interface Recognised {
  readonly text: RegExp;
  readonly problem: VaultProblem;
}

const noBus: VaultProblem = { code: 'no_session_bus' };

/**
 * The texts of the native side, and what they mean.
 *
 * By text, because keytar passes on only a message: no code, no domain. These texts come untranslated from
 * the message bus (dbus-daemon, dbus-broker), gnome-keyring and libsecret. An unknown text becomes `keychain_failed` with
 * that text, which is the worst effect of a translation or a change of words.
 */
const linuxTexts: readonly Recognised[] = [
  {
    text: /locked collection|\bis ?locked\b|prompt was dismissed/i,
    problem: { code: 'keychain_locked', platform: 'linux' },
  },
  {
    // The address of the first daemon that was called: libsecret keeps it for the life of the process.
    text: /The name :\d+\.\d+ was not provided|session wrapping the secret does not exist|NameHasNoOwner/,
    problem: { code: 'keychain_restarted' },
  },
  {
    text: /was not provided by any \.service files|is not activatable/,
    problem: { code: 'no_secret_service' },
  },
  {
    text: /does not exist at path .?\/org\/freedesktop\/secrets/,
    problem: { code: 'no_default_keyring' },
  },
  { text: /Cannot autolaunch D-Bus|Could not connect:|unsupported transport/, problem: noBus },
];

/** Security framework, in English; other languages become `keychain_failed`, with the text. */
const macTexts: readonly Recognised[] = [
  {
    text: /User interaction is not allowed|User canceled|passphrase you entered is not correct/,
    problem: { code: 'keychain_locked', platform: 'darwin' },
  },
  {
    text: /default keychain could not be found|specified keychain could not be found/,
    problem: { code: 'no_default_keychain' },
  },
];

/** Credential Manager, in English; in other languages the kind of session is asked for. */
const windowsTexts: readonly Recognised[] = [
  { text: /logon session does not exist/, problem: { code: 'no_signed_in_user' } },
];

/** Keytar could not be loaded. On Linux a library is usually missing; keytar itself hides the system's reason. */
export function keychainNotLoaded(cause: unknown, platform: NodeJS.Platform): VaultUnavailable {
  const code = platform === 'linux' ? 'keychain_library_missing' : 'keychain_not_loaded';
  return new VaultUnavailable({ code }, { cause });
}

/** Where a call of keytar failed. Tests play other systems with it. */
export interface KeychainSystem {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** Of Windows. Default: as the system says. */
  readonly isNetworkSession?: () => boolean;
}

/** A failed call of keytar as a problem that a person can solve. */
export function keychainTrouble(cause: unknown, system: KeychainSystem): VaultUnavailable {
  return new VaultUnavailable(problemOf(cause, system), { cause });
}

function problemOf(
  cause: unknown,
  { platform, environment, isNetworkSession = isNetworkLogon }: KeychainSystem,
): VaultProblem {
  if (cause instanceof CallHangs) return { code: 'keychain_not_answering' };
  if (platform === 'linux' && !hasSessionBus(environment)) return noBus;
  const text = cause instanceof Error ? cause.message : String(cause);
  const known = textsOf(platform).find((row) => row.text.test(text));
  if (known !== undefined) return known.problem;
  if (platform === 'win32' && isNetworkSession()) return { code: 'no_signed_in_user' };
  return { code: 'keychain_failed', said: text };
}

function textsOf(platform: NodeJS.Platform): readonly Recognised[] {
  if (platform === 'darwin') return macTexts;
  if (platform === 'win32') return windowsTexts;
  return linuxTexts;
}

/** Whether there is a message bus of the session. */
export function hasSessionBus(environment: NodeJS.ProcessEnv): boolean {
  const { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime } = environment;
  return Boolean(address) || (runtime !== undefined && existsSync(join(runtime, 'bus')));
}
