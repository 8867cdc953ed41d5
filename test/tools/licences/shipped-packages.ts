import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareTexts } from '../../../src/core/compare-texts.ts';
import { root } from '../root.ts';

interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package that a person gets with Rotavox, and where it lies here. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** The desktop app runs in it; nothing depends on it but the packing. */
const runtime = 'electron';

/**
 * Everything of others that is in a package: what the sources import (Vite bundles it), what that needs in turn, and Electron.
 * By the lock file, so that what lies here for building and testing is left out; and without what the caller leaves out.
 */
export function shippedPackages(leftOut: readonly string[] = []): ShippedPackage[] {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, LockedPackage> };
  const found = new Map<string, ShippedPackage>();

  function visit(name: string, from: string): void {
    const place = placeOf(packages, name, from);
    if (place === null || found.has(place)) return;
    const locked = packages[place] ?? {};
    found.set(place, {
      name: locked.name ?? name, // an alias goes by its own name
      version: locked.version ?? '',
      folder: join(root, place),
    });
    if (name === runtime) return; // what it needs is for downloading it
    for (const other of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      visit(other, place);
  }

  for (const name of [...importedBySources(), runtime]) if (!leftOut.includes(name)) visit(name, '');
  return [...found.values()].sort(
    (a, b) =>
      compareTexts(a.name, b.name) || compareTexts(a.version, b.version) || compareTexts(a.folder, b.folder),
  );
}

/** Where a package is that another one asks for: in the nearest `node_modules` above it, as Node looks for it. */
function placeOf(packages: Record<string, LockedPackage>, name: string, from: string): string | null {
  for (let above = from; ; above = above.slice(0, Math.max(above.lastIndexOf('/node_modules/'), 0))) {
    const place = `${above === '' ? '' : `${above}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (above === '') return null; // optional, and not for this system
  }
}

/**
 * The packages that the sources name in an import, but for types: those are not in the build; and whose files they look for. The launcher is
 * in no package.
 */
function importedBySources(): string[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['src/launcher/**'] });
  const imported =
    /^(?:(?:import|export) (?!type )[^;]*?\bfrom |.*\bimport\(|.*\bcreateRequire\(import\.meta\.url\)\.resolve\()'((?:@[\w.-]+\/)?[\w.-]+)(?=['/])/gm;
  const names = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(imported)].map(([, name = '']) => name),
  );
  return [...new Set(names)].filter((name) => !name.startsWith('.')).sort();
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

/** Where the windows find them; loaded when somebody looks. */
export const licencesFile = join(root, 'src/renderer/settings/licences/licences.json');

const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The licences as they belong into the file: each text once, for hundreds of packages share a few. */
export function licencesText(): string {
  const texts: string[] = [];
  const packages = shippedPackages()
    .filter(({ folder }) => existsSync(folder)) // one for another system, such as a binary
    .map((shipped) => {
      const text = licenceTextOf(shipped);
      if (text !== null && !texts.includes(text)) texts.push(text);
      return {
        name: shipped.name,
        version: shipped.version,
        licence: licenceNameOf(shipped),
        text: text === null ? null : texts.indexOf(text),
      };
    });
  return `${JSON.stringify({ packages, texts }, null, 1)}\n`;
}

/** The same as a text, without some packages and what only they need. */
export function licencesAsText(leftOut: readonly string[]): string {
  const parts = shippedPackages(leftOut)
    .filter(({ folder }) => existsSync(folder))
    .map((shipped) => {
      const heading = `${shipped.name} ${shipped.version} (${licenceNameOf(shipped)})`;
      return [heading, licenceTextOf(shipped)].filter((text) => text !== null).join('\n\n');
    });
  return `Rotavox has these packages in it.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** As the package's own package.json calls it, an SPDX expression. */
function licenceNameOf({ folder }: ShippedPackage): string {
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: unknown };
  return typeof license === 'string' ? license : 'see its text';
}

function licenceTextOf({ folder }: ShippedPackage): string | null {
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && licenceFile.test(file.name))
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  return texts.length === 0 ? null : texts.join('\n\n');
}
