/*
 * The Electron shell around the host: start and end, tray, windows, notices, updates, the bridge. No rules of the domain.
 *
 * Here: one instance per data folder, starting and closing the host, what a desktop adds. Not here: what a browser window
 * or the command line needs too; that belongs to the service. Start reading at run(), then desktop.ts (which connects
 * everything), tray/tray-view.ts (what the tray shows) and windows/app-window.ts (what a window may do).
 */
import { app, dialog, Notification } from 'electron';
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { dataDirOf } from '../contract/service/data-dir.ts';
import { HostError } from '../host/host-error.ts';
import { desktopLine, desktopProblem, desktopTask, notStartedText } from '../text/service/desktop-text.ts';
import { stackOf } from '../text/service/stack-of.ts';
import type { Host, HostOptions, Listening } from '../host/start-host.ts';
import { Desktop } from './desktop.ts';
import { useDock } from './dock.ts';
import { graphicsEnded, useGraphics } from './graphics.ts';
import { ownAppImage } from './updates/replace-app-image.ts';
import { keepLog, printLine } from './print-line.ts';
import { endAfterBug, reportFailure } from './report-bug.ts';
import { NextStart } from './next-start.ts';
import { quitLimitMs, quitOther } from './quit-other.ts';
import { RestartGuard } from './restart-guard.ts';
import { ShellMemory } from './shell-memory.ts';
import { startAgain, startAgainAnyhow } from './start-again.ts';
import {
  hiddenFlag,
  hostFlag,
  hostOptionsOf,
  noWindowsFlag,
  quitFlag,
  type StartRequest,
  startRequestOf,
} from './start-options.ts';
import { letIconAppear } from './tray/tray-presence.ts';
import { asItWas, linkScheme, type Place, placeOfLink } from './windows/place.ts';

/** How long quitting waits for the host to close, in milliseconds. */
const closeLimitMs = 10_000;
/** How long it waits for an update to be installed, in milliseconds: it copies a hundred megabytes. */
const installLimitMs = 60_000;

let starting: Promise<Host | undefined> | undefined;
let desktop: Desktop | undefined;
/** The place that was asked for before the desktop was created. */
let wanted: Place | null = null;
/** From the request to quit on; the windows may still save unsaved input. */
let isQuitting = false;
let areWindowsClosed = false;
let isEnding = false;
const next = new NextStart();

function run(): void {
  process.stderr.on('error', () => undefined); // stderr was closed; the app continues
  useProfileOfDataDir();
  useTemporaryProfileIfNeeded();
  // Otherwise Chromium asks the keychain at each start for a key to encrypt cookies with, and none of ours is on disk.
  // see decisions/leave-a-keychain-alone-until-it-is-needed.md
  if (process.platform === 'linux') app.commandLine.appendSwitch('password-store', 'basic');
  const memory = new ShellMemory(join(app.getPath('userData'), 'desktop.json'));
  useGraphics(memory);
  useDock(memory);
  process.on('uncaughtException', onBug);
  process.on('unhandledRejection', onBug);
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });

  if (process.argv.includes(quitFlag)) return quitRunning();
  const wanted = startRequestOf(process.argv);
  if (!app.requestSingleInstanceLock() && isAnotherRunning()) {
    printLine(wanted.isHidden ? desktopLine.alreadyRunning : desktopLine.windowShown);
    app.exit(0);
    return;
  }
  app.on('second-instance', (_event, argv) => {
    if (argv.includes(quitFlag)) {
      next.stayAway();
      app.quit();
      return;
    }
    const { isHidden, host, place } = startRequestOf(argv);
    if (isQuitting || isEnding) {
      next.startAfterwards(
        argv.filter((one) => one === hiddenFlag || one.startsWith(hostFlag) || placeOfLink(one)),
      );
      return;
    }
    if (host !== undefined) desktop?.useTeamHost(host);
    if (!isHidden) show(place ?? asItWas);
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    const place = placeOfLink(link);
    if (place === undefined) return;
    if (isQuitting || isEnding) next.startAfterwards([link]);
    else show(place);
  });
  app.on('activate', () => show(asItWas));
  // Electron would send the first certificate of the system to any server that asks for one, and so say who the person is.
  app.on('select-client-certificate', (event, _contents, _url, _certificates, answer) => {
    event.preventDefault();
    answer();
  });
  // Chromium fetches dictionaries from Google for each session that is made, also where no window of it checks a spelling.
  app.on('session-created', (session) => {
    session.setSpellCheckerLanguages([]);
    session.setSpellCheckerEnabled(false);
  });
  app.on('window-all-closed', () => undefined); // the tray and the service continue
  app.on('child-process-gone', (_event, { type, reason }) => {
    if (reason === 'clean-exit') return;
    printLine(desktopLine.helperEnded(type, reason));
    if (type !== 'GPU') return;
    const next = graphicsEnded(memory);
    if (next === 'restart') void goOnWithout(desktopLine.graphicsOff, [hiddenFlag]);
    if (next === 'no_windows') void goOnWithout(desktopLine.noWindows, [hiddenFlag, noWindowsFlag]);
  });
  app.on('before-quit', (event) => {
    if (desktop === undefined || areWindowsClosed) return;
    event.preventDefault(); // unsaved input in windows is saved first, which takes time
    void closeDesktop(desktop);
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    void quit();
  });
  setUpForWindows();

  app
    .whenReady()
    .then(() => startApp(wanted, memory))
    .catch(onBug);
}

/** Ends this process once the other instance has ended: with 0, also where none runs, and with 1 where it goes on. */
function quitRunning(): void {
  const result = quitOther({
    takeLock: () => app.requestSingleInstanceLock(),
    isRunning: isAnotherRunning,
    sleep: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  });
  if (result === 'not_running') printLine(desktopLine.notRunning);
  if (result === 'ended') printLine(desktopLine.hasQuit);
  if (result === 'still_running') printLine(desktopLine.hasNotQuit(quitLimitMs / 1000));
  app.exit(result === 'still_running' ? 1 : 0);
}

async function startApp(
  { isHidden, host: teamHost, place }: StartRequest,
  memory: ShellMemory,
): Promise<void> {
  // Only now: Chromium installs its own handlers while it starts, and a second signal to those ends the process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  process.send?.('up'); // tells the launcher that Electron itself works here
  beginLog();
  const guard = new RestartGuard(memory);
  desktop = new Desktop(memory, guard, restart);
  if (process.argv.includes(noWindowsFlag)) desktop.useBrowser();
  if (teamHost !== undefined) desktop.useTeamHost(teamHost);
  const isWindowWanted = !isHidden && !app.getLoginItemSettings().wasOpenedAtLogin;
  if (isWindowWanted) show(wanted ?? place ?? asItWas);
  // A window that was asked for comes first: it needs the host, not the icon.
  const isWindowOfTeam = desktop.hasTeamHost && place === undefined;
  starting =
    isWindowWanted && !isWindowOfTeam
      ? startOrShowError({ onListening: letPageLoad }, isWindowWanted)
      : startWithIcon(isWindowWanted);
  const host = await starting;
  if (host === undefined) return;
  beginLog();
  guard.begin();
  desktop.open(host);
  memory.keepAppImage(ownAppImage(process));
}

/** Before the first start there is no data folder: then the log begins once the host has made one. */
function beginLog(): void {
  const { env: environment, platform, versions } = process;
  const dataDir = resolve(dataDirOf({ environment, platform, homeDir: homedir() }));
  keepLog(dataDir, desktopLine.begins(app.getVersion(), versions.electron));
}

function show(place: Place): void {
  wanted = place;
  desktop?.show(place);
}

/** How long a page may take until it has been sent; the service is loaded then. In milliseconds. */
const pageLimitMs = 250;

/** Loads the page of the window that was asked for. Loading the service would keep this thread from sending it. */
async function letPageLoad(listening: Listening): Promise<void> {
  desktop?.openWindows(listening);
  await Promise.race([listening.pageSent, wait(pageLimitMs)]);
}

/** Gives the tray time to appear: once for the icon, and again for its menu. */
async function startWithIcon(isPersonThere: boolean): Promise<Host | undefined> {
  await letIconAppear();
  const onPort: HostOptions['onPort'] = async (port) => {
    desktop?.showState(port);
    await letIconAppear();
  };
  return await startOrShowError({ onPort }, isPersonThere);
}

/** The running host; undefined if it could not start, after showing why and starting to quit. */
async function startOrShowError(
  listeners: Pick<HostOptions, 'onPort' | 'onListening'>,
  isPersonThere: boolean,
): Promise<Host | undefined> {
  try {
    const options = hostOptionsOf(process.env);
    return await start(listeners, options).catch(async (error: unknown) => {
      const isTaken = error instanceof HostError && error.code === 'PORT_TAKEN';
      if (!isTaken || isPersonThere || options.port !== undefined) throw error;
      // Rotations matter more than the port: programs that read the address of the service still find it.
      const host = await start(listeners, { ...options, port: 0 });
      tellOnDesktop(notStartedText.atOtherPort, error.message);
      return host;
    });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    printLine(desktopLine.notStarted(error.message));
    reportFailure(isPersonThere ? showStartError(error) : tellStartError(error), desktopTask.showError);
    return undefined;
  }
}

async function start(
  listeners: Pick<HostOptions, 'onPort' | 'onListening'>,
  options: ReturnType<typeof hostOptionsOf>,
): Promise<Host> {
  // Only now: loading all of the service takes longer than showing the tray.
  const [{ startHost }, { commandLineOf, programOf }] = await Promise.all([
    import('../host/start-host.ts'),
    import('../host/command-line.ts'),
  ]);
  const folder = app.isPackaged ? process.resourcesPath : join(import.meta.dirname, '..', '..');
  return await startHost({
    ...options,
    commandLine: commandLineOf(folder),
    program: programOf(folder),
    windowsDir: join(import.meta.dirname, '..', 'renderer'),
    askDesktop,
    say: (message) => printLine(desktopLine.said(message)),
    ...listeners,
  });
}

/** How long a notification has until the process that shows it ends, in milliseconds. */
const noticeMs = 2_000;

/** At a start that nobody looks at: a dialog would wait there, and keep the next start from being made. */
async function tellStartError({ message }: HostError): Promise<void> {
  await desktop?.end();
  tellOnDesktop(notStartedText.title, message);
  await wait(noticeMs);
  app.exit(1);
}

function tellOnDesktop(title: string, body: string): void {
  printLine(desktopLine.said(`${title}: ${body}`));
  if (Notification.isSupported()) new Notification({ title, body }).show();
}

/** Not blocking, so that the app can be quit while the dialog is open. */
async function showStartError({ code, message }: HostError): Promise<void> {
  await desktop?.end();
  // Not under a launcher, which would not know the new process.
  const hasOtherPort = code === 'PORT_TAKEN' && process.send === undefined;
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: notStartedText.title,
    detail: message,
    buttons: [notStartedText.quit, ...(hasOtherPort ? [notStartedText.otherPort] : [])],
    cancelId: 0,
  });
  if (response === 1) {
    process.env['ROTAVOX_PORT'] = '0';
    await startAgain([]);
  }
  app.exit(1);
}

/**
 * Whether another instance has the lock that this one did not get.
 *
 * Without one its folder cannot be written, which the host reports.
 */
function isAnotherRunning(): boolean {
  if (process.platform === 'win32') return true; // the lock is no file
  const lock = join(app.getPath('userData'), 'SingletonLock');
  return lstatSync(lock, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Puts Chromium's profile, and with it the single-instance lock, into the data folder of the environment.
 *
 * So there is one instance for each data folder, wherever it is started from. The path is absolute from here on.
 */
function useProfileOfDataDir(): void {
  const asked = process.env['ROTAVOX_DATA_DIR'];
  if (!asked) return;
  const dataDir = resolve(asked);
  process.env['ROTAVOX_DATA_DIR'] = dataDir;
  const profile = join(dataDir, 'window-profile');
  try {
    mkdirSync(profile, { recursive: true, mode: 0o700 });
    app.setPath('userData', profile);
  } catch {
    // The host reports a folder that cannot be written.
  }
}

/** Where Chromium's profile cannot be made, one that is deleted at the end, so that a dialog can show what the host reports. */
function useTemporaryProfileIfNeeded(): void {
  try {
    app.getPath('userData'); // throws where it can be neither found nor made
  } catch {
    const profile = mkdtempSync(join(app.getPath('temp'), 'rotavox-'));
    app.setPath('userData', profile);
    process.on('exit', () => rmSync(profile, { recursive: true, force: true }));
  }
}

/** On Windows the app itself registers its id and its links; elsewhere the package does. */
function setUpForWindows(): void {
  if (process.platform !== 'win32') return;
  app.setAppUserModelId('com.rotavox.desktop');
  // After the two dashes nothing is a switch, whatever a link contains.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
}

/** Closes the windows and the tray, then continues to quit. */
async function closeDesktop(shown: Desktop): Promise<void> {
  if (isQuitting) return;
  isQuitting = true;
  await within(closeLimitMs, desktopProblem.windows, shown.end());
  areWindowsClosed = true;
  app.quit();
}

/** Ends the process once everything is closed, or reports what did not close in time. */
async function quit(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const isClosed = await closeAll();
  // Not for a restart: an installer does not start the app again. The update waits for the next time that it quits.
  if (isClosed && !next.isToStayAway && !next.isOwn)
    await within(installLimitMs, desktopProblem.update, desktop?.installUpdate());
  // A running installer starts Rotavox itself, or must not run at the same time.
  if (desktop?.hasInstalled !== true) await startNext();
  app.exit(isClosed ? 0 : 1);
}

/** Starts the app again where that was asked; for a start during the quit not under a launcher, which would not know the new process. */
async function startNext(): Promise<void> {
  const { asked, isOwn } = next;
  if (asked === null) return;
  const isLaunched = process.send !== undefined;
  if (!isOwn) printLine(isLaunched ? desktopLine.startedWhileEnding : desktopLine.restartsAfterEnding);
  if (isOwn || !isLaunched) await within(closeLimitMs, desktopProblem.restart, startAgainAnyhow(asked));
}

/** Quits and starts again. */
function restart(asked: readonly string[]): void {
  if (next.restart(asked)) printLine(desktopLine.restarting);
  app.quit();
}

/** Restarts without what fails here, so that the service goes on. */
async function goOnWithout(line: string, flags: readonly string[]): Promise<void> {
  if (isQuitting || isEnding) return;
  isEnding = true;
  next.restart(flags);
  printLine(line);
  const isClosed = await closeAll();
  await startNext();
  app.exit(isClosed ? 0 : 1);
}

function onBug(error: unknown): void {
  if (isEnding) {
    printLine(desktopLine.failedWhileEnding(stackOf(error)));
    return;
  }
  isEnding = true;
  void endAfterBug(error, { isQuitting, close: closeAll });
}

/** Closes the shell and the host, even if one of them fails. Returns whether the host closed cleanly. */
async function closeAll(): Promise<boolean> {
  await within(closeLimitMs, desktopProblem.windows, desktop?.end());
  const closing = starting?.catch(() => undefined).then((host) => host?.close());
  return await within(closeLimitMs, desktopProblem.service, closing);
}

/** Waits for work up to a limit, and reports when it failed. Never throws. */
async function within(limitMs: number, problem: string, work: Promise<void> | undefined): Promise<boolean> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(new Error(desktopProblem.timeout(limitMs / 1000))), limitMs);
  });
  try {
    await Promise.race([work, late]);
    return true;
  } catch (error) {
    printLine(desktopLine.incomplete(problem, error instanceof Error ? error.message : String(error)));
    return false;
  } finally {
    clearTimeout(limit);
  }
}

run();

/**
 * What the desktop says about the proxy for an address, in the words of a PAC file: Chromium reads the settings of the system, or the
 * switches that the app was started with, and runs their PAC file where there is one.
 *
 * Not asked of a session: one of its own does not know the switches, and fetches dictionaries from the network.
 */
async function askDesktop(url: string): Promise<string> {
  await app.whenReady();
  return app.resolveProxy(url);
}
