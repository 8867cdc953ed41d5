import { describe, expect, it } from 'vitest';
import { builderArguments } from '../../src/launcher/run-builder.ts';

const electron = {
  distDir: '/opt/electron',
  version: '45.4.1',
  afterExtract: '/checkout/hook.ts',
  afterPack: '/checkout/other-hook.ts',
};

describe('the arguments of electron-builder', () => {
  it('packs an unpacked app with the runtime at hand', () => {
    expect(builderArguments({ ...electron, installers: false, platform: 'linux' })).toEqual([
      '--linux',
      '--dir',
      '--publish',
      'never',
      '--config.electronDist=/opt/electron',
      '--config.electronVersion=45.4.1',
      '--config.afterExtract=/checkout/hook.ts',
      '--config.afterPack=/checkout/other-hook.ts',
    ]);
  });

  it.each([
    ['linux', '--linux'],
    ['darwin', '--mac'],
    ['win32', '--win'],
  ] as const)('leaves the kinds of installer for %s to electron-builder.yml', (platform, flag) => {
    const args = builderArguments({ ...electron, installers: true, platform });
    expect(args[0]).toBe(flag);
    expect(args).not.toContain('--dir');
  });

  it.each([true, false])('publishes nothing, with installers: %s', (installers) => {
    const args = builderArguments({ ...electron, installers, platform: 'linux' });
    expect(args[args.indexOf('--publish') + 1]).toBe('never');
  });

  it('refuses a platform that nothing can be packed for', () => {
    expect(() => builderArguments({ ...electron, installers: false, platform: 'freebsd' })).toThrow(
      'not on freebsd',
    );
  });
});
