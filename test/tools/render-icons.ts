/**
 * Draws the icons of the app into `resources`: `node test/tools/render-icons.ts`. Those of the tray are drawn by each build.
 *
 * Run it after changing a drawing in `test/tools/icons`. They are checked in because packaging wants files; `test/main/tray-icons.test.ts` fails when they are not what the drawings say.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { appIconSvg } from './icons/draw-app-icon.ts';
import { appIconFiles, encodeIconFile } from './icons/icon-files.ts';

const resources = join(import.meta.dirname, '..', '..', 'resources');

rmSync(join(resources, 'icons'), { recursive: true, force: true });
writeFileSync(join(resources, 'icon.svg'), appIconSvg());
for (const file of appIconFiles()) {
  const path = join(resources, file.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, encodeIconFile(file, file.draw()));
}
