import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import packageJson from '../../../package.json' with { type: 'json' };

export interface ManifestRequest {
  readonly folder: string;
  /** Names of files in the folder. */
  readonly packages: readonly string[];
  readonly version: string;
  /** The address of the folder that they will be downloaded from, with a slash at its end. */
  readonly downloads: string;
}

/** A file of a release, by its processor. */
interface Download {
  readonly arch: 'x64' | 'arm64';
  readonly url: string;
  readonly sha256: string;
}

const identifier = 'Rotavox.Rotavox';
const winget = '1.10.0';

/**
 * The manifests with which Scoop (the zip) and winget (the installer) find this version, by file name. None where the release has no
 * such package.
 *
 * Unproven: neither program runs here. https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests,
 * https://github.com/microsoft/winget-pkgs/tree/master/doc/manifest/schema/1.10.0
 */
export async function windowsManifests(request: ManifestRequest): Promise<Record<string, string>> {
  const zips = await downloadsOf('zip', request);
  const installers = await downloadsOf('exe', request);
  return {
    ...(zips.length === 0 ? {} : { 'rotavox-scoop.json': scoopManifest(request.version, zips) }),
    ...(installers.length === 0 ? {} : wingetManifests(request.version, installers)),
  };
}

async function downloadsOf(
  extension: 'zip' | 'exe',
  { folder, packages, version, downloads }: ManifestRequest,
): Promise<Download[]> {
  const found: Download[] = [];
  for (const arch of ['x64', 'arm64'] as const) {
    const name = `Rotavox-${version}-${arch}.${extension}`; // none with an Electron that is not the official one
    if (!packages.includes(name)) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    found.push({ arch, url: new URL(name, downloads).href, sha256: hash.digest('hex') });
  }
  return found;
}

function scoopManifest(version: string, zips: readonly Download[]): string {
  const names = { x64: '64bit', arm64: 'arm64' };
  const manifest = {
    version,
    description: packageJson.description,
    homepage: 'https://rotavox.invalid',
    license: packageJson.license,
    architecture: Object.fromEntries(
      zips.map(({ arch, url, sha256 }) => [names[arch], { url, hash: sha256 }]),
    ),
    bin: String.raw`resources\bin\rotavox.exe`,
    shortcuts: [['Rotavox.exe', 'Rotavox']],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Three files, as winget's repository wants them. Texts in quotation marks are the same in JSON and YAML. */
function wingetManifests(version: string, installers: readonly Download[]): Record<string, string> {
  const file = (type: string, lines: readonly string[]): string =>
    [
      `PackageIdentifier: ${identifier}`,
      `PackageVersion: ${version}`,
      ...lines,
      `ManifestType: ${type}`,
      `ManifestVersion: ${winget}`,
      '',
    ].join('\n');
  return {
    [`${identifier}.yaml`]: file('version', ['DefaultLocale: en-US']),
    [`${identifier}.locale.en-US.yaml`]: file('defaultLocale', [
      'PackageLocale: en-US',
      'Publisher: Rotavox contributors',
      'PackageName: Rotavox',
      `License: ${packageJson.license}`,
      `ShortDescription: ${JSON.stringify(packageJson.description)}`,
    ]),
    [`${identifier}.installer.yaml`]: file('installer', [
      'InstallerType: nullsoft',
      'Scope: user',
      'MinimumOSVersion: 10.0.0.0',
      'ProductCode: com.rotavox.desktop',
      'UpgradeBehavior: install',
      'Commands: [rotavox]',
      'Protocols: [rotavox]',
      'Installers:',
      ...installers.flatMap(({ arch, url, sha256 }) => [
        `  - Architecture: ${arch}`,
        `    InstallerUrl: ${url}`,
        `    InstallerSha256: ${sha256.toUpperCase()}`,
      ]),
    ]),
  };
}
