/*
 * The Electron shell around the host: life cycle, tray, windows, notices, updates, the bridge. No business.
 *
 * Here: one instance per data folder, starting and closing the host, what a desktop adds. Not here: anything that a
 * browser window or the command line would need too; that belongs to the service. This room may import host and
 * contract only. Start reading at run(), then desktop.ts (what ties all together), tray/tray-view.ts (what the tray
 * says) and windows/app-window.ts (what a window may do).
 */
import { app, dialog } from 'electron';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HostError } from '../host/host-error.ts';
import type { Host, HostOptions } from '../host/start-host.ts';
import { Desktop } from './desktop.ts';
import { endAfterBug, reportFailure } from './report-bug.ts';
import { ShellMemory } from './shell-memory.ts';
import { startAgain } from './start-again.ts';
import { hiddenFlag, hostOptionsOf, type StartRequest, startRequestOf } from './start-options.ts';
import { letIconAppear } from './tray/tray-presence.ts';
import { asItWas, linkScheme, type Place, placeOfLink } from './windows/place.ts';

/** How long quitting waits for the host to finish what it acknowledged, in milliseconds. */
const closeLimitMs = 10_000;
/** How long it waits for an update to be put in place, in milliseconds: it copies a hundred megabytes. */
const installLimitMs = 60_000;

let starting: Promise<Host | undefined> | undefined;
let desktop: Desktop | undefined;
/** What was asked for before there was a desktop to show it on. */
let wanted: Place | null = null;
/** From the request to quit on; the windows may still save what is written in them. */
let isLeaving = false;
let haveWindowsLeft = false;
let isEnding = false;
/** What a start while this run ends asked for: the next run does it. */
let askedOfNext: readonly string[] | null = null;

function run(): void {
  process.stderr.on('error', () => undefined); // whoever read our words is gone; that ends nothing
  keepProfileBesideItsData();
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });

  const wanted = startRequestOf(process.argv);
  if (!app.requestSingleInstanceLock()) {
    process.stderr.write(
      wanted.isHidden
        ? 'Rotavox is already running with this data folder.\n'
        : 'Rotavox is already running with this data folder; its window was brought to the front.\n',
    );
    app.exit(0);
    return;
  }
  app.on('second-instance', (_event, argv) => {
    const { isHidden, place } = startRequestOf(argv);
    if (isLeaving || isEnding) askedOfNext = argv.filter((one) => one === hiddenFlag || placeOfLink(one));
    else if (!isHidden) show(place ?? asItWas);
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    const place = placeOfLink(link);
    if (place === undefined) return;
    if (isLeaving || isEnding) askedOfNext = [link];
    else show(place);
  });
  app.on('activate', () => show(asItWas));
  app.on('window-all-closed', () => undefined); // the tray and the service go on
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason !== 'clean-exit') {
      process.stderr.write(`Rotavox: a helper process (${type}) ended (${reason}); the service goes on.\n`);
    }
  });
  app.on('before-quit', (event) => {
    if (desktop === undefined || haveWindowsLeft) return;
    event.preventDefault(); // what is written in a window is saved first, and that is no moment's work
    void leave(desktop);
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void quit();
  });
  setUpForWindows();

  app
    .whenReady()
    .then(() => startApp(wanted))
    .catch(onBug);
}

async function startApp({ isHidden, place }: StartRequest): Promise<void> {
  // Only now: Chromium installs handlers of its own while it starts, and a second signal to those ends us at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  process.send?.('up'); // tells the launcher that Electron itself works here
  desktop = new Desktop(new ShellMemory(join(app.getPath('userData'), 'desktop.json')));
  const isWindowWanted = !isHidden && !app.getLoginItemSettings().wasOpenedAtLogin;
  if (isWindowWanted) show(wanted ?? place ?? asItWas);
  // Who waits for a window gets that first: it needs the host, and no icon.
  starting = isWindowWanted ? startOrExplain() : startWithIcon();
  const host = await starting;
  if (host !== undefined) desktop.open(host);
}

function show(place: Place): void {
  wanted = place;
  desktop?.show(place);
}

/** Leaves the tray its moments: for the icon, and again for its words. */
async function startWithIcon(): Promise<Host | undefined> {
  await letIconAppear();
  return await startOrExplain(async (port) => {
    desktop?.look(port);
    await letIconAppear();
  });
}

/** The running host, or nothing after a reason that is the person's to mend was shown and the end was set in motion. */
async function startOrExplain(onPort?: HostOptions['onPort']): Promise<Host | undefined> {
  try {
    const options = hostOptionsOf(process.env);
    // Only now: reading all of the service takes longer than putting up the tray.
    const [{ startHost }, { commandLineOf }] = await Promise.all([
      import('../host/start-host.ts'),
      import('../host/command-line.ts'),
    ]);
    return await startHost({
      ...options,
      commandLine: app.isPackaged ? null : commandLineOf(join(import.meta.dirname, '..', '..')),
      windowsDir: join(import.meta.dirname, '..', 'renderer'),
      onPort,
    });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    process.stderr.write(`Rotavox could not start: ${error.message}\n`);
    reportFailure(explain(error), 'saying why Rotavox could not start');
    return undefined;
  }
}

/** Without blocking: somebody may end the app while the box is there. */
async function explain({ message }: HostError): Promise<void> {
  await desktop?.end();
  await dialog.showMessageBox({ type: 'error', message: 'Rotavox could not start', detail: message });
  app.exit(1);
}

/**
 * Keeps Chromium's profile, and with it the single-instance lock, with the data folder that was asked for.
 *
 * Two data folders are two Rotavoxes; one data folder is one, whoever starts it and from where: from here on its path is
 * absolute.
 */
function keepProfileBesideItsData(): void {
  const asked = process.env['ROTAVOX_DATA_DIR'];
  if (!asked) return;
  const dataDir = resolve(asked);
  process.env['ROTAVOX_DATA_DIR'] = dataDir;
  const profile = join(dataDir, 'window-profile');
  try {
    mkdirSync(profile, { recursive: true, mode: 0o700 });
    app.setPath('userData', profile);
  } catch {
    // A folder that cannot be written is the host's to report: it names the folder and says what to do.
  }
}

/** Windows knows an app by this name, and its links by what the app itself registers; elsewhere the package says both. */
function setUpForWindows(): void {
  if (process.platform !== 'win32') return;
  app.setAppUserModelId('com.rotavox.desktop');
  // What follows the two dashes is no switch, whatever a link looks like.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
}

/** Takes the windows and the tray away, then goes on quitting. */
async function leave(shown: Desktop): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  await within(closeLimitMs, 'the windows did not close cleanly', shown.end());
  haveWindowsLeft = true;
  app.quit();
}

/** Ends the process once what was acknowledged is safe, or says that it could not wait for it. */
async function quit(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const isClosed = await closeAll();
  if (isClosed) await within(installLimitMs, 'an update was not installed', desktop?.installUpdate());
  // An installer that is at work starts Rotavox itself, or must not meet it.
  if (askedOfNext !== null && desktop?.hasInstalled !== true) await startNext(askedOfNext);
  app.exit(isClosed ? 0 : 1);
}

/** For whoever started Rotavox while it ended: not where a launcher owns this process, which would lose track. */
async function startNext(asked: readonly string[]): Promise<void> {
  const isLaunched = process.send !== undefined;
  process.stderr.write(
    isLaunched
      ? 'Rotavox was started again while it ended; start it once more.\n'
      : 'Rotavox was started again while it ended, and does so now.\n',
  );
  if (!isLaunched) await within(closeLimitMs, 'it could not be started again', startAgain(asked));
}

function onBug(error: unknown): void {
  if (isEnding) {
    process.stderr.write(`Rotavox: while it ended, something failed: ${String(error)}\n`);
    return;
  }
  isEnding = true;
  void endAfterBug(error, closeAll);
}

/** Closes the shell and the host, the one whatever becomes of the other. Answers whether the host closed as it should. */
async function closeAll(): Promise<boolean> {
  await within(closeLimitMs, 'the windows did not close cleanly', desktop?.end());
  const closing = starting?.catch(() => undefined).then((host) => host?.close());
  return await within(closeLimitMs, 'the service did not close cleanly', closing);
}

/** Waits for work, for as long as that is reasonable, and says when it did not end well. Never throws. */
async function within(limitMs: number, complaint: string, work: Promise<void> | undefined): Promise<boolean> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(new Error(`not within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    await Promise.race([work, late]);
    return true;
  } catch (error) {
    process.stderr.write(
      `Rotavox: ${complaint} (${error instanceof Error ? error.message : String(error)}).\n`,
    );
    return false;
  } finally {
    clearTimeout(limit);
  }
}

run();
