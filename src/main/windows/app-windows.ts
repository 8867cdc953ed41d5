import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, screen, session, type Session } from 'electron';
import type { ShellMemory } from '../shell-memory.ts';
import { fitBounds, type Size } from './fit-bounds.ts';
import { denyPermissions, keepAtHome, reloadAfterCrash } from './guard-page.ts';
import { pathOf, type Place, placeOfPath, type WindowKind } from './place.ts';

export interface WindowsOptions {
  /** Where the service listens, or in development where electron-vite serves the page; see electron.vite.config.ts. */
  readonly address: string;
  /** The cookie that signs a window in. Asked for once. */
  readonly cookie: () => { name: string; value: string };
  readonly memory: ShellMemory;
  /** Whether a closed window can be found again without the taskbar. */
  readonly hasTray: () => boolean;
}

/** A partition without the prefix `persist:` lives in memory: the window's cookie never reaches the disk. */
const partition = 'rotavox';
/** How long a closed window is kept for a second look, in milliseconds. Then its process ends. */
const keptHiddenMs = 10_000;
/** How long a window has to stay where it was moved before that is written down, in milliseconds. */
const settledMs = 500;

const firstSizes: Record<WindowKind, Size> = {
  overview: { width: 1120, height: 800 },
  designer: { width: 1360, height: 880 },
};

/**
 * The windows: one for the overview and one for the designer, each made when it is wanted.
 *
 * Each is a web client like any other: sandboxed, isolated, without Node. Its session cookie is put there by us, so no
 * key ever stands in an address. Closing hides it, and a hidden one is destroyed, so that idling costs no renderer;
 * without a tray it is minimised instead, for nothing else would bring it back.
 */
export class AppWindows {
  readonly #options: WindowsOptions;
  readonly #origin: string;
  readonly #open = new Map<WindowKind, BrowserWindow>();
  #session: Promise<Session> | null = null;
  #isEnding = false;

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#origin = new URL(options.address).origin;
  }

  get origin(): string {
    return this.#origin;
  }

  /** Brings the window of a place to the front, makes it when it is not there, and leads it to the place. */
  async show(place: Place): Promise<void> {
    const window = this.#open.get(place.window) ?? (await this.#create(place));
    if (window.isDestroyed()) return;
    const shownPath = new URL(window.webContents.getURL() || this.#origin).pathname;
    // The bare overview asks for nothing in particular: what the person has open there stays.
    if (pathOf(place) !== shownPath && pathOf(place) !== '/') void this.#load(window, place);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Puts a window into the taskbar when there is none, for a desktop where nothing else leads to one. */
  async offer(place: Place): Promise<void> {
    if (this.#open.size > 0) return;
    const window = await this.#create(place);
    if (!window.isDestroyed()) window.minimize();
  }

  /** From now on closing ends a window. */
  end(): void {
    this.#isEnding = true;
    for (const window of this.#open.values()) window.destroy();
  }

  async #create(place: Place): Promise<BrowserWindow> {
    this.#session ??= this.#openSession();
    const windowSession = await this.#session;
    const known = this.#open.get(place.window);
    if (known !== undefined) return known; // asked for twice before the session was there

    const left = this.#options.memory.remembered.windows[place.window];
    const workAreas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(
      ({ workArea }) => workArea,
    );
    const window = new BrowserWindow({
      title: 'Rotavox',
      ...fitBounds(left ?? firstSizes[place.window], workAreas),
      minWidth: 360,
      minHeight: 480,
      show: false,
      autoHideMenuBar: true,
      icon: join(import.meta.dirname, '..', '..', 'resources', 'icon.png'),
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#0f1117' : '#f6f7f9', // the page's own, so that nothing flashes
      webPreferences: {
        session: windowSession,
        preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false, // its dictionaries would be fetched from the network
      },
    });
    this.#open.set(place.window, window);
    window.once('closed', () => this.#open.delete(place.window));
    if (left?.isMaximized) window.maximize();
    keepAtHome(window.webContents, this.#origin, (path) => {
      const own = placeOfPath(path);
      if (own !== undefined) void this.show(own);
    });
    reloadAfterCrash(window.webContents);
    this.#rememberPlace(window, place.window);
    this.#hideOnClose(window);
    // Not the end of loading: the page is worth looking at before.
    await new Promise<void>((resolve) => {
      window.once('ready-to-show', resolve);
      window.once('closed', resolve);
      void this.#load(window, place).then(resolve);
    });
    return window;
  }

  #hideOnClose(window: BrowserWindow): void {
    let end: NodeJS.Timeout | undefined;
    window.on('show', () => clearTimeout(end));
    window.on('closed', () => clearTimeout(end));
    window.on('close', (event) => {
      if (this.#isEnding) return;
      event.preventDefault();
      if (!this.#options.hasTray()) {
        window.minimize();
        return;
      }
      window.hide();
      end = setTimeout(() => window.destroy(), keptHiddenMs);
    });
  }

  #rememberPlace(window: BrowserWindow, kind: WindowKind): void {
    let settle: NodeJS.Timeout | undefined;
    const note = (): void => {
      clearTimeout(settle);
      if (window.isDestroyed() || window.isMinimized() || window.isFullScreen()) return;
      const { windows } = this.#options.memory.remembered;
      const left = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
      this.#options.memory.keep({ windows: { ...windows, [kind]: left } });
    };
    const noteSoon = (): void => {
      clearTimeout(settle);
      settle = setTimeout(note, settledMs);
    };
    window.on('resize', noteSoon);
    window.on('move', noteSoon);
    window.on('close', note);
    window.on('closed', () => clearTimeout(settle));
  }

  async #openSession(): Promise<Session> {
    const windowSession = session.fromPartition(partition);
    denyPermissions(windowSession, this.#origin);
    await windowSession.cookies.set({
      url: this.#options.address,
      ...this.#options.cookie(),
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
    });
    return windowSession;
  }

  async #load(window: BrowserWindow, place: Place): Promise<void> {
    const path = pathOf(place);
    try {
      await window.loadURL(new URL(path, this.#options.address).href);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'ERR_ABORTED' || window.isDestroyed()) return; // overtaken by another load, or by its own end
      process.stderr.write(`Rotavox: the window could not load ${path} (${code ?? String(error)}).\n`);
    }
  }
}

/** The address that windows load. */
export function windowAddress(baseUrl: string): string {
  return (app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']) ?? baseUrl;
}
