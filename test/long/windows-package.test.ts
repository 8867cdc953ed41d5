/**
 * The packages for Windows, made on Linux and tried in Wine: from the installation to the removal.
 *
 * Wine is no Windows: what it cannot show is named in decisions/windows-installer.md.
 */
import { getRawHeader } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { type Browser, chromium, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { makeInstaller } from '../../src/launcher/windows-installer.ts';
import { IssueDialog } from '../journeys/pages/issue-dialog.ts';
import { freePort } from '../tools/free-port.ts';
import { root as checkout } from '../tools/root.ts';
import type { Ended } from './installed-program.ts';
import { Wine } from './wine.ts';

const isRoot = process.platform === 'linux' && process.arch === 'x64' && process.getuid?.() === 0;
/** An app that starts in Wine, beside much else on a slow machine. Only ends what hangs. */
const slowMs = 180_000;
const release = join(checkout, 'release');
const appDir = join(release, 'win-unpacked');

const programs = String.raw`C:\users\root\AppData\Local\Programs\Rotavox`;
const command = String.raw`${programs}\resources\bin\rotavox.exe`;
const app = String.raw`${programs}\Rotavox.exe`;
const uninstaller = String.raw`${programs}\Uninstall Rotavox.exe`;
const environment = String.raw`HKCU\Environment`;
const uninstallEntry = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\com.rotavox.desktop`;
const signInEntries = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`;
const linkScheme = String.raw`HKCU\Software\Classes\rotavox`;

/** Elsewhere there is nothing to make a Debian with Wine with. */
describe.skipIf(!isRoot)('the packages for Windows', { timeout: 600_000 }, () => {
  let wine: Wine;
  let installer: string;

  beforeAll(async () => {
    const packing = [join(checkout, 'src/launcher/pack.ts'), '--for', 'win32-x64'];
    execFileSync(process.execPath, packing, { stdio: 'inherit' });
    wine = await Wine.make();
    const [made] = readdirSync(release).filter((name) => name.endsWith('-x64.exe'));
    installer = await wine.give(join(release, made!), 'installer.exe');
  }, 900_000);
  afterAll(() => wine.close());

  const home = (path: string): string => join(wine.drive, 'users/root', path);
  const installedAt = (path = ''): string => home(join('AppData/Local/Programs/Rotavox', path));
  const dataAt = (path: string): string => home(join('AppData/Roaming/Rotavox/data', path));
  const rotavox = (...args: string[]): Promise<Ended> => wine.run(command, ...args);
  const ready = (folder = dataAt('')): Promise<void> =>
    expect.poll(() => existsSync(join(folder, 'runtime.json')), { timeout: slowMs }).toBe(true);
  const script = (path: string, ...lines: string[]): void => {
    mkdirSync(dirname(join(wine.drive, path)), { recursive: true });
    writeFileSync(join(wine.drive, path), lines.map((line) => `${line}\r\n`).join(''));
  };
  const kill = async (folder = dataAt('')): Promise<void> => {
    const file = join(folder, 'runtime.json');
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
    // With what an app has started: while that runs, the next start would take it for an app that is there.
    // Until none is found (128); it says so, too, where one of them had ended by itself before its turn.
    const end = async () => (await wine.run('taskkill', '/F', '/T', '/PID', String(pid))).code;
    expect([0, 128]).toContain(await end());
    await expect.poll(end, { timeout: slowMs }).toBe(128);
    rmSync(file); // as it is left behind, nothing tells the next start from it
  };

  it('name themselves, are not signed wrongly, and have only what Windows needs', async () => {
    for (const [file, description] of [
      ['Rotavox.exe', 'Rotavox'],
      ['resources/bin/rotavox.exe', 'Rotavox command line'],
    ] as const) {
      // It refuses a file that has a signature.
      const { entries } = NtExecutableResource.from(NtExecutable.from(readFileSync(join(appDir, file))));
      const [info] = Resource.VersionInfo.fromEntries(entries);
      const [language] = info!.getAllLanguagesForStringValues();
      expect(info!.getStringValues(language!)).toMatchObject({
        ProductName: 'Rotavox',
        FileDescription: description,
      });
      expect(info!.fixedInfo.fileVersionMS).toBe(
        Number(packageJson.version.split('.')[0]) * 65_536 + Number(packageJson.version.split('.')[1]),
      );
      expect(Resource.IconGroupEntry.fromEntries(entries)).not.toEqual([]);
    }
    const fuses = await getCurrentFuseWire(join(appDir, 'Rotavox.exe'));
    expect(fuses[FuseV1Options.RunAsNode]).toBe('0'.charCodeAt(0));
    expect(fuses[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe('1'.charCodeAt(0));
    const { entries } = NtExecutableResource.from(
      NtExecutable.from(readFileSync(join(appDir, 'Rotavox.exe'))),
    );
    const integrity = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR');
    const { headerString } = getRawHeader(join(appDir, 'resources/app.asar'));
    expect(Buffer.from(integrity!.bin).toString()).toContain(
      createHash('sha256').update(headerString).digest('hex'),
    );
    const files = readdirSync(appDir, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.node')).map((file) => file.split('/').at(-2))).toEqual([
      'win32-x64',
      'win32-x64',
    ]);
  });

  it('change the search path and change it back: long, missing, with variables and of either type', async () => {
    const tiny = mkdtempSync(join(tmpdir(), 'rotavox-tiny-'));
    mkdirSync(join(tiny, 'resources/bin'), { recursive: true });
    for (const file of ['Rotavox.exe', 'resources/bin/rotavox.exe']) writeFileSync(join(tiny, file), 'tiny');
    const out = join(tiny, 'tiny-installer.exe');
    makeInstaller({ checkout, appDir: tiny, arch: 'x64', version: '0.1.0', out, isFast: true });
    const small = await wine.give(out, 'tiny.exe');
    rmSync(tiny, { recursive: true });
    const long = Array.from(
      { length: 100 },
      (_, index) => `C:\\Größe ${String(index)}\\and a long name`,
    ).join(';');
    const added = String.raw`C:\Tiny\resources\bin`;
    for (const value of [
      ['REG_EXPAND_SZ', long],
      ['REG_SZ', String.raw`C:\one;C:\two`],
      ['REG_EXPAND_SZ', String.raw`%USERPROFILE%\bin;`],
      ['REG_SZ', ''],
      null,
    ] as const) {
      if (value === null) await wine.run('reg', 'delete', environment, '/v', 'Path', '/f');
      else await wine.done('reg', 'add', environment, '/v', 'Path', '/t', value[0], '/d', value[1], '/f');
      const before = (await wine.registry(environment, 'Path'))?.replace(/;$/, '') ?? null;
      await wine.done(small, '/S', '/D=C:\\Tiny');
      const otherwise = before === null ? `REG_EXPAND_SZ    ${added}` : `${before};${added}`;
      expect(await wine.registry(environment, 'Path')).toBe(
        value?.[1] === '' ? `REG_SZ    ${added}` : otherwise,
      );
      // A file of somebody else in that folder stays.
      writeFileSync(join(wine.drive, 'Tiny/mine.txt'), 'mine');
      await wine.done(String.raw`C:\Tiny\Uninstall Rotavox.exe`, '/S');
      await expect
        .poll(() => readdirSync(join(wine.drive, 'Tiny')), { timeout: 30_000 })
        .toEqual(['mine.txt']);
      // An empty value goes, too.
      expect(await wine.registry(environment, 'Path')).toBe(value?.[1] === '' ? null : before);
      expect(await wine.registry(uninstallEntry, 'DisplayName')).toBe(null);
    }
  });

  it('install every file, the command, the menu entry, the link scheme and the entry at sign-in', async () => {
    await wine.done(installer, '/S', '/AUTOSTART');
    const files = (folder: string): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    expect(files(installedAt())).toEqual([...files(appDir), 'Uninstall Rotavox.exe'].sort());
    expect(await wine.registry(environment, 'Path')).toContain(String.raw`${programs}\resources\bin`);
    expect(await wine.registry(uninstallEntry, 'QuietUninstallString')).toContain(
      'Uninstall Rotavox.exe" /S',
    );
    expect(await wine.registry(uninstallEntry, 'DisplayVersion')).toContain('unofficial');
    expect(await wine.registry(signInEntries, 'com.rotavox.desktop')).toContain('Rotavox.exe" --hidden');
    expect(await wine.registry(String.raw`${linkScheme}\shell\open\command`)).toContain('" -- "%1"');
    expect(existsSync(home('AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Rotavox.lnk'))).toBe(true);
    expect(await wine.done('cmd', '/c', 'rotavox --version')).toBe(`${packageJson.version}\n`);
    expect(await wine.done('cmd', '/c', 'rotavox --help')).toContain('$ rotavox serve');
  });

  it('rotate a token that programs get, with the vault of Windows and with a file', async () => {
    writeFileSync(join(wine.drive, 'passphrase.txt'), 'correct horse battery staple\n');
    const inFile = ['--vault', 'file', '--vault-passphrase-file', String.raw`C:\passphrase.txt`];
    for (const [folder, options] of [
      [null, []],
      [String.raw`C:\other data`, inFile],
    ] as const) {
      const here = folder === null ? dataAt('') : join(wine.drive, 'other data');
      const at = folder === null ? [] : ['--data-dir', folder];
      wine.start(command, [...at, 'serve', '--port', '0', '--json', ...options]);
      await ready(here);
      const done = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await rotavox(...at, ...args);
        expect({ args, code, stderr }).toMatchObject({ code: 0 });
        return stdout;
      };
      await done('token', 'issue', '--name', 'build', '--validity', '7', '--keep-as', 'build');
      const first = await done('get', 'build');
      await done('credential', 'rotate', 'build');
      const second = await done('get', 'build');
      expect(second).toMatch(/^rvx_\w+\n$/);
      expect(second).not.toBe(first);
      expect(await rotavox(...at, 'exec', 'build', '--', 'cmd', '/c', 'exit 7')).toMatchObject({ code: 7 });
      const shown = await done('exec', 'build', '--', 'cmd', '/c', 'echo token %ROTAVOX_TOKEN%');
      expect(shown).toContain('token ');
      expect(shown).not.toContain(second.trim());
      if (folder !== null) await kill(here);
    }
  });

  it('change nothing while the service runs, update once it has ended, and keep data and tokens', async () => {
    const token = (await rotavox('get', 'build')).stdout;
    const before = readdirSync(installedAt()).sort();
    expect(await wine.run(installer, '/S')).toMatchObject({ code: 2 });
    // With its folder named it does not go on in a copy of itself, and so its exit code is seen.
    expect(await wine.run(uninstaller, '/S', `_?=${programs}`)).toMatchObject({ code: 2 });
    expect(readdirSync(installedAt()).sort()).toEqual(before);
    expect((await rotavox('get', 'build')).stdout).toBe(token);

    await kill();
    writeFileSync(installedAt('resources/of-an-older-version.txt'), 'old');
    const { child } = wine.start(installer, ['/S', '--updated', '--force-run'], { ROTAVOX_PORT: '0' });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(existsSync(installedAt('resources/of-an-older-version.txt'))).toBe(false);
    await ready(); // the installer has started it
    expect((await rotavox('get', 'build')).stdout).toBe(token);
    expect(await rotavox('history', '--verify')).toMatchObject({ code: 0 });
    await kill();
  });

  it('show a window in which a token is issued, and the window of a menu for a link', async () => {
    // For Wine 10 only: it has no IsWindowArranged, which Electron calls for each window, and ends the program there. IsIconic is of the
    // same type.
    const file = installedAt('Rotavox.exe');
    const bytes = readFileSync(file, 'latin1').replaceAll('IsWindowArranged\0', 'IsIconic'.padEnd(17, '\0'));
    writeFileSync(file, bytes, 'latin1');
    const port = String(await freePort());
    // Chromium draws nothing in a window that is covered, which Wine may say of one that nothing covers: then no press is taken.
    const drawn = [
      '--disable-gpu',
      '--disable-backgrounding-occluded-windows',
      '--disable-features=CalculateNativeWinOcclusion',
    ];
    wine.start(app, [...drawn, `--remote-debugging-port=${port}`], { ROTAVOX_PORT: '0' });
    await ready();
    let browser: Browser | undefined;
    try {
      await expect
        .poll(
          async () => {
            browser ??= await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => undefined);
            return pathsOf(browser).includes('/');
          },
          { timeout: slowMs },
        )
        .toBe(true);
      const page = pagesOf(browser).find((one) => new URL(one.url()).pathname === '/')!;
      page.setDefaultTimeout(slowMs);
      await page.getByRole('link', { name: 'Tokens', exact: true }).click();
      await page.getByRole('button', { name: 'Issue a token…' }).first().click();
      const dialog = new IssueDialog(page);
      await dialog.name.fill('nightly');
      await dialog.access('Full access').check();
      await dialog.submit.click();
      const token = (await dialog.value.textContent()) ?? '';
      await dialog.copyCommand.waitFor();
      await dialog.close.click();
      expect((await rotavox('get', 'nightly')).stdout).toBe(`${token}\n`);

      wine.start(app, ['--disable-gpu', '--', 'rotavox://ivr/abc']);
      await expect.poll(() => pathsOf(browser), { timeout: slowMs }).toContain('/ivr/abc');
    } finally {
      await browser?.close();
      // The tests that follow start it again.
      await kill();
    }
  });

  it('have a running app quit before they replace it, also silently', async () => {
    wine.start(app, ['--hidden'], { ROTAVOX_PORT: '0' });
    await ready();
    await wine.done(installer, '/S');
    expect(existsSync(dataAt('runtime.json'))).toBe(false); // it ended by itself
    wine.start(app, ['--hidden'], { ROTAVOX_PORT: '0' });
    await ready();
    expect((await rotavox('get', 'build')).stdout).toMatch(/^rvx_\w+\n$/);
    await wine.done(app, '--quit');
    expect(existsSync(dataAt('runtime.json'))).toBe(false);
  });

  it('run scripts of Windows with a token, by name those in PATH and none in the working folder', async () => {
    script('tools/npmx.cmd', '@if "%ROTAVOX_TOKEN%"=="" exit /b 1', '@echo %1', '@exit /b 5');
    script('checkout/npmx.cmd', '@echo planted', '@exit /b 6');
    script('checkout/planted.cmd', '@echo planted');
    const line = `@"${command}" exec build -- %1 "one & two"`;
    script('checkout/run.cmd', String.raw`@cd /d C:\checkout`, line, '@exit /b %errorlevel%');
    wine.start(command, ['serve', '--port', '0', '--json']);
    await ready();
    for (const [program, code, printed] of [
      [String.raw`C:\tools\npmx.cmd`, 5, 'one & two'],
      ['npmx', 5, 'one & two'],
      [String.raw`.\npmx`, 6, 'planted'],
      ['planted', 127, ''],
    ] as const) {
      const how = ['/c', String.raw`C:\checkout\run.cmd`, program];
      const { child, said } = wine.start('cmd', how, { WINEPATH: String.raw`C:\tools` });
      expect([program, ...((await once(child, 'exit')) as unknown[])]).toEqual([program, code, null]);
      expect(said('out')).toContain(printed);
    }
  });

  it('deliver a token to a script and to a file that another program has open, and end what a script starts', async () => {
    const addTarget = (...args: string[]): Promise<Ended> =>
      rotavox('credential', 'target', 'build', 'add', ...args);
    const at = (file: string): string => readFileSync(join(wine.drive, file), 'utf8').trim();
    script('tools/take.cmd', '@set /p TOKEN=', String.raw`@echo %TOKEN%>C:\taken.txt`);
    expect(await addTarget('hook', '--', String.raw`C:\tools\take.cmd`)).toMatchObject({ code: 0 });
    expect(await addTarget('file', String.raw`C:\held.txt`)).toMatchObject({ code: 0 });
    const before = at('taken.txt');
    expect(at('held.txt')).toBe(before);

    script('tools/hold.cmd', ':wait', String.raw`@if not exist C:\go.txt goto wait`);
    const holder = wine.start('cmd', ['/c', String.raw`C:\tools\hold.cmd <C:\held.txt`]);
    await expect.poll(() => isRunning('hold.cmd'), { timeout: 30_000 }).toBe(true);
    const rotation = rotavox('credential', 'rotate', 'build');
    const current = async (): Promise<string> => (await rotavox('get', 'build')).stdout.trim();
    await expect.poll(current, { timeout: 30_000 }).not.toBe(before);
    expect(at('held.txt')).toBe(before);
    writeFileSync(join(wine.drive, 'go.txt'), '');
    expect(await once(holder.child, 'exit')).toEqual([0, null]);
    expect(await rotation).toMatchObject({ code: 0 });
    const token = await current();
    for (const file of ['taken.txt', 'held.txt'])
      await expect.poll(() => at(file), { timeout: 30_000 }).toBe(token);

    script('tools/forever.cmd', ':again', '@goto again');
    script('tools/leave.cmd', String.raw`@cmd /c C:\tools\forever.cmd`);
    const late = await addTarget('hook', '--time-limit', '1', '--', String.raw`C:\tools\leave.cmd`);
    expect(late.stderr).toContain('did not end within 1 s');
    await expect.poll(() => isRunning('forever.cmd'), { timeout: 30_000 }).toBe(false);
    await kill();
  });

  it('remove themselves and keep the data, which a new installation has', async () => {
    const data = readdirSync(dataAt('')).sort();
    await wine.done(uninstaller, '/S');
    await expect.poll(() => existsSync(installedAt()), { timeout: 30_000 }).toBe(false);
    expect(await wine.registry(uninstallEntry, 'DisplayName')).toBe(null);
    expect(await wine.registry(signInEntries, 'com.rotavox.desktop')).toBe(null);
    expect(await wine.registry(linkScheme)).toBe(null);
    expect(await wine.registry(environment, 'Path')).toBe(null);
    expect(existsSync(home('AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Rotavox.lnk'))).toBe(false);
    expect(readdirSync(dataAt('')).sort()).toEqual(data);

    await wine.done(installer, '/S', '/NOPATH');
    expect(await wine.registry(environment, 'Path')).toBe(null);
    wine.start(command, ['serve', '--port', '0', '--json']);
    await ready();
    expect((await rotavox('get', 'build')).stdout).toMatch(/^rvx_\w+\n$/);
  });
});

/** Whether a Windows program runs that has this in its command line. */
function isRunning(part: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(part);
    } catch {
      return false; // no process, or one that has ended
    }
  });
}

function pagesOf(browser: Browser | undefined): Page[] {
  return browser?.contexts().flatMap((context) => context.pages()) ?? [];
}

function pathsOf(browser: Browser | undefined): string[] {
  return pagesOf(browser).map((page) => new URL(page.url()).pathname);
}
