import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The inputs of a build, relative to the checkout: a changed, added or deleted file makes the build stale. */
const buildInputs = [
  'src',
  'resources',
  'test/tools/icons',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
];

/** The files of a complete build, relative to `out/`. */
const buildOutputs = ['main/index.js', 'preload/index.cjs', 'renderer/index.html', 'cli/index.js', 'rotavox'];

const stampFile = join('out', 'build-stamp.txt');

/** Whether `out/` was built from exactly the current sources. */
export function isBuildFresh(checkout: string): boolean {
  const stamp = join(checkout, stampFile);
  if (!existsSync(stamp) || !buildOutputs.every((file) => existsSync(join(checkout, 'out', file))))
    return false;
  return readFileSync(stamp, 'utf8') === fingerprintOfSources(checkout);
}

/** Records which sources `out/` was built from, as `fingerprintOfSources` returned before the build began. */
export function stampBuild(checkout: string, fingerprint: string): void {
  mkdirSync(dirname(join(checkout, stampFile)), { recursive: true });
  writeFileSync(join(checkout, stampFile), fingerprint);
}

/**
 * One line that changes whenever a source is changed, added or deleted.
 *
 * Made of path, size and modification time: reading a few hundred directory entries takes milliseconds, and it runs
 * before every command. Take it before a build starts, so that a file saved during the build counts as changed.
 * A newest-mtime comparison would miss deleted files and a `git checkout` of older ones.
 */
export function fingerprintOfSources(checkout: string): string {
  const hash = createHash('sha256');
  for (const input of buildInputs) {
    const stat = statSync(join(checkout, input), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const files = stat.isDirectory() ? filesUnder(checkout, input) : [input];
    for (const file of files) {
      const { mtimeMs, size } = statSync(join(checkout, file));
      hash.update(`${file}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

function filesUnder(checkout: string, folder: string): string[] {
  return readdirSync(join(checkout, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(checkout.length + 1))
    .filter((file) => !file.startsWith(join('src', 'launcher')))
    .sort();
}
