import { app, powerMonitor, shell } from 'electron';
import type { Host } from '../host/start-host.ts';
import { serveBridge } from './bridge.ts';
import { ClipboardSecret } from './clipboard-secret.ts';
import { readOpenAtLogin, refreshAutostart, setOpenAtLogin } from './login/open-at-login.ts';
import { NetworkWatch } from './watch-network.ts';
import type { ShellMemory } from './shell-memory.ts';
import { AppTray } from './tray/app-tray.ts';
import { pauseUntil } from './tray/pause-until.ts';
import { isTrayHostThere, onceTrayHostIsThere } from './tray/tray-host.ts';
import { TrayKeeper } from './tray/tray-keeper.ts';
import { type TrayAction, trayView } from './tray/tray-view.ts';
import { AppWindows, windowAddress } from './windows/app-windows.ts';
import type { Place } from './windows/place.ts';

/**
 * The shell on a desktop: the tray, the windows, and what ties them to the host.
 *
 * The tray is up before the host is, so that a start is seen at once; until then it offers to quit and nothing else.
 */
export class Desktop {
  readonly #memory: ShellMemory;
  readonly #tray = new AppTray((action) => void this.#act(action));
  readonly #keeper = new TrayKeeper(
    (nowMs) => trayView(this.#status(), nowMs),
    (view) => this.#tray.show(view),
  );
  readonly #network = new NetworkWatch(() => this.wake());
  readonly #clipboard = new ClipboardSecret();
  readonly #stops: (() => void)[] = [];
  #host: Host | null = null;
  #windows: AppWindows | null = null;
  #hasTray = true;
  /** Where to go once the host runs. */
  #wanted: Place | null = null;

  constructor(memory: ShellMemory) {
    this.#memory = memory;
    this.#keeper.refresh();
  }

  /** Takes the host that runs, and shows what was asked for meanwhile. */
  open(host: Host): void {
    this.#host = host;
    this.#windows = new AppWindows({
      address: windowAddress(host.baseUrl),
      cookie: () => host.windowCookie(),
      memory: this.#memory,
      hasTray: () => this.#hasTray,
    });
    this.#stops.push(host.desk.onChange(() => this.#refresh()));
    powerMonitor.on('resume', () => this.wake());
    powerMonitor.on('unlock-screen', () => this.wake());
    serveBridge({
      origin: this.#windows.origin,
      answers: {
        quit: () => app.quit(),
        readOpenAtLogin,
        setOpenAtLogin: (isOn) => this.#setOpenAtLogin(isOn),
        showDataFolder: () => void shell.openPath(host.dataDir),
        copySecret: (secret) => this.#clipboard.copy(secret),
        checkForUpdates: () => ({ words: 'Updates are off.' }),
      },
    });
    refreshAutostart();
    this.#refresh();
    void this.#lookForTrayHost();
    if (this.#wanted !== null) this.show(this.#wanted);
  }

  /** Brings a window to the front, or remembers to. */
  show(place: Place): void {
    this.#wanted = place;
    void this.#windows?.show(place);
  }

  /** Time or the network may have jumped. */
  wake(): void {
    this.#host?.wake();
    this.#refresh();
  }

  /** Lets windows close for good, takes the tray away, and a secret out of the clipboard. */
  async end(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#network.isNeeded = false;
    this.#keeper.close();
    this.#windows?.end();
    this.#tray.close();
    await this.#clipboard.clear();
  }

  #refresh(): void {
    this.#keeper.refresh();
  }

  #status() {
    const login = readOpenAtLogin();
    const glance = this.#host?.desk.glance() ?? null;
    this.#network.isNeeded =
      glance?.credentials.some(({ trouble }) => trouble?.kind === 'unreachable') ?? false;
    return {
      glance,
      opensAtLogin: login.isPossible ? login.isOn : null,
      update: { label: 'Updates are off', action: null },
      timeText,
    };
  }

  /** Without a tray there has to be a window: nothing else would lead back here. */
  async #lookForTrayHost(): Promise<void> {
    if (await isTrayHostThere()) return;
    this.#hasTray = false;
    const stop = onceTrayHostIsThere(() => {
      this.#hasTray = true;
      this.#tray.showAgain();
    });
    this.#stops.push(stop);
  }

  async #act(action: TrayAction): Promise<void> {
    const desk = this.#host?.desk;
    if (action.kind === 'quit') return app.quit();
    if (desk === undefined) return;
    switch (action.kind) {
      case 'show':
        return this.show(action.place);
      case 'rotate':
        return this.#tell(action.name, await desk.rotate(action.name));
      case 'pause':
        return this.#tell(action.name, await desk.pause(action.name, pauseUntil(action.span, new Date())));
      case 'resume':
        return this.#tell(action.name, await desk.resume(action.name));
      case 'copy': {
        const value = await desk.valueOf(action.name);
        if (value.ok) await this.#clipboard.copy(value.value);
        return this.#tell(action.name, value);
      }
      case 'open-at-login':
        this.#setOpenAtLogin(action.isOn);
        return;
      case 'update':
        return;
    }
  }

  #tell(name: string, outcome: { ok: true } | { ok: false; refusal: string }): void {
    if (!outcome.ok) process.stderr.write(`Rotavox: ${name}: ${outcome.refusal}\n`);
  }

  #setOpenAtLogin(isOn: boolean) {
    const now = setOpenAtLogin(isOn);
    this.#refresh();
    return now;
  }
}

const timeFormat = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function timeText(instant: string): string {
  return timeFormat.format(new Date(instant));
}
