import { renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprintOfSources, isBuildFresh, stampBuild } from '../../src/launcher/build-stamp.ts';
import { scratchFolder, writeInto, runLauncher } from './run-launcher.ts';
import { launcherCacheDir } from '../../src/launcher/checkout.ts';

function builtCheckout(): string {
  const checkout = scratchFolder({
    'package.json': '{}',
    'src/main/index.ts': 'one',
    'src/main/window.ts': 'two',
    'src/README.md': 'about',
    'src/launcher/start.ts': 'start',
    'resources/icon.png': 'icon',
    'out/main/index.js': '',
    'out/preload/index.cjs': '',
    'out/renderer/index.html': '',
    'out/cli/index.js': '',
    'out/rotavox': '',
  });
  stampBuild(checkout, fingerprintOfSources(checkout));
  return checkout;
}

describe('a build', () => {
  it('is fresh when nothing has changed since', () => {
    expect(isBuildFresh(builtCheckout())).toBe(true);
  });

  const changes: readonly [string, (checkout: string) => void][] = [
    ['a source is written', (checkout) => writeInto(checkout, 'src/main/index.ts', 'other')],
    ['a source appears', (checkout) => writeInto(checkout, 'src/core/new.ts', 'new')],
    ['a source goes away', (checkout) => rmSync(join(checkout, 'src/main/window.ts'))],
    [
      'a source gets another name',
      (checkout) => renameSync(join(checkout, 'src/main/window.ts'), join(checkout, 'src/main/windows.ts')),
    ],
    [
      'a source is put back as it was long ago, of the same size',
      (checkout) => {
        writeInto(checkout, 'src/main/index.ts', 'eno');
        utimesSync(join(checkout, 'src/main/index.ts'), 1, 1);
      },
    ],
    ['a resource changes', (checkout) => writeInto(checkout, 'resources/icon.png', 'another icon')],
    ['a dependency changes', (checkout) => writeInto(checkout, 'package.json', '{ "name": "x" }')],
    ['a part of it is missing', (checkout) => rmSync(join(checkout, 'out/preload/index.cjs'))],
    ['it was never finished', (checkout) => rmSync(join(checkout, 'out/build-stamp.txt'))],
  ];
  it.each(changes)('is stale when %s', (_name, change) => {
    const checkout = builtCheckout();
    change(checkout);
    expect(isBuildFresh(checkout)).toBe(false);
  });

  it.each([
    ['src/README.md', 'a page to read'],
    ['src/launcher/start.ts', 'what is never built'],
    ['test/some.test.ts', 'a test'],
  ])('stays fresh when %s changes, %s', (path) => {
    const checkout = builtCheckout();
    writeInto(checkout, path, 'changed by somebody');
    expect(isBuildFresh(checkout)).toBe(true);
  });
});

it.each([
  ['linux', { HOME: '/home/ann' }, join('/home/ann', '.cache', 'rotavox')],
  ['linux', { HOME: '/home/ann', XDG_CACHE_HOME: '/fast' }, join('/fast', 'rotavox')],
  ['darwin', { HOME: '/Users/ann' }, join('/Users/ann', 'Library', 'Caches', 'rotavox')],
  [
    'win32',
    { USERPROFILE: '/Users/ann', LOCALAPPDATA: '/Users/ann/Local' },
    join('/Users/ann/Local', 'rotavox', 'Cache'),
  ],
] as const)('the launcher keeps its downloads on %s with %j in %s', (platform, env, folder) => {
  expect(launcherCacheDir(env, platform)).toBe(folder);
});

it('npm start explains itself', async () => {
  const { code, stdout } = await runLauncher('start.ts', ['--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('--headless');
});

it('npm start refuses an option it does not know, and shows those it knows', async () => {
  const { code, stderr } = await runLauncher('start.ts', ['--headles']);
  expect(code).toBe(2);
  expect(stderr).toContain("'--headles'");
  expect(stderr).toContain('Usage: npm start');
});
