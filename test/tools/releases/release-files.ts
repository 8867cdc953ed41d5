import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeUpdateList, signList } from '../../../src/launcher/make-update-list.ts';
import { licencesAsText, shippedPackages } from '../licences/shipped-packages.ts';
import { root } from '../root.ts';
import { windowsManifests } from './windows-manifests.ts';

const listName = 'updates.json';
const signatureName = 'updates.json.sig';

/** The packages that a person can install, by the ends of their names. */
const packageEnds = ['.tgz', '.deb', '.rpm', '.AppImage', '.dmg', '.exe', '.zip'];

/** The packages of a version in a folder; others in it, such as those of an older version, are not released. */
export function packagesIn(folder: string, version: string): string[] {
  return readdirSync(folder)
    .filter((name) => packageEnds.some((end) => name.endsWith(end)) && isOf(name, version))
    .sort();
}

/** Whether a file name has exactly this version in it: 0.1.0, not 10.1.0, 0.1.01 or 0.1.0-beta. */
function isOf(name: string, version: string): boolean {
  const escaped = version.replaceAll('.', String.raw`\.`);
  return new RegExp(`[-_]${escaped}(?:[-_](?![a-z]+\\.\\d)|\\.(?!\\d)|[~+])`).test(name);
}

export interface ReleaseRequest {
  readonly folder: string;
  readonly version: string;
  /** The private key that signs the list of versions; null if there is none. */
  readonly key: KeyObject | null;
  readonly changelog: string;
  /** Where the packages will be downloaded from; null where that is not known: then there are no manifests for Windows. */
  readonly downloads: string | null;
}

/** Writes what goes with the packages in a folder, and returns the names of all files of the release. */
export async function describeRelease({
  folder,
  version,
  key,
  changelog,
  downloads,
}: ReleaseRequest): Promise<string[]> {
  const packages = packagesIn(folder, version);
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return name;
  };
  const files = [
    ...packages,
    write(`rotavox-${version}-sbom.cdx.json`, bill()),
    write(`rotavox-${version}-licences.txt`, licencesAsText([])),
  ];
  if (downloads !== null) {
    const manifests = await windowsManifests({ folder, packages, version, downloads });
    for (const [name, text] of Object.entries(manifests)) files.push(write(name, text));
  }
  for (const name of [listName, signatureName]) rmSync(join(folder, name), { force: true }); // of an earlier run
  if (key !== null) {
    const list = await makeUpdateList(
      version,
      packages.map((name) => join(folder, name)),
    );
    files.push(write(listName, list), write(signatureName, signList(list, key)));
  }
  const sums = await Promise.all(
    files.map(async (name) => `${await sha256Of(join(folder, name))}  ${name}\n`),
  );
  files.push(write('SHA256SUMS', sums.join('')));
  write('release-notes.md', releaseNotes(changelog, version));
  return files;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * The section of a version in CHANGELOG.md, without its heading; that of what is not released yet if there is none.
 *
 * Throws an Error if there is neither.
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const headed = (heading: string): string | undefined =>
    sections.find((section) => section.split(/[\s\]]/)[0]?.replace('[', '') === heading);
  const section = headed(version) ?? headed('Unreleased');
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}". Write it first.`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
}

/** Throws an Error if a list that this key signs would be refused by the packages. */
export function checkKeyPair(privateKey: KeyObject, publicFile: string): void {
  const own = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  if (
    existsSync(publicFile) &&
    createPublicKey(readFileSync(publicFile)).export({ type: 'spki', format: 'der' }).equals(own)
  )
    return;
  throw new Error(
    `${publicFile}, which is in the packages, is not the public half of the key that signs updates. Both are made by: npm run release -- --new-key FILE`,
  );
}

interface Bill {
  metadata: { component: { name: string; type: string; 'bom-ref': string } };
  components: {
    name: string;
    version: string;
    'bom-ref': string;
    properties?: unknown;
    externalReferences?: { type: string }[];
  }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** The software bill of materials, CycloneDX: npm's, without what is here for building and testing only. */
function bill(): string {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const text = execFileSync(npm, ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return `${JSON.stringify(shippedPart(JSON.parse(text) as Bill), null, 2)}\n`;
}

/** npm 10 lists a package that is in two folders twice, with one reference. */
function onceEach<T>(all: readonly T[], refOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [refOf(one), one])).values()];
}

function shippedPart(all: Bill): Bill {
  const shipped = new Set(shippedPackages().map(({ name, version }) => `${name}@${version}`));
  const components = onceEach(all.components, (component) => component['bom-ref'])
    // The name of the package itself, which `name` is not for an alias.
    .map((component) => ({ ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') }))
    .filter(({ name, version }) => shipped.has(`${name}@${version}`))
    // Where it was downloaded is a matter of the machine; that it is a development dependency, of how it is bundled.
    .map(({ properties: _properties, externalReferences = [], ...component }) => ({
      ...component,
      externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
    }));
  const own = all.metadata.component;
  const refs = new Set([own['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = onceEach(all.dependencies, ({ ref }) => ref)
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  const component = { ...own, name: 'rotavox', type: 'application' };
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies };
}
