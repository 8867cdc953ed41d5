/** What the place of the data folder depends on; the caller reads it from its system. */
export interface DataDirEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As Node names it: linux, darwin, win32 … */
  readonly platform: string;
  readonly homeDir: string;
}

/**
 * Where the data folder is by default: `ROTAVOX_DATA_DIR`, otherwise where the OS keeps an app's data.
 *
 * The host creates it and the CLI looks for it, both with this function. `ROTAVOX_DATA_DIR` may be relative: the caller
 * resolves it. A relative `XDG_CONFIG_HOME` is ignored, as the XDG specification requires.
 */
export function dataDirOf(referenceData: DataDirEnvironment): string {
  const chosen = referenceData.environment['ROTAVOX_DATA_DIR'];
  return chosen === undefined || chosen === '' ? usualDataDirOf(referenceData) : chosen;
}

/** In a data folder: what the desktop app prints, a file for each of its last runs. */
export const appLogFolder = 'logs';

/** The same for who looks for the OS convention alone. The folder above it is the one of the desktop app. */
export function usualDataDirOf({ environment, platform, homeDir }: DataDirEnvironment): string {
  if (platform === 'darwin') return `${homeDir}/Library/Application Support/Rotavox/data`;
  if (platform === 'win32') {
    const appData = environment['APPDATA'];
    return `${appData === undefined || appData === '' ? `${homeDir}\\AppData\\Roaming` : appData}\\Rotavox\\data`;
  }
  const xdg = environment['XDG_CONFIG_HOME'];
  return `${xdg?.startsWith('/') === true ? xdg : `${homeDir}/.config`}/Rotavox/data`;
}
