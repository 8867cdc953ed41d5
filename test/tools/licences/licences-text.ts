import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { type ShippedPackage, shippedPackages } from './shipped-packages.ts';

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
