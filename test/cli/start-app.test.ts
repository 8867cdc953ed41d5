import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandFailure } from '../../src/cli/command-failure.ts';
import { startDesktopApp } from '../../src/cli/start-app.ts';
import { appStartText } from '../../src/text/service/app-start.ts';
import { desktopLine } from '../../src/text/service/desktop-text.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { findDesktopApp } from '../../src/cli/desktop-app.ts';
import { ShellMemory } from '../../src/main/shell-memory.ts';
import { rotavox } from './rotavox.ts';
import { withIo } from '../../src/cli/command-io.ts';
import { asCalledHere, rememberDataDir } from '../../src/cli/own-command.ts';
import { commandLineOf } from '../../src/host/command-line.ts';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { isOlderNode } from '../../src/cli/is-older-node.ts';

/** A program in place of the app: what it prints and how it ends. */
function programOf(script: string): string {
  const file = join(makeFolder(), 'Rotavox.AppImage');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

interface Tried {
  readonly lines: readonly string[];
  readonly failed: boolean;
  readonly log: string;
}

/** Starts a program as the app, and answers what the person is told. */
async function start(script: string, dataDir = join(makeFolder(), 'data'), limitMs = 2_000): Promise<Tried> {
  const program = programOf(script);
  const env = { ...process.env, DISPLAY: ':77', DATA: dataDir };
  const told = await startDesktopApp({ program: [program], dataDir, env, limitMs }).then(
    (lines) => ({ lines, failed: false }),
    (error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error;
      return { lines: error.lines, failed: true };
    },
  );
  const [, log = ''] = /(\/\S+\.log)\.$/m.exec(told.lines.join('\n')) ?? [];
  return { ...told, log };
}

/** The address of something that answers as the health of a service does. */
async function healthy(): Promise<string> {
  const server = createServer((_request, answer) => void answer.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes what a service that runs writes. */
function runtimeOf(url: string): string {
  return `mkdir -p "$DATA" && printf '{"pid":${process.pid},"base_url":"${url}","portal_key":"k"}' >"$DATA/runtime.json"`;
}

describe('starting the desktop app', () => {
  it('waits until its service answers, and says where what it prints is', async () => {
    const url = await healthy();
    const { lines, failed, log } = await start(`sleep 0.3; ${runtimeOf(url)}; echo Hello >&2; exec sleep 3`);
    expect({ failed, lines }).toEqual({
      failed: false,
      lines: [appStartText.up(url), appStartText.log(log)],
    });
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it('says that it is still starting when it takes longer', async () => {
    const { lines, failed } = await start('exec sleep 3', undefined, 300);
    expect({ failed, first: lines[0] }).toEqual({ failed: false, first: appStartText.still(0.3) });
  });

  it('says that one was running, which shows its window, whatever the exit code', async () => {
    const dataDir = makeFolder();
    const shown = await start(`echo '${desktopLine.windowShown}' >&2`, dataDir);
    expect(shown.lines).toEqual([appStartText.shown]);
    const hidden = await start(`echo '${desktopLine.alreadyRunning}' >&2`, dataDir);
    expect(hidden.lines).toEqual([appStartText.runsAlready]);
  });

  it('says from a checkout why there is no window, where the service alone runs', async () => {
    const url = await healthy();
    const why = 'No window can open: the display refuses. Starting without one; sign in with a browser.';
    const { lines } = await start(`echo '${why}' >&2; ${runtimeOf(url)}; exec sleep 3`);
    expect(lines.slice(0, 2)).toEqual(appStartText.withoutWindow(why, url));
  });

  it('does not take the service for the one of the app that was there before', async () => {
    const url = await healthy();
    const dataDir = makeFolder();
    writeFileSync(
      join(dataDir, 'runtime.json'),
      JSON.stringify({ pid: process.pid, base_url: url, portal_key: 'k' }),
    );
    const said = 'The data folder is in use by process 4711 (rotavox serve).';
    const { lines, failed } = await start(
      `echo '${desktopLine.notStarted(said)}' >&2; exec sleep 3`,
      dataDir,
    );
    expect(failed, 'a dialog says it, and the app waits for a person').toBe(true);
    expect(lines.join('\n')).toContain(said);
  });

  // What Chromium 140, glibc 2.36, Xlib and the runtime of AppImages print.
  it.each([
    [
      '/dev/shm that only root may write to',
      `echo '[1:1:FATAL:base/memory/platform_shared_memory_region_posix.cc:220] This is frequently caused by incorrect permissions on /dev/shm.  Try 'sudo chmod 1777 /dev/shm' to fix.' >&2; kill -TRAP $$`,
      /ended by SIGTRAP.*\/dev\/shm.*chmod 1777/s,
    ],
    [
      '/dev/shm of 64 KB',
      `echo '[1:1:ERROR:base/memory/platform_shared_memory_region_posix.cc:46] Creating shared memory in /dev/shm/.org.chromium.Chromium.QsV8zX failed: No space left on device (28)' >&2; kill -BUS $$`,
      /ended by SIGBUS.*too small/s,
    ],
    [
      'a sandbox helper without setuid',
      `echo '[1:1:FATAL:sandbox/linux/suid/client/setuid_sandbox_host.cc:169] The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I'"'"'m aborting now.' >&2; kill -TRAP $$`,
      /mode 4755.*\.deb/s,
    ],
    [
      'no user namespaces (Ubuntu 24.04)',
      `echo '[1:1:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu 23.10+ or another Linux distro that has disabled unprivileged user namespaces with AppArmor, see …' >&2; kill -TRAP $$`,
      /AppArmor/,
    ],
    [
      'a display without a server',
      `echo '[1:1:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:249] Missing X server or $DISPLAY' >&2; echo '[1:1:ERROR:ui/aura/env.cc:257] The platform failed to initialize.  Exiting.' >&2; kill -SEGV $$`,
      /No display answers at :77/,
    ],
    [
      'the display of somebody else',
      `echo 'Authorization required, but no authorization protocol specified' >&2; echo '[1:1:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:249] Missing X server or $DISPLAY' >&2; exit 1`,
      /:77 does not let this account/,
    ],
    [
      'a library that is missing',
      `echo '/opt/Rotavox/rotavox: error while loading shared libraries: libgbm.so.1: cannot open shared object file: No such file or directory' >&2; exit 127`,
      /exit code 127.*libgbm\.so\.1/s,
    ],
    [
      'an AppImage without FUSE',
      `echo 'dlopen(): error loading libfuse.so.2' >&2; echo 'AppImages require FUSE to run.' >&2; exit 127`,
      /libfuse2/,
    ],
    [
      'root',
      `echo '[1:1:FATAL:electron/shell/app/electron_main_delegate.cc:278] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.' >&2; kill -TRAP $$`,
      /no windows for root/,
    ],
    [
      'what nobody knows',
      `echo one >&2; echo two >&2; exit 3`,
      /exit code 3.*printed at last:\n {2}one\n {2}two/s,
    ],
    ['nothing', 'exit 0', /exit code 0 before it was up.*printed nothing/s],
  ])('ends with the cause and what to do: %s', async (_what, script, words) => {
    const { lines, failed, log } = await start(script);
    expect(failed).toBe(true);
    expect(lines.join('\n')).toMatch(words);
    expect(lines.at(-1)).toContain('`rotavox serve` needs no display');
    expect(existsSync(log)).toBe(true);
  });

  it('keeps the logs of the last five runs in the data folder, for the account alone', async () => {
    const dataDir = makeFolder();
    const logs = join(dataDir, 'logs');
    mkdirSync(logs);
    writeFileSync(join(logs, 'notes.txt'), 'of a person');
    for (let run = 1; run <= 7; run += 1) {
      const { log } = await start(`echo run ${run} >&2; exit 1`, dataDir);
      expect(dirname(log)).toBe(logs);
    }
    const names = readdirSync(logs).sort();
    expect(names).toHaveLength(6);
    expect(
      names.filter((name) => name !== 'notes.txt').map((name) => readFileSync(join(logs, name), 'utf8')),
    ).toEqual([3, 4, 5, 6, 7].map((run) => `run ${run}\n`));
  });
});

function found(programDir: string, platform: NodeJS.Platform, ...files: string[]) {
  const environment = { HOME: '/home/me', LOCALAPPDATA: 'C:\\Local' };
  return findDesktopApp(programDir, { platform, environment, has: (file) => files.includes(file) });
}

it('the desktop app is that of the same package, of the checkout, or where installers put it', () => {
  expect(found('/app/resources', 'linux', '/app/rotavox', '/opt/Rotavox/rotavox')).toEqual(['/app/rotavox']);
  expect(found('/npm/rotavox', 'linux', '/opt/Rotavox/rotavox')).toEqual(['/opt/Rotavox/rotavox']);
  const mac = '/home/me/Applications/Rotavox.app/Contents/MacOS/Rotavox';
  expect(found('/npm/rotavox', 'darwin', mac)).toEqual([mac]);
  const windows = join('C:\\Local', 'Programs', 'Rotavox', 'Rotavox.exe');
  expect(found('/npm/rotavox', 'win32', windows)).toEqual([windows]);
  const launcher = '/checkout/src/launcher/start.ts';
  expect(found('/checkout', 'linux', launcher)).toEqual([process.execPath, launcher]);
  expect(found('/npm/rotavox', 'linux')).toBeNull();
});

it('the desktop app is the AppImage that last ran, where none is installed', () => {
  const homeDir = makeFolder();
  const memory = join(homeDir, '.config', 'Rotavox', 'desktop.json');
  const appImage = '/home/me/Rotavox.AppImage';
  const look = (...files: string[]) =>
    findDesktopApp('/npm/rotavox', {
      platform: 'linux',
      environment: {},
      homeDir,
      has: (file) => files.includes(file),
    });
  expect(look(appImage)).toBeNull();
  new ShellMemory(memory).keepAppImage(null);
  expect(look(appImage)).toBeNull();
  new ShellMemory(memory).keepAppImage(appImage);
  expect(look(appImage)).toEqual([appImage]);
  expect(look(appImage, '/opt/Rotavox/rotavox')).toEqual(['/opt/Rotavox/rotavox']);
  expect(look(), 'it was moved away').toBeNull();
  writeFileSync(memory, '{');
  expect(look(appImage)).toBeNull();
});

it.runIf(process.platform === 'linux')('`app` says what to do where there is no display', async () => {
  const { code, stdout, stderr } = await rotavox(['app'], { env: { DISPLAY: '', WAYLAND_DISPLAY: '' } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('needs a display');
  expect(stderr).toContain('`rotavox serve`');
});

const run = (...args: string[]) => spawnSync(builtFile('rotavox'), args, { encoding: 'utf8' });

const own = "node '/opt/rotavox/out/cli/index.js'";

it('commands in our texts are shown as they are called here, other words as they are', () => {
  expect(asCalledHere('Start it with `rotavox serve`.', own)).toBe(`Start it with \`${own} serve\`.`);
  expect(asCalledHere('To do: rotavox status', own)).toBe(`To do: ${own} status`);
  expect(asCalledHere('To do    rotavox status', own)).toBe(`To do    ${own} status`);
  expect(asCalledHere('  $ curl "$(rotavox get pbx)"\n  $ rotavox get pbx', own)).toBe(
    `  $ curl "$(${own} get pbx)"\n  $ ${own} get pbx`,
  );
  const io = { ...process, env: process.env };
  withIo(io, () => {
    rememberDataDir('/srv/data');
    expect(asCalledHere('Start it with `rotavox serve`.', own)).toBe(
      `Start it with \`${own} --data-dir '/srv/data' serve\`.`,
    );
    const named = '`rotavox serve --data-dir FOLDER` starts it, and `rotavox open` opens it.';
    expect(asCalledHere(named, 'rotavox')).toBe(
      "`rotavox serve --data-dir FOLDER` starts it, and `rotavox --data-dir '/srv/data' open` opens it.",
    );
  });
  for (const text of ['Usage: rotavox get', 'rotavox failed', 'the folder /srv/rotavox data', 'rotavox-ivr'])
    expect(asCalledHere(text, own)).toBe(text);
});

it('errors of a checkout name the command that its build has written', () => {
  expect(commandLineOf(checkoutDir)).toBe('rotavox');
  expect(run('status', '--data-dir', '/no where').stderr).toContain("`rotavox --data-dir '/no where' serve`");
});

it('so does the help of a checkout', { tags: ['long'] }, () => {
  expect(run('get', '--help').stdout).toContain('$ rotavox get pbx');
});

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
