/**
 * `npm run bundle`: what the windows weigh, after a build, and whether the first view is light enough.
 *
 * The first view is what the page names and what that imports; everything else comes when a person goes there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './root.ts';

/** The first view's scripts, compressed as they would be on a wire, in bytes. */
const firstViewLimit = 250_000;

interface Part {
  readonly name: string;
  readonly bytes: number;
  readonly gzipBytes: number;
  readonly isFirst: boolean;
}

const folder = join(root, 'out/renderer');
const parts = readParts();
const scripts = parts.filter(({ name }) => name.endsWith('.js'));
const firstBytes = scripts.filter(({ isFirst }) => isFirst).reduce((sum, part) => sum + part.gzipBytes, 0);

for (const part of parts.toSorted(
  (one, other) => Number(other.isFirst) - Number(one.isFirst) || other.gzipBytes - one.gzipBytes,
))
  console.log(rowOf(part));
console.log(
  `\nThe first view's scripts have ${kilobytes(firstBytes)} compressed (limit ${kilobytes(firstViewLimit)}); ` +
    `${String(scripts.filter(({ isFirst }) => !isFirst).length)} scripts come on demand.`,
);
if (firstBytes > firstViewLimit) process.exitCode = 1;
if (scripts.every(({ isFirst }) => isFirst)) {
  console.log('No view is loaded on demand.');
  process.exitCode = 1;
}

function readParts(): Part[] {
  const first = closureOf(
    [...read('index.html').matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  return readdirSync(join(folder, 'assets'))
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => {
      const content = readFileSync(join(folder, 'assets', name));
      return {
        name,
        bytes: content.length,
        gzipBytes: gzipSync(content, { level: 9 }).length,
        isFirst: first.has(name),
      };
    });
}

/** These files and everything that they import before they run. */
function closureOf(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    if (!name.endsWith('.js')) return;
    for (const [, path = ''] of read(join('assets', name)).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
      add(basename(path));
  };
  names.forEach(add);
  return found;
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function rowOf({ name, bytes, gzipBytes, isFirst }: Part): string {
  const when = isFirst ? 'first view' : 'on demand';
  return `${when}  ${name.padEnd(44)} ${kilobytes(bytes).padStart(9)} ${kilobytes(gzipBytes).padStart(9)} gzip`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
