import { join } from 'node:path';

/**
 * The path of the packed app's executable, where electron-builder puts it: the folder says the processor unless it is
 * the usual one, x64.
 */
export function packedExecutable(
  checkout: string,
  { platform = process.platform, arch = process.arch }: { platform?: NodeJS.Platform; arch?: string } = {},
): string {
  const release = join(checkout, 'release');
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  if (platform === 'darwin')
    return join(release, `mac${suffix}`, 'Rotavox.app', 'Contents', 'MacOS', 'Rotavox');
  if (platform === 'win32') return join(release, `win${suffix}-unpacked`, 'Rotavox.exe');
  return join(release, `linux${suffix}-unpacked`, 'rotavox');
}
