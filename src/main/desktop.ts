import { app, BaseWindow, powerMonitor, shell } from 'electron';
import type { OpenAtLogin } from '../contract/bridge.ts';
import type { HostPort } from '../host/host-port.ts';
import type { Host } from '../host/start-host.ts';
import { setAppMenu } from './app-menu.ts';
import { serveBridge } from './bridge.ts';
import { ClipboardSecret } from './clipboard-secret.ts';
import { runTrayAction, type Wanted } from './run-tray-action.ts';
import { readOpenAtLogin, refreshAutostart, setOpenAtLogin } from './open-at-login.ts';
import { DesktopNotices, placeOfOpening } from './notices/desktop-notices.ts';
import { Notices } from './notices/notices.ts';
import { reportFailure } from './report-bug.ts';
import type { ShellMemory } from './shell-memory.ts';
import { menuText } from '../text/time.ts';
import { AppTray } from './tray/app-tray.ts';
import type { TrayAction } from './tray/tray-item.ts';
import { TrayKeeper } from './tray/tray-keeper.ts';
import { TrayPresence } from './tray/tray-presence.ts';
import { trayView } from './tray/tray-view.ts';
import { startUpdates } from './updates/start-updates.ts';
import { type UpdateAction, updateMenuItem } from './updates/update-menu-item.ts';
import { updateNotice } from './updates/update-notice.ts';
import type { UpdateState } from './updates/update-state.ts';
import { updateWords } from './updates/update-words.ts';
import { NetworkWatch } from './watch-network.ts';
import { setWindowTheme } from './window-theme.ts';
import { AppWindows, windowAddress } from './windows/app-windows.ts';
import { asItWas, type Place, settings } from './windows/place.ts';

/** What only a running host can give. */
interface Running {
  readonly host: Host;
  readonly windows: AppWindows;
  readonly notices: Notices;
  readonly updates: ReturnType<typeof startUpdates>;
}

/**
 * The shell on a desktop: the tray, the windows, the notices, and what ties them to the host.
 *
 * The tray is up before the host is, so that a start is seen at once: first with nothing but a way to quit, then with how
 * things are. What is chosen there before the host runs is done as soon as it does.
 */
// see decisions/tray-and-shell.md
export class Desktop {
  readonly #memory: ShellMemory;
  readonly #tray = new AppTray((action) => this.#act(action));
  readonly #keeper = new TrayKeeper(
    (nowMs) => trayView(this.#status(), nowMs),
    (view) => this.#tray.show(view),
  );
  readonly #board = new DesktopNotices();
  readonly #network = new NetworkWatch(() => this.wake());
  readonly #clipboard = new ClipboardSecret();
  readonly #stops: (() => void)[] = [];
  /** How things are; known some time before the host runs. */
  #port: HostPort | null = null;
  /** What was chosen in the menu meanwhile. */
  #chosen: TrayAction | null = null;
  #running: Running | null = null;
  #presence: TrayPresence | null = null;
  /** Where to go once the host runs. */
  #wanted: Place | null = null;
  #login: OpenAtLogin | null = null;
  /** Then any event is news: the store works again. */
  #isStoreRefusing = false;
  /** Of which the application's menu tells. */
  #shownUpdate: UpdateState['kind'] | null = null;
  #ended: Promise<void> | null = null;

  constructor(memory: ShellMemory) {
    this.#memory = memory;
    this.#keeper.refresh();
    this.#showAppMenu({ kind: 'off' });
  }

  /** Shows how things are, of a host that does not answer yet. */
  look(port: HostPort): void {
    if (this.#ended !== null) return;
    this.#port = port;
    this.#keeper.refresh({ atOnce: true });
  }

  /** Takes the host that runs, and shows what was asked for meanwhile. */
  open(host: Host): void {
    if (this.#ended !== null) return;
    this.#port = host.port;
    setWindowTheme(host.port.snapshot().settings.theme);
    const windows = new AppWindows({
      address: windowAddress(host.baseUrl),
      cookie: () => host.windowCookie(),
      memory: this.#memory,
      hasTray: () => this.#presence?.isThere ?? true,
      onHidden: () => this.#presence?.lookAgain(),
    });
    const notices = new Notices({
      port: host.port,
      board: this.#board,
      onOpen: (opening) => this.show(placeOfOpening(opening)),
      familyName: (id) => host.port.familyName(id),
      remembered: this.#memory.remembered.notices,
      onRemember: (told) => this.#memory.keep({ notices: told }),
    });
    const updates = startUpdates({
      feed: () => host.port.snapshot().settings.update_feed,
      beforeInstall: () => host.close(),
      onChange: (state) => this.#onUpdate(state),
    });
    this.#running = { host, windows, notices, updates };
    this.#stops.push(
      host.port.onChange((event) => {
        if (event?.kind === 'settings.changed') {
          updates.feedChanged();
          setWindowTheme(host.port.snapshot().settings.theme);
        }
        if (event === null || /^(?:credential|settings)\./.test(event.kind) || this.#isStoreRefusing) {
          this.#keeper.refresh();
        }
      }),
      () => notices.close(),
    );
    this.#answerWindows(this.#running);
    this.#wakeWithTheMachine();
    refreshAutostart();
    this.#login = readOpenAtLogin();
    this.#showAppMenu(updates.state);
    this.#keeper.refresh();
    this.#presence = new TrayPresence({
      onAppeared: () => this.#tray.showAgain(),
      onMissed: () => reportFailure(this.#doWithoutTray(), 'opening a window'),
    });
    if (this.#wanted !== null) this.show(this.#wanted);
    if (this.#chosen !== null) this.#act(this.#chosen);
  }

  /** Brings a window to the front, or remembers to. */
  show(place: Place): void {
    this.#wanted = place;
    if (this.#running !== null) reportFailure(this.#running.windows.show(place), 'opening a window');
  }

  /** Time or the network may have jumped. */
  wake(): void {
    this.#running?.host.wake();
    this.#running?.notices.wake();
    this.#running?.updates.wake();
    this.#keeper.refresh();
  }

  /** Takes away all that a person sees, once the windows have saved what is written in them; and a secret out of the clipboard. */
  end(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  async #end(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    this.#presence?.close();
    this.#network.isNeeded = false;
    this.#keeper.close();
    this.#tray.close();
    await Promise.all([this.#running?.windows.end(), this.#clipboard.clear()]);
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
      snapshot?.credentials.some(({ trouble }) => trouble?.kind === 'unreachable') ?? false;
    return {
      snapshot,
      opensAtLogin: this.#login?.isPossible ? this.#login.isOn : null,
      update: updateMenuItem(this.#running?.updates.state ?? { kind: 'off' }),
      timeText: menuText,
    };
  }

  #answerWindows({ host, windows, updates }: Running): void {
    serveBridge({
      origin: windows.origin,
      answers: {
        quit: () => app.quit(),
        readOpenAtLogin,
        setOpenAtLogin: (isOn) => this.#setOpenAtLogin(isOn),
        showDataFolder: async () => {
          await shell.openPath(host.dataDir);
        },
        copySecret: (secret) => this.#clipboard.copy(secret),
        checkForUpdates: async () => {
          await updates.check();
          return { words: updateWords(updates.state) };
        },
      },
    });
  }

  #wakeWithTheMachine(): void {
    const wake = (): void => this.wake();
    powerMonitor.on('resume', wake);
    powerMonitor.on('unlock-screen', wake);
    endWithTheSession();
    this.#stops.push(() => {
      powerMonitor.off('resume', wake);
      powerMonitor.off('unlock-screen', wake);
    });
  }

  /** Without a tray there has to be a window: nothing else would lead back here. */
  async #doWithoutTray(): Promise<void> {
    await this.#running?.windows.offer(asItWas);
    if (this.#memory.remembered.toldNoTray) return;
    this.#memory.keep({ toldNoTray: true });
    this.#say(
      'Rotavox runs in a window here',
      'This desktop shows no tray icons. Closing the window minimises it, and tokens are kept fresh meanwhile.',
    );
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
        return this.show(action.place);
      case 'open-at-login':
        return this.#tellLogin(this.#setOpenAtLogin(action.isOn));
      case 'update':
        return this.#update(action.step, running);
      case 'rotate':
      case 'copy':
      case 'pause':
      case 'resume':
        return reportFailure(this.#grant(action, running), 'what was asked for in the menu');
    }
  }

  /** Does what a person asks for a credential; success needs no words, for the menu shows it. */
  async #grant(wanted: Wanted, { host, notices }: Running): Promise<void> {
    const { kind, name } = wanted;
    const outcome = await runTrayAction(wanted, { port: host.port, clipboard: this.#clipboard });
    if (!outcome.ok) notices.failedActionNotice({ kind, name, sentence: outcome.refusal });
  }

  #update(step: UpdateAction, { updates }: Running): void {
    switch (step) {
      case 'check':
      case 'download':
      case 'install':
        return void updates[step]();
      case 'settings':
        return this.show(settings);
      case 'explain':
        return this.#say('This copy does not update itself', updateWords(updates.state));
    }
  }

  #onUpdate(state: UpdateState): void {
    this.#showAppMenu(state);
    this.#keeper.refresh();
    const notice = updateNotice(state);
    if (notice !== null) this.#say(notice.title, notice.body);
  }

  /** Not with each percent of a download: the menu would close under the person's hand. */
  #showAppMenu(state: UpdateState): void {
    if (state.kind === this.#shownUpdate) return;
    this.#shownUpdate = state.kind;
    setAppMenu(updateMenuItem(state), (action) => this.#act(action));
  }

  #setOpenAtLogin(isOn: boolean): OpenAtLogin {
    this.#login = setOpenAtLogin(isOn);
    this.#keeper.refresh();
    return this.#login;
  }

  /** A change from the menu has no page to show its note. */
  #tellLogin({ note }: OpenAtLogin): void {
    if (note !== null) this.#say('Open at login', note);
  }

  /** Tells the person something about the app itself. */
  #say(title: string, body: string): void {
    const open = { kind: 'home' } as const;
    this.#board.show(
      { id: `app ${title}`, title, body, action: null, open, urgency: 'normal' },
      { onOpen: () => this.show(asItWas), onAction: () => undefined },
    );
  }
}

/**
 * Ends the app when the machine goes down or the person signs out: what is under way is finished first.
 *
 * Linux and macOS tell the app, and wait for it. Windows tells windows only, and waits some five seconds: a window without a
 * page, which is never shown, hears it also while all others are closed. It is told that the session ends, not asked
 * whether it may: objecting would cancel what the person wants. What is not finished then is as after a power cut, which the
 * journal is made for; a copied secret may stay in the clipboard. None of it is ever taken off, for the end would then not
 * be waited for.
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
