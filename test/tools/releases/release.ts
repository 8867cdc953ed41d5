/**
 * `npm run release`: the packages that this machine can make, in `release/`, with checksums, a bill of materials, licences,
 * the signed list for the update feed, and the notes from CHANGELOG.md.
 *
 * The list of packages is `packagings` below. Desktop packages need the official Electron; without it the Debian package
 * is made alone, with a version that says so. The workflow (.github/workflows/release.yml) makes the packages on three
 * systems and then calls this with --describe.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import { findElectronRuntime } from '../../../src/launcher/electron-runtime.ts';
import { whyNoInstallers } from '../../../src/launcher/pack-app.ts';
import { makeSigningKey, readSigningKey } from '../../../src/launcher/make-update-list.ts';
import { root } from '../root.ts';
import { checkKeyPair, describeRelease, packagesIn } from './release-files.ts';

const usage = `Usage: npm run release [-- --describe] [--tag TAG] [--downloads ADDRESS]
       npm run release -- --new-key FILE

Makes the packages that this machine can make, and what goes with them, in release/.
  --describe       only what goes with the packages that are in release/ already
  --tag TAG        refuse if the version is not the one of this tag, such as v0.1.0
  --downloads ADDRESS
                   where the packages will be downloaded from, for the manifests of Scoop and winget
  --new-key FILE   make a key pair for the update feed: the private half in FILE, the public half in resources/update-key.pem

The list for the update feed is signed with the private key in the file that ROTAVOX_UPDATE_KEY_FILE names.
`;

const folder = join(root, 'release');
const publicKeyFile = join(root, 'resources', 'update-key.pem');
const { version } = packageJson;

interface Packaging {
  readonly what: string;
  readonly command: readonly [string, ...string[]];
}

const npmPackage: Packaging = {
  what: 'the npm package',
  command: ['npm', 'pack', '--pack-destination', folder],
};

async function packagings(): Promise<Packaging[]> {
  const pack = ['npm', 'run', '--silent', 'pack', '--'] as const;
  const runtime = await findElectronRuntime({ tell: say });
  const refusal = runtime.kind === 'missing' ? runtime.reason : whyNoInstallers(runtime.origin);
  if (refusal === undefined)
    return [npmPackage, { what: 'the desktop packages', command: [...pack, '--installers'] }];
  say(`Not made here: the desktop packages of this system. ${refusal}`);
  if (process.platform !== 'linux' || runtime.kind === 'missing') return [npmPackage];
  return [npmPackage, { what: 'the Debian package', command: [...pack, '--deb'] }];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      describe: { type: 'boolean', default: false },
      tag: { type: 'string' },
      downloads: { type: 'string' },
      'new-key': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const privateFile = values['new-key'];
  if (privateFile !== undefined) {
    makeSigningKey({ privateFile, publicFile: publicKeyFile });
    return say(
      `Wrote the private key to ${privateFile}. Keep it outside the checkout and keep a copy: no update can be signed without it.`,
      `Wrote the public key to ${publicKeyFile}. Commit it: it is in every package from now on.`,
    );
  }
  if (values.tag !== undefined && values.tag !== `v${version}`)
    throw new Error(`The tag is ${values.tag}, but package.json has the version ${version}.`);
  const keyFile = process.env['ROTAVOX_UPDATE_KEY_FILE'] ?? '';
  const key = keyFile === '' ? null : readSigningKey(keyFile);
  if (key !== null) checkKeyPair(key, publicKeyFile);

  mkdirSync(folder, { recursive: true });
  if (!values.describe) {
    for (const name of packagesIn(folder, version)) rmSync(join(folder, name));
    for (const { what, command } of await packagings()) make(what, command);
  }
  const downloads = values.downloads === undefined ? null : `${values.downloads.replace(/\/$/, '')}/`;
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const files = await describeRelease({ folder, version, key, changelog, downloads });
  say(`Rotavox ${version}, in ${folder}:`, ...files.map((name) => `  ${name}`));
  if (key === null)
    say('There is no signed list for the update feed, because ROTAVOX_UPDATE_KEY_FILE names no key.');
}

function make(what: string, [program, ...args]: Packaging['command']): void {
  say(`Making ${what} …`);
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new Error(`The release is not complete: ${what} could not be made, for the reason above.`);
}

function say(...lines: string[]): void {
  for (const line of lines) console.error(line);
}

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
