/**
 * The Debian package in a clean system, from its installation to its removal, as root and as an ordinary account do it.
 *
 * What it depends on comes from Debian's own package sources, as it does for everybody.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { RunningApp } from '../journeys/electron/running-app.ts';
import { IssueDialog } from '../journeys/pages/issue-dialog.ts';
import { root as checkout } from '../tools/root.ts';
import { DebianSystem } from './debian-system.ts';
import { done, run, useInstalled } from './installed-program.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** What the keyring of the session holds. */
const keyringItems =
  'gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets/collection/login ' +
  '--method org.freedesktop.DBus.Properties.Get org.freedesktop.Secret.Collection Items';
/** Starts the app, and ends it once it has said why it cannot start; its dialog waits for a person. */
const untilRefused =
  'mkfifo /tmp/said; /opt/Rotavox/rotavox >/tmp/said 2>&1 & app=$!; timeout 30 grep -m 1 "Rotavox could not start" </tmp/said; kill $app; ' +
  'wait $app; rm /tmp/said';

/** On other systems and for other accounts there is nothing to make a Debian with: they have the proof of the checks. */
describe.skipIf(!isRoot)('the Debian package', { timeout: 600_000 }, () => {
  let system: DebianSystem;
  let file: string;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(checkout, 'src/launcher/pack.ts'), '--deb'], { stdio: 'inherit' });
    const [made] = readdirSync(join(checkout, 'release')).filter((name) => name.endsWith('.deb'));
    system = await DebianSystem.make();
    file = `/root/${basename(made!)}`;
    cpSync(join(checkout, 'release', made!), join(system.root, file));
    // What it recommends itself, and not what its dependencies recommend, which are as many packages again.
    const recommended = system.asRoot(`dpkg-deb --field ${file} Recommends`).trim().split(', ');
    system.install([file, ...recommended.map((names) => names.split(' | ')[0] ?? names)]);
  }, 900_000);
  afterAll(() => system.remove());
  afterEach(async () => {
    for (const line of app()) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    await expect.poll(app).toEqual([]);
  });

  const home = (path: string): string => join(system.root, 'home/alice', path);
  const app = (): string[] => system.processes().filter((line) => line.includes(' /opt/Rotavox/rotavox'));
  const start = (...args: string[]): RunningApp => {
    const [executablePath, ...entering] = system.startInSession('/opt/Rotavox/rotavox');
    return new RunningApp({ executablePath, args: [...entering, ...args], env: process.env });
  };
  const quit = async (): Promise<void> => {
    const first = app().find((line) => !line.includes(' --type='));
    process.kill(Number.parseInt(first!, 10), 'SIGTERM');
    await expect.poll(app, { timeout: 60_000 }).toEqual([]);
  };

  it('brings all that it is linked with, and its command, link scheme, man page, icon and completions', () => {
    expect(system.asRoot('ldd /opt/Rotavox/rotavox')).not.toContain('not found');
    expect(system.asRoot('dpkg --verify rotavox')).toBe('');
    const { terminal } = system;
    expect(done(terminal, 'rotavox --version')).toBe(`${packageJson.version}\n`);
    expect(done(terminal, 'xdg-mime query default x-scheme-handler/rotavox')).toBe('rotavox.desktop\n');
    expect(done(terminal, 'bash -n /usr/share/bash-completion/completions/rotavox')).toBe('');
    expect(done(terminal, 'zcat /usr/share/man/man1/rotavox.1.gz')).toContain('.TH ROTAVOX');
    expect(run(terminal, 'node --version').code).toBe(127);
    expect(existsSync(join(system.root, 'usr/share/icons/hicolor/48x48/apps/rotavox.png'))).toBe(true);
    expect(run(terminal, 'rotavox app').stderr).toContain('desktop');
  });

  it('shows a window in which a token is issued that a terminal gets, in a sandbox, with an icon in the panel', async () => {
    const desktop = 'xvfb xauth dbus-x11 xfce4-panel adwaita-icon-theme libglib2.0-bin libgtk-3-bin';
    system.install(desktop.split(' '));
    await system.beginSession();
    const running = start();
    const page = await running.firstPage();
    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    // Nothing has been stored yet, not even a key of Chromium's, for which a locked keyring would ask for its password.
    expect(done(system.terminal, keyringItems)).toContain('@ao []');
    await page.getByRole('button', { name: 'Issue a token…' }).first().click();
    const dialog = new IssueDialog(page);
    await dialog.name.fill('nightly');
    await dialog.access('Full access').check();
    await dialog.submit.click();
    const token = (await dialog.value.textContent()) ?? '';
    // Shown once the token is stored; before that, the dialog does not close at once.
    await dialog.copyCommand.waitFor();
    await dialog.close.click();
    expect(done(system.terminal, 'rotavox get nightly')).toBe(`${token}\n`);
    expect(done(system.terminal, keyringItems)).not.toContain('@ao []');

    const renderer = app().find((line) => line.includes('--type=renderer'));
    const status = readFileSync(`/proc/${Number.parseInt(renderer!, 10)}/status`, 'utf8');
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^Uid:\s+1000\s/m);
    expect(app().join('\n')).not.toContain('--no-sandbox');
    const items =
      'gdbus call --session --dest org.kde.StatusNotifierWatcher --object-path /StatusNotifierWatcher ' +
      '--method org.freedesktop.DBus.Properties.Get org.kde.StatusNotifierWatcher RegisteredStatusNotifierItems';
    await expect
      .poll(() => done(system.terminal, items), { timeout: 20_000 })
      .toContain('StatusNotifierItem');

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('group', { name: 'Open at login' }).getByRole('switch').click();
    await expect.poll(() => existsSync(home('.config/autostart/rotavox.desktop'))).toBe(true);
    expect(await running.endBy('SIGTERM')).toBe(0);
    await expect.poll(app).toEqual([]);
    expect(run(system.terminal, 'rotavox get nightly').code).toBe(3);
  });

  it('starts hidden at login, from the menu with its window, and serves a terminal', async () => {
    const entry = readFileSync(home('.config/autostart/rotavox.desktop'), 'utf8');
    const command = /^Exec=(.*)$/m.exec(entry)?.[1] ?? '';
    expect(command).toContain('/opt/Rotavox/rotavox');
    done(system.terminal, `${command} >/dev/null 2>&1 &`);
    await expect.poll(() => run(system.terminal, 'rotavox status').code, { timeout: 30_000 }).toBe(0);
    const status = JSON.parse(done(system.terminal, 'rotavox status --json')) as { base_url: string };
    await useInstalled(system.terminal, { base_url: status.base_url });
    expect(app().filter((line) => line.includes('--type=renderer'))).toEqual([]);
    done(system.terminal, 'gtk-launch rotavox');
    await expect
      .poll(() => app().some((line) => line.includes('--type=renderer')), { timeout: 20_000 })
      .toBe(true);
    await quit();
  });

  it('opens the data of the first version, and changes nothing in data of a newer one', async () => {
    const data = home('.config/Rotavox/data');
    const mine = home('mine');
    cpSync(data, mine, { recursive: true });
    const useFolder = (from: string): void => {
      rmSync(data, { recursive: true });
      cpSync(from, data, { recursive: true });
      system.asRoot(
        'chown -R alice:alice /home/alice/.config/Rotavox && chmod -R go= /home/alice/.config/Rotavox',
      );
    };
    useFolder(join(checkout, 'test/fixtures/formats/1'));
    done(system.terminal, 'rotavox app');
    await expect.poll(() => run(system.terminal, 'rotavox status').code, { timeout: 30_000 }).toBe(0);
    const { tokens } = JSON.parse(done(system.terminal, 'rotavox token list --json')) as {
      tokens: unknown[];
    };
    expect(tokens.length).toBeGreaterThan(0);
    await quit();

    const state = join(data, 'state.json');
    const newer = readFileSync(state, 'utf8').replace(/"format":\s*\d+/, '"format":99');
    expect(newer).toContain('"format":99');
    writeFileSync(state, newer);
    const refused = run(system.terminal, 'rotavox serve --port 0');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Install the newer version');
    expect(readFileSync(state, 'utf8')).toBe(newer);
    useFolder(mine);
  });

  it('says why it cannot start: a home that is read-only or full, and a service with the same data', () => {
    const smallHome =
      'cp -a /home/alice/.desktop /tmp/ && mount -t tmpfs -o size=1m none /home/alice && mv /tmp/.desktop /home/alice/';
    const readOnly = `${smallHome} && mount -o remount,ro /home/alice`;
    const full = `${smallHome} && chown alice /home/alice && ! head -c 2M /dev/zero >/home/alice/fill`;
    for (const [mounts, words] of [
      [readOnly, 'is on a read-only disk'],
      [full, 'is on a full disk'],
    ] as const) {
      const terminal = system.terminalWith(mounts);
      expect(run(terminal, 'rotavox serve --port 0')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(words) as string,
      });
      expect(run(terminal, untilRefused).stdout).toContain(words);
    }
    const beside =
      `rotavox serve --port 0 --json >/tmp/served & served=$!; until [ -s /tmp/served ]; do sleep 0.1; done; ` +
      `${untilRefused}; kill $served; wait $served`;
    expect(run(system.terminal, beside).stdout).toContain('already runs with the data folder');
  });

  it('says which Node the npm package needs, under the one of this Debian', () => {
    const there = join(system.root, 'srv/rotavox/out');
    for (const part of ['cli', 'chunks'])
      cpSync(join(checkout, 'out', part), join(there, part), { recursive: true });
    cpSync(join(checkout, 'package.json'), join(there, '..', 'package.json'));
    system.install(['nodejs']);
    const { code, stdout, stderr } = run(system.terminal, 'node /srv/rotavox/out/cli/index.js --version');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Rotavox [\d.]+ needs Node 22\.15 or newer, and \/usr\/bin\/node is Node 18\.[^\n]*\n$/,
    );
  });

  it('leaves nothing half installed where the disk is full, and installs once there is space', () => {
    system.asRoot('apt-get purge -y rotavox');
    const tooSmall = 'mkdir -p /opt && mount -t tmpfs -o size=50m none /opt';
    const tried = system.asRoot(`apt-get install -y ${file} 2>&1 || true; ls -A /opt`, tooSmall);
    expect(tried).toContain('No space left on device');
    expect(tried).toMatch(/\(1\)\s*$/); // nothing listed after apt's last line
    expect(existsSync(join(system.root, 'usr/bin/rotavox'))).toBe(false);
    expect(system.asRoot('dpkg --audit')).toBe('');
    system.install([file]);
    expect(system.asRoot('dpkg --verify rotavox')).toBe('');
    expect(done(system.terminal, 'rotavox --version')).toBe(`${packageJson.version}\n`);
  });

  it('keeps the data when it is removed or purged, and says where they are', () => {
    const removed = system.asRoot('apt-get remove -y rotavox');
    expect(existsSync(join(system.root, 'opt/Rotavox'))).toBe(false);
    expect(existsSync(join(system.root, 'usr/bin/rotavox'))).toBe(false);
    expect(removed).not.toContain('directory not empty');
    expect(removed).toContain('~/.config/Rotavox');
    expect(existsSync(home('.config/Rotavox/data/state.json'))).toBe(true);
    expect(system.asRoot('apt-get purge -y rotavox')).toContain('~/.config/Rotavox');
    expect(existsSync(home('.config/Rotavox/data/state.json'))).toBe(true);
  });
});
