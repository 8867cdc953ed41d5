import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeSigningKey, readSigningKey } from '../../src/launcher/make-update-list.ts';
import { readOffer } from '../../src/main/updates/update-list.ts';
import { shippedPackages } from '../tools/licences/shipped-packages.ts';
import { checkKeyPair, describeRelease, packagesIn, releaseNotes } from '../tools/releases/release-files.ts';
import { windowsManifests } from '../tools/releases/windows-manifests.ts';
import { parse } from 'yaml';

async function folderWith(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rotavox-release-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of names) await writeFile(join(folder, name), `the content of ${name}`);
  return folder;
}

const changelog =
  '# Changelog\n\n## Unreleased\n\n- Next.\n\n## [0.2.0] - 2026-12-01\n\n- Second.\n\n## 0.1.0\n\n- First.\n';

describe('the packages of a version', () => {
  it('are those of exactly this version', async () => {
    const released = [
      'Rotavox-0.1.0-x64.exe',
      'Rotavox-0.1.0-x64.zip',
      'Rotavox-0.1.0-x86_64.AppImage',
      'Rotavox-0.1.0~unofficial.electron42.0.0-x64.exe',
      'rotavox-0.1.0.tgz',
      'rotavox_0.1.0_amd64.deb',
      'rotavox_0.1.0~unofficial.electron42.0.0_amd64.deb',
    ];
    const others = [
      'rotavox-10.1.0.tgz',
      'rotavox-0.1.0.1.tgz',
      'rotavox-0.1.01.tgz',
      'rotavox-0.1.0-beta.1.tgz',
      'Rotavox-0.2.0-x64.exe',
      'builder-debug-0.1.0.yml',
    ];
    expect(packagesIn(await folderWith(...released, ...others), '0.1.0')).toEqual(released);
  });
});

describe('a described release', () => {
  it(
    'has checksums of everything, a signed list that the app reads, and what is shipped of others',
    { tags: ['long'] },
    async () => {
      const appImage = 'Rotavox-0.2.0-x86_64.AppImage';
      const folder = await folderWith(appImage, 'rotavox-0.2.0.tgz');
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const files = await describeRelease({
        folder,
        version: '0.2.0',
        key: privateKey,
        changelog,
        downloads: null,
      });
      expect((await readdir(folder)).sort()).toEqual([...files, 'release-notes.md'].sort());

      const sums = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).trim().split('\n');
      expect(sums.map((line) => line.slice(66)).sort()).toEqual(
        files.filter((name) => name !== 'SHA256SUMS').sort(),
      );
      for (const line of sums) {
        const content = await readFile(join(folder, line.slice(66)));
        expect(line.slice(0, 64)).toBe(createHash('sha256').update(content).digest('hex'));
      }

      const [list, signature] = [
        await readFile(join(folder, 'updates.json')),
        await readFile(join(folder, 'updates.json.sig')),
      ];
      const terms = { platform: 'linux', arch: 'x64', kind: 'appimage', runningVersion: '0.1.0' } as const;
      expect(readOffer(list, signature, publicKey, terms)).toMatchObject({
        version: '0.2.0',
        file: { name: appImage },
      });

      const bill = JSON.parse(await readFile(join(folder, 'rotavox-0.2.0-sbom.cdx.json'), 'utf8')) as {
        bomFormat: string;
        metadata: { component: { name: string } };
        components: { name: string; version: string }[];
        dependencies: { ref: string; dependsOn: string[] }[];
      };
      const names = bill.components.map(({ name }) => name);
      expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'rotavox' } } });
      expect(names).toEqual(
        expect.arrayContaining(['react', 'fastify', 'electron', '@github/keytar', 'semver']),
      );
      expect(bill.components.map(({ name, version }) => `${name}@${version}`).sort()).toEqual(
        [...new Set(shippedPackages().map(({ name, version }) => `${name}@${version}`))].sort(),
      );
      expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).join(' ')).not.toContain('vitest');
      expect(await readFile(join(folder, 'rotavox-0.2.0-licences.txt'), 'utf8')).toContain('fastify');
      expect(await readFile(join(folder, 'release-notes.md'), 'utf8')).toBe('- Second.\n');
    },
  );

  it('has no list without a key, which would only be refused', { tags: ['long'] }, async () => {
    const folder = await folderWith('Rotavox-0.1.0-x64.exe');
    const files = await describeRelease({ folder, version: '0.1.0', key: null, changelog, downloads: null });
    expect(files.filter((name) => name.startsWith('updates'))).toEqual([]);
  });
});

describe('the notes of a release', () => {
  it('are the section of the version, or of what is not released yet', () => {
    expect(releaseNotes(changelog, '0.1.0')).toBe('- First.\n');
    expect(releaseNotes(changelog, '0.2.0')).toBe('- Second.\n');
    expect(releaseNotes(changelog, '0.3.0')).toBe('- Next.\n');
    expect(() => releaseNotes('# Changelog\n\n## 0.1.0\n\n- First.\n', '0.3.0')).toThrow(
      'no section "## 0.3.0"',
    );
  });
});

describe('the manifests for Windows', () => {
  it('name the official packages with where they are and their hashes', async () => {
    const packages = [
      'Rotavox-0.2.0-arm64.exe',
      'Rotavox-0.2.0-x64.exe',
      'Rotavox-0.2.0-x64.zip',
      'Rotavox-0.2.0~unofficial.electron42.0.0-x64.exe',
    ];
    const request = { folder: await folderWith(...packages), packages, version: '0.2.0' };
    const manifests = await windowsManifests({ ...request, downloads: 'https://example.com/v0.2.0/' });
    const hashOf = (name: string): string =>
      createHash('sha256').update(`the content of ${name}`).digest('hex');
    const scoop = JSON.parse(manifests['rotavox-scoop.json']!) as { architecture: unknown };
    expect(scoop).toMatchObject({ version: '0.2.0', bin: String.raw`resources\bin\rotavox.exe` });
    expect(scoop.architecture).toEqual({
      '64bit': {
        url: 'https://example.com/v0.2.0/Rotavox-0.2.0-x64.zip',
        hash: hashOf('Rotavox-0.2.0-x64.zip'),
      },
    });
    const installer = parse(manifests['Rotavox.Rotavox.installer.yaml']!) as { Installers: unknown };
    expect(installer).toMatchObject({ PackageVersion: '0.2.0', InstallerType: 'nullsoft' });
    expect(installer.Installers).toEqual(
      (['x64', 'arm64'] as const).map((arch) => ({
        Architecture: arch,
        InstallerUrl: `https://example.com/v0.2.0/Rotavox-0.2.0-${arch}.exe`,
        InstallerSha256: hashOf(`Rotavox-0.2.0-${arch}.exe`).toUpperCase(),
      })),
    );
    for (const [name, text] of Object.entries(manifests))
      if (name.endsWith('.yaml'))
        expect(parse(text)).toMatchObject({
          PackageIdentifier: 'Rotavox.Rotavox',
          ManifestVersion: '1.10.0',
        });
  });

  it('are none where a release has no packages for Windows', async () => {
    const request = { folder: await folderWith(), packages: ['rotavox-0.2.0.tgz'], version: '0.2.0' };
    expect(await windowsManifests({ ...request, downloads: 'https://example.com/' })).toEqual({});
  });
});

describe('the key that signs', () => {
  it('has to be the other half of the one in the packages', async () => {
    const folder = await folderWith();
    const [privateFile, publicFile] = [join(folder, 'private.pem'), join(folder, 'update-key.pem')];
    makeSigningKey({ privateFile, publicFile });
    const key = readSigningKey(privateFile);
    checkKeyPair(key, publicFile);
    expect(createPublicKey(key).asymmetricKeyType).toBe('ed25519');
    const { privateKey: other } = generateKeyPairSync('ed25519');
    expect(() => checkKeyPair(other, publicFile)).toThrow('is not the public half');
    expect(() => checkKeyPair(key, join(folder, 'missing.pem'))).toThrow('is not the public half');
  });
});
