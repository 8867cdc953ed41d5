import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { debianVersion } from '../../src/launcher/debian-package.ts';

it('is that of the program when the Electron in it is the official one', () => {
  expect(debianVersion('1.2.3', '45.4.1', 'official')).toBe('1.2.3');
});

it.runIf(process.platform === 'linux').each(['npm-copy', 'override'] as const)(
  'names the Electron otherwise (%s), and is older than the official package of the same version',
  (origin) => {
    const version = debianVersion('1.2.3', '42.0.0', origin);
    expect(version).toContain('electron42.0.0');
    execFileSync('dpkg', ['--compare-versions', version, 'lt', '1.2.3']);
    execFileSync('dpkg', ['--compare-versions', version, 'gt', '1.2.2']);
  },
);
