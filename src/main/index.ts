/*
 * The Electron shell around the host: life cycle, tray, windows, notices, the bridge. No business.
 *
 * Here: one instance per data folder, starting and closing the host, what a desktop adds. Not here: anything that a
 * browser window or the command line would need too; that belongs to the service. This room may import host and
 * contract only. Start reading at run(), then desktop.ts (what ties all together), tray/tray-view.ts (what the tray
 * says) and windows/app-windows.ts (what a window may do).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { HostError } from '../host/host-error.ts';
import type { Host } from '../host/start-host.ts';
import { Desktop } from './desktop.ts';
import { hostOptionsOf } from './host-options.ts';
import { endAfterBug } from './report-bug.ts';
import { ShellMemory } from './shell-memory.ts';
import { startWishOf } from './start-options.ts';
import { linkScheme, overview, type Place, placeOfLink } from './windows/place.ts';

/** How long quitting waits for the host to finish what it acknowledged, in milliseconds. */
const closeLimitMs = 10_000;

let host: Host | undefined;
let desktop: Desktop | undefined;
/** What was asked for before there was a desktop to show it on. */
let wanted: Place | null = null;
let isEnding = false;

function run(): void {
  keepProfileBesideItsData();
  const memory = new ShellMemory(join(app.getPath('userData'), 'desktop.json'));
  const onBug = (error: unknown): void => {
    if (isEnding) return;
    isEnding = true;
    void endAfterBug(error, { memory, close: closeAll });
  };
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });

  const wish = startWishOf(process.argv);
  if (!app.requestSingleInstanceLock()) {
    process.stderr.write(
      wish.isHidden
        ? 'Rotavox is already running with this data folder.\n'
        : 'Rotavox is already running with this data folder; its window was brought to the front.\n',
    );
    app.exit(0);
    return;
  }
  app.on('second-instance', (_event, argv) => {
    const { isHidden, place } = startWishOf(argv);
    if (!isHidden) show(place ?? overview);
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    const place = placeOfLink(link);
    if (place !== undefined) show(place);
  });
  app.on('activate', () => show(overview));
  app.on('window-all-closed', () => undefined); // the tray and the service go on
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') {
      process.stderr.write(`Rotavox: a helper process (${type}) ended (${reason}); the service goes on.\n`);
    }
  });
  app.on('before-quit', () => void desktop?.end());
  app.on('will-quit', (event) => {
    event.preventDefault();
    void quit();
  });
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  app.setAppUserModelId('com.rotavox.desktop'); // Windows: notices are ours only under the installer's appId

  app
    .whenReady()
    .then(() => startApp(memory, wish))
    .catch(onBug);
}

async function startApp(
  memory: ShellMemory,
  { isHidden, place }: ReturnType<typeof startWishOf>,
): Promise<void> {
  // Only now: Chromium installs handlers of its own while it starts, and a second signal to those ends us at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  process.send?.('up'); // tells the launcher that Electron itself works here
  desktop = new Desktop(memory);
  if (!isHidden && !app.getLoginItemSettings().wasOpenedAtLogin) show(wanted ?? place ?? overview);
  host = await startOrExplain();
  if (host !== undefined) desktop.open(host);
}

function show(place: Place): void {
  wanted = place;
  desktop?.show(place);
}

/** The running host, or nothing after a reason that is the person's to mend was shown and the end was set in motion. */
async function startOrExplain(): Promise<Host | undefined> {
  try {
    const options = hostOptionsOf(process.env);
    // Only now: reading all of the service takes longer than putting up the tray.
    const { startHost } = await import('../host/start-host.ts');
    return await startHost({ ...options, windowsDir: join(import.meta.dirname, '..', 'renderer') });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    process.stderr.write(`Rotavox could not start: ${error.message}\n`);
    await desktop?.end();
    dialog.showErrorBox('Rotavox could not start', error.message);
    app.exit(1);
    return undefined;
  }
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
async function quit(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  app.exit((await closeAll()) ? 0 : 1);
}

/** Closes the shell and the host. Answers whether that went as it should. */
async function closeAll(): Promise<boolean> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(new Error(`not within ${closeLimitMs / 1000} s`)), closeLimitMs);
  });
  try {
    await Promise.race([closeInOrder(), late]);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Rotavox: the service did not close cleanly: ${why}\n`);
    return false;
  } finally {
    clearTimeout(limit);
  }
}

async function closeInOrder(): Promise<void> {
  await desktop?.end();
  await host?.close();
  await desktop?.installUpdate();
}

run();
