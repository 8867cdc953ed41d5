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
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandFailure } from '../../src/cli/command-failure.ts';
import { startDesktopApp } from '../../src/cli/start-app.ts';
import { appStartText } from '../../src/text/service/app-start.ts';
import { desktopLine } from '../../src/text/service/desktop-text.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

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
