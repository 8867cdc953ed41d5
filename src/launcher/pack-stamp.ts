import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a package is made of beside the runtime, relative to the checkout: the build, by its stamp, and how it is packed. */
const ingredientFiles = [join('out', 'build-stamp.txt'), 'electron-builder.yml', 'LICENSE'];
const recipeDir = join('src', 'launcher');

interface Runtime {
  readonly distDir: string;
  readonly version: string;
}

/** The file that says what the package in `release/` was made of; without it the package counts as stale. */
export function packStampFile(checkout: string): string {
  return join(checkout, 'release', 'pack-stamp.txt');
}

/** Whether `release/` was packed from the build that is there now, in the way and with the runtime of now. */
export function isPackageFresh(checkout: string, runtime: Runtime): boolean {
  const stamp = packStampFile(checkout);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintOfPackage(checkout, runtime);
}

/** Writes down what `release/` was packed from, as `fingerprintOfPackage` said before the packing began. */
export function stampPackage(checkout: string, fingerprint: string): void {
  writeFileSync(packStampFile(checkout), fingerprint);
}

/** One line that changes whenever the build, the way of packing or the runtime does. */
export function fingerprintOfPackage(checkout: string, { distDir, version }: Runtime): string {
  const recipeFiles = readdirSync(join(checkout, recipeDir))
    .sort()
    .map((file) => join(recipeDir, file));
  const hash = createHash('sha256').update(`${distDir}\0${version}\n`);
  for (const file of [...ingredientFiles, ...recipeFiles])
    hash.update(`${file}\0`).update(readFileSync(join(checkout, file)));
  return hash.digest('hex');
}
