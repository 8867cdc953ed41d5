export interface Packing {
  /** The folder with the unpacked Electron. */
  readonly distDir: string;
  readonly version: string;
  readonly installers: boolean;
  /** The module that electron-builder calls once Electron is in its place. */
  readonly afterExtract: string;
  readonly platform?: NodeJS.Platform;
}

const platformFlags: Partial<Record<NodeJS.Platform, string>> = {
  linux: '--linux',
  darwin: '--mac',
  win32: '--win',
};

/**
 * The arguments for electron-builder's command line; the rest is in electron-builder.yml.
 *
 * For the platform and processor we run on: the runtime at hand is for these. Never publishes, whatever tokens lie in
 * the environment. Throws an Error on a platform that electron-builder packs nothing for.
 */
export function builderArguments({
  distDir,
  version,
  installers,
  afterExtract,
  platform = process.platform,
}: Packing): string[] {
  const platformFlag = platformFlags[platform];
  if (platformFlag === undefined)
    throw new Error(`Rotavox can be packed on Linux, macOS and Windows, not on ${platform}.`);
  return [
    platformFlag,
    ...(installers ? [] : ['--dir']),
    '--publish',
    'never',
    `--config.electronDist=${distDir}`,
    `--config.electronVersion=${version}`,
    `--config.afterExtract=${afterExtract}`,
  ];
}
