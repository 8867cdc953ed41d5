/**
 * Builds the app if its build is not fresh, and writes what the npm package has besides: `npm pack` calls it (`prepack`).
 *
 * The types of the client, the man page, and the licences of the packages that are bundled. A fresh build is left alone, because tests
 * that run meanwhile use it.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { format } from 'oxfmt';
import { ensureBuilt } from '../../src/launcher/ensure-built.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { licencesAsText } from './licences/shipped-packages.ts';
import { clientTypes } from './package/client-types.ts';
import { manPage } from './package/man-page.ts';
import { root } from './root.ts';

await ensureBuilt({ tell: console.error });
const types = 'out/client/index.d.ts';
const formatted = await format(types, clientTypes(), { printWidth: 110, singleQuote: true });
if (formatted.errors.length > 0) throw new Error(`${types}: ${formatted.errors[0]?.message}`);
write(types, formatted.code);
write('out/man/rotavox.1', manPage(packageJson.version));
write('out/THIRD-PARTY-LICENCES.txt', licencesAsText(['electron']));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  // Whole at each moment: two packages may be made at the same time.
  const whole = join(root, 'out', `${basename(file)}.${process.pid}`);
  writeFileSync(whole, text);
  renameSync(whole, join(root, file));
}
