/**
 * Draws every icon of the program into `resources`: `node test/tools/render-icons.ts`.
 *
 * Run it after changing a drawing in `test/tools/icons`. The pictures are checked in because packaging and Electron
 * want files; `test/main/tray-icons.test.ts` fails when they are not what the drawings say.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { appIconSvg } from './icons/app-icon-svg.ts';
import { drawnFolders, encodeIconFile, iconFiles } from './icons/icon-files.ts';

const resources = join(import.meta.dirname, '..', '..', 'resources');

for (const folder of drawnFolders) rmSync(join(resources, folder), { recursive: true, force: true });
writeFileSync(join(resources, 'icon.svg'), appIconSvg());
for (const file of iconFiles()) {
  const path = join(resources, file.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, encodeIconFile(file, file.draw()));
}
