/*
 * The Electron shell around the host: lifecycle, windows, the bridge. No business.
 *
 * Here: one instance per data folder, starting and closing the host, the native error box. Not here: anything that a
 * browser window or the command line would need too; that belongs to the service. This room may import host and
 * contract only. Start reading at run(), then window.ts (what a window may do) and bridge.ts (what it may ask of us).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { app, dialog, powerMonitor } from 'electron';

import { HostError } from '../host/host-error.ts';
import { startHost } from '../host/start-host.ts';
import type { Host, HostOptions } from '../host/start-host.ts';
import { setAppMenu } from './app-menu.ts';
import { serveBridge } from './bridge.ts';
import { createWindow, showWindow, windowAddress } from './window.ts';

/** How long quitting waits for the host to finish what it acknowledged. */
const closeLimitMs = 10_000;

let host: Host | undefined;
let isQuitting = false;

function run(): void {
  process.on('uncaughtException', (error) => void reportBug(error));
  process.on('unhandledRejection', (reason) => void reportBug(reason));
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });

  keepProfileBesideItsData();
  if (!app.requestSingleInstanceLock()) {
    process.stderr.write(
      'Rotavox is already running with this data folder; its window was brought to the front.\n',
    );
    app.exit(0);
    return;
  }
  app.on('second-instance', () => {
    if (host !== undefined) showWindow(host);
  });
  app.on('activate', () => {
    if (host !== undefined) showWindow(host);
  });
  app.on('window-all-closed', () => app.quit()); // until there is a tray to live in
  app.on('will-quit', (event) => {
    event.preventDefault();
    void quit(0);
  });

  app.whenReady().then(startApp).catch(reportBug);
}

async function startApp(): Promise<void> {
  // Only now: Chromium installs handlers of its own while it starts, and a second signal to those ends us at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  process.send?.('up'); // tells the launcher that Electron itself works here
  setAppMenu();
  const running = await startOrExplain();
  if (running === undefined) return;
  host = running;
  powerMonitor.on('resume', () => running.wake());
  powerMonitor.on('unlock-screen', () => running.wake());
  serveBridge({ calls: { quit: () => app.quit() }, origin: new URL(windowAddress(running)).origin });
  await createWindow(running);
}

/** The running host, or nothing after a reason that is the person's to mend was shown and the end was set in motion. */
async function startOrExplain(): Promise<Host | undefined> {
  try {
    return await startHost(hostOptions(process.env));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    process.stderr.write(`Rotavox could not start: ${error.message}\n`);
    dialog.showErrorBox('Rotavox could not start', error.message);
    app.exit(1);
    return undefined;
  }
}

/** What the environment says about the host; the launcher puts its own options there, and so do the tests. */
function hostOptions(env: NodeJS.ProcessEnv): HostOptions {
  const dataDir = env['ROTAVOX_DATA_DIR'];
  const port = env['ROTAVOX_PORT'];
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new HostError(
      'ADDRESS_UNUSABLE',
      `ROTAVOX_PORT is "${port}", which is no port. Give a number from 0 (any free port) to 65535.`,
    );
  }
  return {
    windowsDir: join(import.meta.dirname, '..', 'renderer'),
    ...(dataDir ? { dataDir } : {}),
    ...(port ? { port: Number(port) } : {}),
  };
}

/**
 * Keeps Chromium's profile, and with it the single-instance lock, with the data folder that was asked for.
 *
 * Two data folders are two Rotavoxes; one data folder is one, whoever starts it.
 */
function keepProfileBesideItsData(): void {
  const dataDir = process.env['ROTAVOX_DATA_DIR'];
  if (!dataDir) return;
  const profile = join(dataDir, 'window-profile');
  try {
    mkdirSync(profile, { recursive: true, mode: 0o700 });
    app.setPath('userData', profile);
  } catch {
    // A folder that cannot be written is the host's to report: it names the folder and says what to do.
  }
}

/** Ends the process once what was acknowledged is safe, or says that it could not wait for it. */
async function quit(exitCode: number): Promise<void> {
  if (isQuitting) return;
  isQuitting = true;
  const limit = setTimeout(() => {
    process.stderr.write(
      `Rotavox: the service did not close within ${closeLimitMs / 1000} s; ending without it.\n`,
    );
    app.exit(1);
  }, closeLimitMs);
  try {
    await host?.close();
    clearTimeout(limit);
    app.exit(exitCode);
  } catch (error) {
    process.stderr.write(
      `Rotavox: the service did not close cleanly: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    app.exit(1);
  }
}

/** Reports what nobody expected, and ends: a service in an unknown state must not go on answering. */
async function reportBug(error: unknown): Promise<void> {
  const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `Rotavox ended because of an unexpected failure. This is a bug; please report it with these lines:\n${story}\n`,
  );
  if (app.isReady() && !isQuitting) {
    dialog.showErrorBox(
      'Rotavox has to end',
      `Something unexpected failed. Nothing acknowledged is lost.\n\n${story}`,
    );
  }
  await quit(1);
}

run();
