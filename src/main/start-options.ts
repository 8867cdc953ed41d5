import { HostError } from '../host/host-error.ts';
import { invalidPortText, invalidVaultText } from '../text/service/desktop-text.ts';
import type { HostOptions } from '../host/start-host.ts';
import { type Place, placeOfLink } from './windows/place.ts';

/** Starts the app without a window, as at login. */
export const hiddenFlag = '--hidden';

/** Starts the app without any window: none can be drawn here. */
export const noWindowsFlag = '--no-windows';

/** Has the instance that runs quit, and waits until it has. For an installer: it shows nothing and starts nothing. */
export const quitFlag = '--quit';

/** The app was ended by something else and starts again. */
export const afterKillFlag = '--after-kill';

/** Followed by the address of a host for a team, or `none`. One argument: Chromium reorders those of a second start. */
export const hostFlag = '--host=';

/** Followed by the instant, in milliseconds: the app restarted itself after an internal failure. */
export const restartedFlag = '--restarted-at=';

/** When that was, in milliseconds since the epoch; never, for any other start. */
export function restartedAt(argv: readonly string[]): number {
  const given = argv.findLast((one) => one.startsWith(restartedFlag))?.slice(restartedFlag.length);
  return given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : -Infinity;
}

/** What the command line asks of a start, or of the running instance. */
export interface StartRequest {
  readonly isHidden: boolean;
  /** The host for a team to show from now on, or `none`; undefined: as before. As it was typed. */
  readonly host: string | undefined;
  /** The target of a link in the arguments. */
  readonly place: Place | undefined;
}

/** Reads the arguments; those of Chromium and the launcher are ignored. */
export function startRequestOf(argv: readonly string[]): StartRequest {
  const place = argv.map(placeOfLink).find((found) => found !== undefined);
  const host = argv.findLast((one) => one.startsWith(hostFlag))?.slice(hostFlag.length);
  return { isHidden: argv.includes(hiddenFlag) && place === undefined, host, place };
}

/** The options of the host in the environment, set by the launcher and the tests. */
export function hostOptionsOf(env: NodeJS.ProcessEnv): Pick<HostOptions, 'dataDir' | 'port' | 'vault'> {
  const dataDir = env['ROTAVOX_DATA_DIR'];
  const port = env['ROTAVOX_PORT'];
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new HostError('ADDRESS_UNUSABLE', invalidPortText(port));
  }
  const vault = vaultOf(env);
  return {
    ...(dataDir ? { dataDir } : {}),
    ...(port ? { port: Number(port) } : {}),
    ...(vault === undefined ? {} : { vault }),
  };
}

/** The same variables as for `rotavox serve`. */
function vaultOf(env: NodeJS.ProcessEnv): HostOptions['vault'] {
  const kind = env['ROTAVOX_VAULT'];
  if (!kind) return undefined;
  if (kind === 'keychain') return { kind };
  if (kind !== 'file') throw new HostError('VAULT_UNUSABLE', invalidVaultText(kind));
  const passphraseFile = env['ROTAVOX_VAULT_PASSPHRASE_FILE'];
  return { kind, passphraseFile: passphraseFile === '' ? undefined : passphraseFile };
}
