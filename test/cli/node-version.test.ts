import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { isOlderNode } from '../../src/cli/is-older-node.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';

describe('a Node that is too old', () => {
  it('is one before the version that the package asks for', () => {
    for (const version of ['8.17.0', '20.20.2', '22.2.0', '22.14.9'])
      expect(isOlderNode(version, '>=22.15')).toBe(true);
    for (const version of ['22.15.0', '22.22.0', '24.0.0', '100.1.0'])
      expect(isOlderNode(version, '>=22.15')).toBe(false);
    expect(isOlderNode(process.versions.node, packageJson.engines.node)).toBe(false);
  });

  it('is told which version is needed, in one line, whatever the command', () => {
    const asOld = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.20.2' })`;
    for (const args of [['--version'], ['get', 'pbx'], ['serve', '--port', '0']]) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--import', asOld, builtFile('cli/index.js'), ...args],
        { encoding: 'utf8' },
      );
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toBe(
        `Rotavox ${packageJson.version} needs Node 22.15 or newer, and ${process.execPath} is Node 20.20.2. ` +
          'Install a newer Node from https://nodejs.org, then run this command again.\n',
      );
    }
  });
});
