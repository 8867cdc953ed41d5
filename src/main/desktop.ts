import { app, BaseWindow, powerMonitor, session, shell } from 'electron';
import { join } from 'node:path';
import type { DesktopSwitch, DesktopSwitchName } from '../contract/window/bridge.ts';
import { appLogFolder } from '../contract/service/data-dir.ts';
import { noHost, readHostKey, readHostUrl } from '../contract/service/team-host.ts';
import type { ShownUpdate } from '../contract/service/update.ts';
import { HostError } from '../host/host-error.ts';
import type { HostKeys } from '../host/host-keys.ts';
import type { HostPort } from '../host/host-port.ts';
import type { Host, Listening } from '../host/start-host.ts';
import { setAppMenu } from './app-menu.ts';
import { serveBridge } from './serve-bridge.ts';
import { ClipboardSecret, type HostAction, runTrayAction } from './run-tray-action.ts';
import { readOpenAtLogin, refreshAutostart, setOpenAtLogin } from './open-at-login.ts';
import { DesktopNotices, placeOfOpening } from './notices/desktop-notices.ts';
import { Notices } from './notices/notices.ts';
import { readDock, setDock } from './dock.ts';
import { readGraphics, setGraphics } from './graphics.ts';
import { ownAppImage } from './updates/replace-app-image.ts';
import { printLine } from './print-line.ts';
import { reportFailure } from './report-bug.ts';
import type { RestartGuard } from './restart-guard.ts';
import type { ShellMemory } from './shell-memory.ts';
import { hiddenFlag } from './start-options.ts';
import { desktopLine, desktopTask, noTrayNotice } from '../text/service/desktop-text.ts';
import { hostProblemText, hostUrlText } from '../text/service/team-host-text.ts';
import { menuText } from '../text/time.ts';
import { trayText } from '../text/window/tray.ts';
import { noUpdatesTitle, updateNotice, updateStateText } from '../text/service/updates-text.ts';
import type { TeamHost } from './team/remote-team-host.ts';
import { AppTray } from './tray/app-tray.ts';
import type { TrayAction, UpdateAction } from './tray/tray-item.ts';
import { TrayRefresher } from './tray/tray-refresher.ts';
import { TrayPresence } from './tray/tray-presence.ts';
import { trayView } from './tray/tray-view.ts';
import { isWindowShown, ReplacedProgram } from './updates/replaced-program.ts';
import { startUpdates } from './updates/start-updates.ts';
import { NetworkWatch } from './watch-network.ts';
import { setWindowTheme } from './window-theme.ts';
import { AppWindows, signInByCookie, windowAddress } from './windows/app-windows.ts';
import { asItWas, type Place, settings, teamHostSetting } from './windows/place.ts';

/** What exists while the host runs. */
interface Running {
  readonly host: Host;
  readonly notices: Notices;
  readonly updates: ReturnType<typeof startUpdates>;
}

/**
 * The shell on a desktop: the tray, the windows and the notices, connected to the host.
 *
 * The tray is shown before the host runs, so that a start is visible immediately: first with only an item to quit, then with
 * the state. What is chosen in it before the host runs is done as soon as it does.
 */
// see decisions/tray-and-shell.md
export class Desktop {
  readonly #memory: ShellMemory;
  readonly #restartApp: (asked: readonly string[]) => void;
  readonly #switches: Readonly<
    Record<
      DesktopSwitchName,
      { read(): DesktopSwitch; set(isOn: boolean): DesktopSwitch | Promise<DesktopSwitch> }
    >
  >;
  readonly #tray = new AppTray(
    (action) => this.#act(action),
    () => this.#memory.remembered.trayDrawing ?? null,
  );
  readonly #refresher = new TrayRefresher(
    (nowMs) => trayView(this.#status(), nowMs),
    (view) => this.#tray.show(view),
  );
  readonly #windows: AppWindows;
  #isInBrowser = false;
  readonly #replaced = new ReplacedProgram(replaceableProgram(), () => this.#onReplaced());
  readonly #display = new DesktopNotices();
  readonly #network = new NetworkWatch(() => this.wake());
  readonly #clipboard = new ClipboardSecret();
  readonly #stops: (() => void)[] = [];
  /** The state; known some time before the host runs. */
  #port: HostPort | null = null;
  /** What was chosen in the menu before the host ran. */
  #chosen: TrayAction | null = null;
  #running: Running | null = null;
  readonly #opened = Promise.withResolvers<Running>();
  #areWindowsOpen = false;
  /** The host for a team that is shown too. */
  #team: TeamHost | null = null;
  #teamOpened: Promise<void> = Promise.resolve();
  /** Counts choices of that host, so that an earlier one that is still being opened is dropped. */
  #teamChoices = 0;
  #presence: TrayPresence | null = null;
  #login: DesktopSwitch | null = null;
  /** While it refuses, any event means that the store works again. */
  #isStoreRefusing = false;
  /** The state that the menu of the application shows. */
  #shownUpdate: ShownUpdate['kind'] | null = null;
  #ended: Promise<void> | null = null;

  /** `restart`: quits, and starts again with these arguments. */
  constructor(memory: ShellMemory, guard: RestartGuard, restart: (asked: readonly string[]) => void) {
    this.#memory = memory;
    this.#restartApp = restart;
    this.#switches = {
      openAtLogin: { read: readOpenAtLogin, set: (isOn) => this.#setOpenAtLogin(isOn) },
      startAgain: { read: () => guard.read(), set: (isOn) => guard.set(isOn) },
      dock: { read: () => readDock(memory), set: (isOn) => setDock(memory, isOn) },
      graphics: { read: () => readGraphics(memory), set: (isOn) => setGraphics(memory, isOn) },
    };
    this.#windows = new AppWindows({
      memory,
      ...this.#windowParts,
      // Without the prefix `persist:` it lives in memory: the window's cookie never reaches the disk.
      session: () => session.fromPartition('rotavox'),
      team: null,
    });
    this.#refresher.refresh();
    this.#showAppMenu({ kind: 'off' });
  }

  /** Shows the state of a host that does not run yet. */
  showState(port: HostPort): void {
    if (this.#ended !== null) return;
    this.#port = port;
    this.#refresher.refresh({ atOnce: true });
  }

  /** Lets windows load their page. Done when the host runs, or before. */
  openWindows({ baseUrl, port, windowCookie }: Omit<Listening, 'pageSent'>): void {
    if (this.#ended !== null || this.#areWindowsOpen) return;
    this.#areWindowsOpen = true;
    setWindowTheme(port.snapshot().settings.theme);
    const address = windowAddress(baseUrl);
    this.#answerWindows(new URL(address).origin);
    this.#windows.connect({ address, signIn: signInByCookie(address, windowCookie) });
  }

  /** Connects the running host, and shows what was asked for before. */
  open(host: Host): void {
    if (this.#ended !== null) return;
    this.#port = host.shellPort;
    this.openWindows({
      baseUrl: host.baseUrl,
      port: host.shellPort,
      windowCookie: () => host.windowCookie(),
    });
    const notices = new Notices({
      port: host.shellPort,
      display: this.#display,
      onOpen: (opening) => this.#showHere(placeOfOpening(opening)),
      familyName: (id) => host.shellPort.familyName(id),
      remembered: this.#memory.remembered.notices,
      onRemember: (told) => this.#memory.keep({ notices: told }),
    });
    const updates = startUpdates({
      feed: () => host.shellPort.snapshot().settings.update_feed,
      network: host.network,
      beforeInstall: () => host.close(),
      onChange: (state) => this.#onUpdate(state),
    });
    this.#running = { host, notices, updates };
    this.#stops.push(
      host.shellPort.onChange((event) => {
        if (event?.kind === 'settings.changed') {
          updates.feedChanged();
          setWindowTheme(host.shellPort.snapshot().settings.theme);
        }
        if (
          event === null ||
          /^(?:credential|schedule|settings)\./.test(event.kind) ||
          this.#isStoreRefusing
        ) {
          this.#refresher.refresh();
        }
      }),
      () => notices.close(),
    );
    this.#opened.resolve(this.#running);
    this.#followPowerEvents();
    this.#followNetworkProcess();
    refreshAutostart();
    this.#login = readOpenAtLogin();
    this.#showAppMenu(updates.state);
    this.#refresher.refresh();
    this.#presence = new TrayPresence({
      onAppeared: () => this.#tray.showAgain(),
      onMissed: () => reportFailure(this.#doWithoutTray(), desktopTask.openWindow),
    });
    const { teamHost } = this.#memory.remembered;
    if (teamHost !== null) reportFailure(this.#openTeam(teamHost), desktopTask.openTeam);
    if (this.#chosen !== null) this.#act(this.#chosen);
  }

  /** Brings a window to the front, as soon as the host runs and its page is there. */
  show(place: Place): void {
    if (place !== asItWas || !this.hasTeamHost) return this.#showHere(place);
    reportFailure(this.#showTeam(place), desktopTask.openWindow);
  }

  /** Whether a host for a team is chosen: then the app opens with its window. */
  get hasTeamHost(): boolean {
    return this.#memory.remembered.teamHost !== null;
  }

  /** Shows a host for a team from now on, or this computer alone (`none`). An address that is none changes nothing. */
  useTeamHost(text: string): void {
    const url = text === noHost ? null : readHostUrl(text);
    if (url === null && text !== noHost) {
      printLine(desktopLine.noTeamHost(text));
      return;
    }
    if (url === this.#memory.remembered.teamHost) return;
    this.#memory.keep({ teamHost: url });
    if (this.#running !== null) reportFailure(this.#openTeam(url), desktopTask.openTeam);
  }

  /** Makes no window, because none can be drawn here: what is asked for opens in a browser. */
  useBrowser(): void {
    if (this.#isInBrowser || this.#ended !== null) return;
    this.#isInBrowser = true;
    reportFailure(this.#windows.end(), desktopTask.openWindow);
  }

  async #showInBrowser(): Promise<void> {
    const { host } = await this.#opened.promise;
    await shell.openExternal(host.signInLink());
  }

  /** The clock or the network may have changed. */
  wake(): void {
    this.#running?.host.wake();
    this.#running?.notices.wake();
    this.#running?.updates.wake();
    this.#team?.wake();
    this.#refresher.refresh();
  }

  /** Closes the tray and the windows, once these have saved unsaved input, and clears a secret from the clipboard. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    this.#presence?.close();
    this.#replaced.close();
    this.#network.isNeeded = false;
    this.#refresher.close();
    this.#tray.close();
    await Promise.all([this.#windows.end(), this.#team?.close(), this.#clipboard.clear()]);
  }

  /** Installs an update that is ready; for a clean end, once the host is closed. */
  async installUpdate(): Promise<void> {
    await this.#running?.updates.close({ install: true });
  }

  /** Whether an update was, or is being, installed. */
  get hasInstalled(): boolean {
    return this.#running?.updates.state.kind === 'installing';
  }

  #status() {
    const snapshot = this.#port?.snapshot() ?? null;
    this.#isStoreRefusing = snapshot?.store.status === 'refusing';
    this.#network.isNeeded =
      this.#team?.isUnreachable === true ||
      (snapshot !== null &&
        (snapshot.credentials.some(({ trouble }) => trouble?.kind === 'unreachable') ||
          snapshot.pbxs.some(({ state }) => state.status === 'unreachable')));
    return {
      snapshot,
      opensAtLogin: this.#login?.isPossible ? this.#login.isOn : null,
      update: this.#updateState,
      team: this.#team?.tray ?? null,
      timeText: menuText,
    };
  }

  get #windowParts() {
    return {
      hasTray: () => this.#presence?.isThere ?? true,
      onHidden: () => this.#presence?.lookAgain(),
    };
  }

  #answerWindows(origin: string): void {
    serveBridge({
      origin,
      answers: {
        quit: () => app.quit(),
        restart: () => this.#restart(),
        readSwitch: (name) => this.#switches[name].read(),
        setSwitch: (name, isOn) => this.#switches[name].set(isOn),
        readTrayDrawing: () => ({
          drawing: this.#memory.remembered.trayDrawing ?? null,
          isPossible: process.platform === 'linux',
        }),
        setTrayDrawing: (drawing) => {
          this.#memory.keep({ trayDrawing: drawing });
          this.#tray.redraw();
        },
        showDataFolder: async () => {
          const { host } = await this.#opened.promise;
          await openFolder(host.dataDir);
        },
        copySecret: (secret) => this.#clipboard.copy(secret),
        checkForUpdates: async () => {
          const { updates } = await this.#opened.promise;
          await updates.check();
          return { words: updateStateText(this.#updateState) };
        },
        readTeamHost: () => this.#team?.state ?? null,
        connectTeamHost: (url, key) => this.#connectTeam(url, key),
        disconnectTeamHost: () => this.#disconnectTeam(),
      },
    });
  }

  #followPowerEvents(): void {
    const wake = (): void => this.wake();
    powerMonitor.on('resume', wake);
    powerMonitor.on('unlock-screen', wake);
    endWithTheSession();
    this.#stops.push(() => {
      powerMonitor.off('resume', wake);
      powerMonitor.off('unlock-screen', wake);
    });
  }

  /** The cookies of the windows are in the memory of Chromium's network process: when that ends, they are signed out. */
  #followNetworkProcess(): void {
    const onGone = (_event: unknown, { serviceName }: { readonly serviceName?: string }): void => {
      if (serviceName === 'network.mojom.NetworkService') this.#windows.signInAgain();
    };
    app.on('child-process-gone', onGone);
    this.#stops.push(() => app.off('child-process-gone', onGone));
  }

  /** Without a tray there must be a window: nothing else leads to the app. */
  async #doWithoutTray(): Promise<void> {
    await (this.#team ?? this.#windows).offer(asItWas);
    if (this.#memory.remembered.toldNoTray) return;
    this.#memory.keep({ toldNoTray: true });
    this.#notify(noTrayNotice);
  }

  #act(action: TrayAction): void {
    if (action.kind === 'quit') return app.quit();
    const running = this.#running;
    if (running === null) {
      this.#chosen = action;
      return;
    }
    switch (action.kind) {
      case 'show':
        return this.#showHere(action.place);
      case 'team-key':
        return this.#showHere(teamHostSetting);
      case 'open-logs':
        return reportFailure(openFolder(join(running.host.dataDir, appLogFolder)), desktopTask.menuAction);
      case 'team':
        return this.#actOnTeam(action.action);
      case 'open-at-login':
        return this.#showLoginNote(this.#setOpenAtLogin(action.isOn));
      case 'update':
        return this.#update(action.step, running);
      case 'copy':
      case 'pause':
      case 'resume':
      case 'by-schedule':
        return reportFailure(this.#runHostAction(action, running), desktopTask.menuAction);
    }
  }

  /** Runs an action for a credential or for opening hours. Success needs no notice, because the menu shows it. */
  async #runHostAction(action: HostAction, { host, notices }: Running): Promise<void> {
    const { kind, name } = action;
    const outcome = await runTrayAction(action, { port: host.shellPort, clipboard: this.#clipboard });
    if (!outcome.ok) notices.reportFailedAction({ kind, name, reason: outcome.refusal });
  }

  #showHere(place: Place): void {
    if (this.#isInBrowser) reportFailure(this.#showInBrowser(), desktopTask.openBrowser);
    else reportFailure(this.#windows.show(place), desktopTask.openWindow);
  }

  async #showTeam(place: Place): Promise<void> {
    await this.#opened.promise;
    await this.#teamOpened;
    if (this.#team === null) this.#showHere(place);
    else await this.#team.show(place);
  }

  #actOnTeam(action: TrayAction): void {
    const team = this.#team;
    if (team === null) return;
    if (action.kind === 'show') reportFailure(team.show(action.place), desktopTask.openWindow);
    const { kind } = action;
    if (kind === 'copy' || kind === 'pause' || kind === 'resume' || kind === 'by-schedule')
      reportFailure(team.act(action), desktopTask.menuAction);
  }

  /** Shows another host for a team, or none. Loaded only now: most people have none. */
  #openTeam(url: string | null): Promise<void> {
    const choice = (this.#teamChoices += 1);
    const before = this.#team;
    this.#team = null;
    return (this.#teamOpened = (async () => {
      await before?.close();
      if (url !== null) {
        const [{ TeamHost: Team }, keys, { host }] = await Promise.all([
          import('./team/remote-team-host.ts'),
          this.#hostKeys(),
          this.#opened.promise,
        ]);
        if (choice !== this.#teamChoices || this.#ended !== null) return;
        this.#team = new Team({
          url,
          keys,
          memory: this.#memory,
          display: this.#display,
          clipboard: this.#clipboard,
          settings: () => host.shellPort.snapshot().settings,
          ...this.#windowParts,
          onChange: () => this.#refresher.refresh(),
          onKeyNeeded: () => this.#showHere(teamHostSetting),
        });
      }
      this.#refresher.refresh();
    })());
  }

  async #hostKeys(): Promise<HostKeys> {
    const [{ HostKeys: Keys }, { host }] = await Promise.all([
      import('../host/host-keys.ts'),
      this.#opened.promise,
    ]);
    return new Keys(host.dataDir, { environment: process.env });
  }

  async #connectTeam(text: string, typed: string | null): Promise<{ problem: string | null }> {
    const url = readHostUrl(text);
    if (url === null) return { problem: hostUrlText.invalid };
    try {
      const [{ checkTeamHost }, keys] = await Promise.all([
        import('./team/remote-team-host.ts'),
        this.#hostKeys(),
      ]);
      const key = typed === null ? await keys.read(url) : readHostKey(typed);
      if (key === null) return { problem: hostUrlText.keyInvalid };
      const problem = await checkTeamHost(url, key);
      if (problem !== null) return { problem: hostProblemText(problem, url) };
      if (typed !== null) await keys.write(url, key);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      return { problem: error.message };
    }
    this.#memory.keep({ teamHost: url });
    await this.#openTeam(url);
    this.show(asItWas);
    return { problem: null };
  }

  async #disconnectTeam(): Promise<void> {
    const url = this.#memory.remembered.teamHost;
    this.#memory.keep({ teamHost: null });
    await this.#openTeam(null);
    if (url !== null) await (await this.#hostKeys()).remove(url);
  }

  get #updateState(): ShownUpdate {
    return this.#replaced.isReplaced
      ? { kind: 'replaced' }
      : (this.#running?.updates.state ?? { kind: 'off' });
  }

  /** Another version was installed: told once, and taken as soon as nobody looks at a window. */
  #onReplaced(): void {
    if (!isWindowShown()) return this.#restart();
    if (this.#shownUpdate !== 'replaced') this.#onUpdate({ kind: 'replaced' });
  }

  #restart(): void {
    this.#restartApp(isWindowShown() ? [] : [hiddenFlag]);
  }

  #update(step: UpdateAction, { updates }: Running): void {
    switch (step) {
      case 'restart':
        return this.#restart();
      case 'check':
      case 'download':
      case 'install':
        return void updates[step]();
      case 'settings':
        return this.#showHere(settings);
      case 'explain':
        return this.#notify({ title: noUpdatesTitle, body: updateStateText(this.#updateState) });
    }
  }

  #onUpdate(state: ShownUpdate): void {
    if (this.#replaced.isReplaced && state.kind !== 'replaced') return;
    this.#showAppMenu(state);
    this.#refresher.refresh();
    const notice = updateNotice(state);
    if (notice !== null) this.#notify(notice);
  }

  /** Not for each percent of a download, because an open menu would close. */
  #showAppMenu(state: ShownUpdate): void {
    if (state.kind === this.#shownUpdate) return;
    this.#shownUpdate = state.kind;
    // Its pages are those of the window that it is chosen in.
    setAppMenu(state, (action) => {
      const isOfTeam = action.kind === 'show' && this.#team?.isInFront === true;
      this.#act(isOfTeam ? { kind: 'team', action } : action);
    });
  }

  #setOpenAtLogin(isOn: boolean): DesktopSwitch {
    this.#login = setOpenAtLogin(isOn);
    this.#refresher.refresh();
    return this.#login;
  }

  /** Shows the note of a change from the menu, which has no page for it. */
  #showLoginNote({ note }: DesktopSwitch): void {
    if (note !== null) this.#notify({ title: trayText.openAtLogin, body: note });
  }

  /** Shows a notification about the app itself. */
  #notify({ title, body }: { readonly title: string; readonly body: string }): void {
    const open = { kind: 'home' } as const;
    this.#display.show(
      { id: `app ${title}`, title, body, action: null, open, urgency: 'normal' },
      { onOpen: () => this.show(asItWas), onAction: () => undefined },
    );
  }
}

/**
 * Quits the app when the machine shuts down or the person signs out; current work is finished first.
 *
 * Linux and macOS notify the app and wait for it. Windows notifies windows only and waits about five seconds: a window
 * without a page, which is never shown, receives that also while all others are closed. It does not object, which would
 * cancel the shutdown. What is not finished then is like after a power cut, which the journal handles; a copied secret may
 * stay in the clipboard. The listeners are never removed, because then the system would not wait.
 */
function endWithTheSession(): void {
  if (process.platform === 'win32')
    new BaseWindow({ show: false, skipTaskbar: true }).on('session-end', () => app.quit());
  else
    powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
      event?.preventDefault();
      app.quit();
    });
}

/** Rejects with what the system says where it cannot show a folder. */
async function openFolder(folder: string): Promise<void> {
  const problem = await shell.openPath(folder);
  if (problem !== '') throw new Error(problem);
}

/** What a package manager replaces in an upgrade; null in a checkout, and of an AppImage, which runs from a mount of its own. */
function replaceableProgram(): string | null {
  return app.isPackaged && ownAppImage(process) === null ? process.execPath : null;
}
