/**
 * Writes what the npm package has besides the build: `npm pack` calls it (`prepack`), after `npm run build`.
 *
 * The types of the client, the man page, and the licences of the packages that are bundled.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import packageJson from '../../package.json' with { type: 'json' };
import { licencesAsText } from './licences/licences-text.ts';
import { clientTypes } from './package/client-types.ts';
import { manPage } from './package/man-page.ts';
import { root } from './root.ts';

write(
  'out/client/index.d.ts',
  await format(clientTypes(), { parser: 'typescript', printWidth: 110, singleQuote: true }),
);
write('out/man/rotavox.1', manPage(packageJson.version));
write('out/THIRD-PARTY-LICENCES.txt', licencesAsText(['electron']));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
