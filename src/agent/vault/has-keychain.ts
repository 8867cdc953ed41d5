import { execFile } from 'node:child_process';
import { type Vault, VaultUnavailable } from '../../core/vault.ts';
import { hasSessionBus } from './keychain-trouble.ts';
import { KeychainVault } from './keychain-vault.ts';

export interface Surroundings {
  readonly platform?: NodeJS.Platform;
  readonly environment?: NodeJS.ProcessEnv;
  /** Default: the OS keychain, which may start by being called. */
  readonly keychain?: Pick<Vault, 'contact'>;
}

/** A keychain that does not answer for so long is there, and has a prompt open. */
const contactLimitMs = 5_000;

/**
 * Whether this machine has a keychain, also one that is locked or does not work: only where there is none may another place be chosen.
 *
 * Opens no prompt. On Linux there is none when no program offers a Secret Service and none can be started that does. Elsewhere the
 * system has one.
 */
export async function hasKeychain({
  platform = process.platform,
  environment = process.env,
  keychain = new KeychainVault({ limitMs: contactLimitMs }),
}: Surroundings = {}): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    await keychain.contact();
    return true;
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    const { code } = error.problem;
    if (code === 'no_session_bus' || code === 'no_secret_service') return false;
    // Without the library nothing was asked.
    return code !== 'keychain_library_missing' || (await busHasSecretService(environment));
  }
}

const busCall = ['org.freedesktop.DBus', '/org/freedesktop/DBus'] as const;

/** The programs that can ask a bus, one of which comes with every bus. */
const askers: readonly ((method: string) => readonly [program: string, ...args: string[]])[] = [
  (method) => ['busctl', '--user', '--timeout=5', 'call', ...busCall, 'org.freedesktop.DBus', method],
  (method) => [
    'gdbus',
    'call',
    '--session',
    '--timeout=5',
    ...['--dest', busCall[0], '--object-path', busCall[1], '--method', `org.freedesktop.DBus.${method}`],
  ],
  (method) => [
    'dbus-send',
    '--session',
    '--print-reply',
    '--reply-timeout=5000',
    `--dest=${busCall[0]}`,
    busCall[1],
    `org.freedesktop.DBus.${method}`,
  ],
];

/** Whether a program of the session offers a Secret Service, or one could be started. Yes, if that cannot be found out. */
async function busHasSecretService(environment: NodeJS.ProcessEnv): Promise<boolean> {
  if (!hasSessionBus(environment)) return false;
  for (const asker of askers) {
    const answers = [
      await answerOf(asker('ListNames'), environment),
      await answerOf(asker('ListActivatableNames'), environment),
    ];
    if (answers.includes(null)) continue;
    return answers.some((answer) => answer?.includes('org.freedesktop.secrets'));
  }
  return true;
}

/** What a program prints, which is nothing when it cannot reach the bus; null where there is no such program. */
function answerOf(
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: 2 * contactLimitMs }, (error, stdout) => {
      resolve(error?.code === 'ENOENT' ? null : stdout);
    });
  });
}
