import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findUpdateTarget } from '../../../src/main/updates/find-update-target.ts';
import type { RunningProgram, UpdateTarget } from '../../../src/main/updates/find-update-target.ts';

/**
 * As a user with limited permissions: root may write anywhere.
 *
 * It becomes one once it has loaded the module, which is where only root may read if the checkout is below /root.
 */
function findAsNobody(program: RunningProgram): UpdateTarget {
  const module = new URL('../../../src/main/updates/find-update-target.ts', import.meta.url).href;
  const script = `import { findUpdateTarget } from '${module}';
    if (process.getuid?.() === 0) process.setuid(65_534);
    console.log(JSON.stringify(findUpdateTarget(${JSON.stringify(program)})));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return JSON.parse(stdout) as UpdateTarget;
}

describe('what an update takes the place of', () => {
  let folder: string;
  let program: RunningProgram;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'rotavox-target-')));
    const mount = join(folder, 'mount');
    mkdirSync(join(mount, 'resources'), { recursive: true });
    writeFileSync(join(folder, 'Rotavox.AppImage'), '');
    program = {
      platform: 'linux',
      isPackaged: true,
      execPath: join(mount, 'rotavox'),
      resourcesPath: join(mount, 'resources'),
      env: {},
    };
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const inAppImage = (differences: NodeJS.ProcessEnv = {}): UpdateTarget =>
    findUpdateTarget({
      ...program,
      env: { APPIMAGE: join(folder, 'Rotavox.AppImage'), APPDIR: join(folder, 'mount'), ...differences },
    });
  const whyNot = (target: UpdateTarget) => (target.kind === 'none' ? target.why : target.kind);

  it('is the AppImage that the program runs from', () => {
    expect(inAppImage()).toEqual({ kind: 'appimage', file: join(folder, 'Rotavox.AppImage') });
  });

  it('is it also where the mount is reached by another name', () => {
    symlinkSync(join(folder, 'mount'), join(folder, 'alias'));
    expect(inAppImage({ APPDIR: join(folder, 'alias') })).toMatchObject({ kind: 'appimage' });
  });

  it('is not the AppImage of the program that started this one', () => {
    mkdirSync(join(folder, 'mount-of-a-terminal'));
    expect(whyNot(inAppImage({ APPDIR: join(folder, 'mount-of-a-terminal') }))).toEqual({ code: 'unpacked' });
    // A name that only starts the same.
    mkdirSync(join(folder, 'mou'));
    expect(whyNot(inAppImage({ APPDIR: join(folder, 'mou') }))).toEqual({ code: 'unpacked' });
    expect(whyNot(inAppImage({ APPDIR: undefined }))).toEqual({ code: 'unpacked' });
  });

  it('is no AppImage that has gone', () => {
    expect(whyNot(inAppImage({ APPIMAGE: join(folder, 'gone.AppImage') }))).toEqual({ code: 'unpacked' });
  });

  it('is no AppImage in a folder that the person may not write to', () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    const file = join(locked, 'Rotavox.AppImage');
    writeFileSync(file, '');
    chmodSync(locked, 0o555);
    chmodSync(folder, 0o755);
    const env = { APPIMAGE: file, APPDIR: join(folder, 'mount') };
    expect(whyNot(findAsNobody({ ...program, env }))).toEqual({ code: 'read_only', file });
  });

  it.each(['deb', 'rpm'])('is no %s package: that belongs to the package manager', (format) => {
    writeFileSync(join(program.resourcesPath, 'package-type'), `${format}\n`);
    expect(whyNot(findUpdateTarget(program))).toEqual({ code: 'package', format });
  });

  it('is no checkout, whatever the environment contains', () => {
    program = { ...program, isPackaged: false };
    expect(whyNot(inAppImage())).toEqual({ code: 'checkout' });
  });

  it('is what the Windows installer installed, not a folder that was only unpacked', () => {
    const onWindows = { ...program, platform: 'win32', execPath: join(folder, 'Rotavox.exe') } as const;
    expect(whyNot(findUpdateTarget(onWindows))).toEqual({ code: 'unpacked' });
    writeFileSync(join(folder, 'Uninstall Rotavox.exe'), '');
    expect(findUpdateTarget(onWindows)).toEqual({ kind: 'nsis' });
  });

  it('is nothing on macOS', () => {
    expect(whyNot(findUpdateTarget({ ...program, platform: 'darwin' }))).toEqual({ code: 'macos' });
  });
});
