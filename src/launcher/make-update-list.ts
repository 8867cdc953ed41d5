import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A package that the app can install by itself, as main/updates/update-list.ts reads it. */
interface ListedFile {
  readonly platform: string;
  readonly arch: string;
  readonly kind: 'appimage' | 'nsis';
  readonly name: string;
  readonly size: number;
  readonly sha512: string;
}

/**
 * The list of a version for the feed, `updates.json`: of `files`, those that the app can install by itself.
 *
 * Whatever else is released (deb, rpm, dmg, the npm package) is installed by a person and not listed.
 */
export async function makeUpdateList(version: string, files: readonly string[]): Promise<Buffer> {
  const listed: ListedFile[] = [];
  for (const file of files) {
    const found = systemOf(basename(file));
    if (found === null) continue;
    const hash = createHash('sha512');
    await pipeline(createReadStream(file), hash);
    const { size } = await stat(file);
    listed.push({ ...found, name: basename(file), size, sha512: hash.digest('base64') });
  }
  return Buffer.from(`${JSON.stringify({ program: 'rotavox', version, files: listed }, null, 2)}\n`);
}

const arches: Readonly<Record<string, string>> = {
  x64: 'x64',
  x86_64: 'x64',
  arm64: 'arm64',
  aarch64: 'arm64',
};

/** By the names of the packages; those with an Electron that is not the official one (`~unofficial`) are for nobody else. */
function systemOf(name: string): Pick<ListedFile, 'platform' | 'arch' | 'kind'> | null {
  if (name.includes('~')) return null;
  const [, architecture = '', extension] = /-([^-]+)\.(AppImage|exe)$/.exec(name) ?? [];
  const arch = arches[architecture];
  if (arch === undefined) return null;
  return extension === 'exe'
    ? { platform: 'win32', arch, kind: 'nsis' }
    : { platform: 'linux', arch, kind: 'appimage' };
}

/** The signature of a list, as the text of `updates.json.sig`: Ed25519 over its exact bytes, in base64. */
export function signList(list: Buffer, key: KeyObject): string {
  return `${sign(null, list, key).toString('base64')}\n`;
}

/** Reads the private key that signs lists. Throws an Error that says what is wrong with the file. */
export function readSigningKey(file: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(file));
  } catch (cause) {
    throw new Error(`The key to sign updates cannot be read from ${file}. It must be a private key in PEM.`, {
      cause,
    });
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error(
    `The key in ${file} is not an Ed25519 key. Make one with: npm run release -- --new-key FILE`,
  );
}

/** Makes a key pair for the owner of a feed. An existing file is never overwritten. */
export function makeSigningKey({
  privateFile,
  publicFile,
}: {
  privateFile: string;
  publicFile: string;
}): void {
  const existing = [privateFile, publicFile].find((file) => existsSync(file));
  if (existing !== undefined)
    throw new Error(`${existing} exists already. Remove it first if you want a new key.`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flag: 'wx',
  });
  writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }), { flag: 'wx' });
}
