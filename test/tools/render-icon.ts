/**
 * Renders resources/icon.svg to resources/icon.png (1024 px, transparent ground) with a Chromium.
 *
 * Run after changing the drawing: `node test/tools/render-icon.ts`. The PNG is checked in because packaging and
 * Electron's windows need one and not every machine has a browser.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from '@playwright/test';

const resources = join(import.meta.dirname, '..', '..', 'resources');
const sizePx = 1024;

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage({ viewport: { width: sizePx, height: sizePx } });
  const svg = readFileSync(join(resources, 'icon.svg'), 'utf8').replace(
    '<svg ',
    `<svg width="${sizePx}" height="${sizePx}" `,
  );
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
  await page.screenshot({ path: join(resources, 'icon.png'), omitBackground: true });
} finally {
  await browser.close();
}
