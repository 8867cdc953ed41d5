import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findUpdateTarget,
  type RunningProgram,
  type UpdateTarget,
} from '../../../src/main/updates/find-update-target.ts';
import { DailyCheck } from '../../../src/main/updates/run-updates.ts';
import { ManualTimer } from '../../fakes/manual-timer.ts';
import {
  environmentOutsideMount,
  replaceAppImage,
  startSeparately,
  verifyDownload,
} from '../../../src/main/updates/replace-app-image.ts';
import { waitFor } from '../../fixtures/wait-for.ts';

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

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('the daily check', () => {
  let time: ManualTimer;
  let checks: number[];
  let daily: DailyCheck;
  beforeEach(() => {
    time = new ManualTimer(Date.parse('2026-01-01T12:00:00Z'));
    checks = [];
    daily = new DailyCheck({
      clock: time.clock,
      startTimer: (ms, act) => time.start(ms, act),
      check: () => checks.push(time.nowMs),
    });
  });

  it('happens minutes after the start, then once a day', async () => {
    const startMs = time.nowMs;
    daily.start();
    await time.advance(4 * minuteMs);
    expect(checks).toEqual([]);
    await time.advance(2 * minuteMs);
    expect(checks).toEqual([startMs + 5 * minuteMs]);
    await time.advance(3 * dayMs - hourMs);
    expect(checks).toHaveLength(3);
    expect(checks[2]! - checks[1]!).toBe(dayMs);
  });

  it('happens an hour after a check that failed', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    daily.settled(false);
    await time.advance(hourMs);
    expect(checks).toHaveLength(2);
  });

  it('happens a day after a check that a person asked for', async () => {
    daily.start();
    await time.advance(2 * minuteMs);
    daily.settled(true);
    await time.advance(dayMs - minuteMs);
    expect(checks).toEqual([]);
    await time.advance(minuteMs);
    expect(checks).toHaveLength(1);
  });

  it('happens at the wake-up of a machine that slept past it', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    time.jump(2 * dayMs);
    daily.wake();
    expect(checks).toHaveLength(2);
    daily.wake();
    expect(checks).toHaveLength(2);
  });

  it('happens within the hour after an unreported sleep', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    time.jump(2 * dayMs);
    await time.advance(hourMs);
    expect(checks).toHaveLength(2);
  });

  it('happens within a day after the clock was set back by years', async () => {
    daily.start();
    await time.advance(5 * minuteMs);
    time.jump(-3650 * dayMs);
    await time.advance(dayMs + hourMs);
    expect(checks).toHaveLength(2);
  });

  it('has one timer while it runs, none when it is stopped, and one check an hour', async () => {
    daily.start();
    daily.start();
    daily.wake();
    expect(time.waiting).toBe(1);
    await time.advance(5 * minuteMs);
    time.wakeUps = 0;
    await time.advance(12 * hourMs);
    expect(time.wakeUps).toBe(12);
    daily.stop();
    daily.wake();
    daily.settled(true);
    expect(time.waiting).toBe(0);
  });
});

describe('starting an AppImage', () => {
  it('starts a separate process, with its arguments, in no folder that could be removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-start-'));
    const file = join(folder, 'Rotavox.AppImage');
    const note = join(folder, 'note');
    await writeFile(file, `#!/bin/sh\necho "$PWD $*" > '${note}.part'; mv '${note}.part' '${note}'\n`);
    await chmod(file, 0o700);
    await startSeparately(file, ['--hidden', '--lang=de']);
    const words = await waitFor(() => readFile(note, 'utf8'));
    expect(words).toBe('/ --hidden --lang=de\n');
    await rm(folder, { recursive: true, force: true });
  });

  it('reports a failure', async () => {
    await expect(startSeparately('/nowhere/Rotavox.AppImage', [])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the environment outside the mount', () => {
  const mount = '/tmp/.mount_Rotavoabc';

  it('has nothing of it, and everything else as it was', () => {
    expect(
      environmentOutsideMount({
        APPIMAGE: '/home/me/Rotavox.AppImage',
        APPDIR: mount,
        ARGV0: './Rotavox.AppImage',
        OWD: '/home/me',
        PATH: `${mount}:${mount}/usr/sbin:/usr/bin:/bin`,
        LD_LIBRARY_PATH: `${mount}/usr/lib`,
        XDG_DATA_DIRS: `${mount}/usr/share:/usr/share`,
        TITLE: 'a:b::c',
        NEIGHBOUR: `${mount}d/bin:/bin`,
        HOME: '/home/me',
      }),
    ).toEqual({
      PATH: '/usr/bin:/bin',
      XDG_DATA_DIRS: '/usr/share',
      TITLE: 'a:b::c',
      NEIGHBOUR: `${mount}d/bin:/bin`,
      HOME: '/home/me',
    });
  });

  it('is the environment itself where there is no mount', () => {
    expect(environmentOutsideMount({ PATH: '/bin', HOME: '/home/me' })).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
    });
  });
});

function sha512Of(content: string): string {
  return createHash('sha512').update(content).digest('base64');
}

describe('replacing an AppImage', () => {
  let folder: string;
  let home: string;
  let installed: string;
  let downloaded: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-replace-'));
    home = join(folder, 'home');
    await mkdir(home);
    installed = join(home, 'Rotavox-1.0.0.AppImage');
    downloaded = join(home, '.Rotavox-1.0.0.AppImage.new');
    await writeFile(installed, 'old');
    await chmod(installed, 0o700);
    await writeFile(downloaded, 'new');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps the name and the rights of the old one, and leaves nothing beside it', async () => {
    await replaceAppImage(downloaded, installed);
    expect(await readFile(installed, 'utf8')).toBe('new');
    expect((await stat(installed)).mode & 0o777).toBe(0o700);
    expect(await readdir(home)).toEqual(['Rotavox-1.0.0.AppImage']);
  });

  it('does not disturb programs that have the old one open', async () => {
    const { ino } = await stat(installed);
    await replaceAppImage(downloaded, installed);
    expect((await stat(installed)).ino).not.toBe(ino);
  });

  it('replaces what a link points to, not the link', async () => {
    const link = join(folder, 'rotavox');
    await symlink(installed, link);
    await replaceAppImage(downloaded, link);
    expect(await readFile(installed, 'utf8')).toBe('new');
    expect(await readFile(link, 'utf8')).toBe('new');
  });

  it('reports that it cannot, and the old one is unchanged', async () => {
    await rm(downloaded);
    await expect(replaceAppImage(downloaded, installed)).rejects.toMatchObject({
      problem: { code: 'not_replaced', error: 'ENOENT' },
    });
    expect(await readdir(home)).toEqual(['Rotavox-1.0.0.AppImage']);
    expect(await readFile(installed, 'utf8')).toBe('old');
  });
});

describe('verifying a download again', () => {
  let file: string;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-verify-'));
    file = join(folder, 'Rotavox Setup 2.0.0.exe');
    await writeFile(file, 'new');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('lets the listed file be', async () => {
    await verifyDownload(file, sha512Of('new'));
    expect(existsSync(file)).toBe(true);
  });

  it('deletes any other file and reports it', async () => {
    await expect(verifyDownload(file, sha512Of('other'))).rejects.toThrow('wrong_file');
    expect(existsSync(file)).toBe(false);
  });
});
