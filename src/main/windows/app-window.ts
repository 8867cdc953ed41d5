import { BrowserWindow, dialog, nativeTheme, screen, type Session } from 'electron';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { goChannel, teamPageFlag } from '../../contract/window/bridge.ts';
import { desktopLine, pageFailedText, teamWindowTitle } from '../../text/service/desktop-text.ts';
import { printLine } from '../print-line.ts';
import type { ShellMemory } from '../shell-memory.ts';
import { firstSizes, fitBounds } from './fit-bounds.ts';
import { type OwnOrigin, restrictNavigation, reloadAfterCrash } from './guard-page.ts';
import { designer, type Place, placeOfPath, type WindowKind } from './place.ts';

export interface WindowParts {
  readonly kind: WindowKind;
  readonly session: Session;
  readonly origin: OwnOrigin;
  /** Returns where the page comes from, once the service listens and has a cookie for this session. */
  readonly signIn: () => Promise<string>;
  /** Whether it shows a host on another machine: then its page has no bridge, and its title names that host. */
  readonly team: TeamPages | null;
  readonly memory: ShellMemory;
  /** Whether a window that is hidden can be found again. */
  readonly hasTray: () => boolean;
  /** The page asks for another window of ours, or for a page of ours that a browser shows. */
  readonly openOwn: (path: string) => void;
  readonly onHidden: () => void;
  readonly onGone: () => void;
}

/** What differs for pages that come from another machine. */
export interface TeamPages {
  readonly name: string;
  /** The page to show when the host cannot be reached or does not sign in: an address without scripts. */
  readonly problemPage: (error: unknown) => string;
  /** Whether its pages may use the microphone, as the person says. */
  readonly mayListen: () => Promise<boolean>;
}

/** How long a closed window is only hidden, in milliseconds. Then its process ends. */
const keptHiddenMs = 10_000;
/** How long a page may take to save unsaved input when the app quits, and how often it is asked, in milliseconds. */
const savingLimitMs = 3_000;
const askAgainMs = 50;
/** How long after a move or a resize the position is saved, in milliseconds. */
const settledMs = 500;
/** How soon a page from another machine may open another window or a page in the browser again, in milliseconds. */
const betweenOpeningsMs = 1_000;

/**
 * One window: a web client like any other, sandboxed, isolated, without Node.
 *
 * Closing hides it, and some time later ends it, so that no renderer runs while it is not used; a page with unsaved input may
 * prevent that. Without a tray it is minimised instead, because nothing else could show it again.
 */
export class AppWindow {
  readonly #parts: WindowParts;
  readonly #window: BrowserWindow;
  #settle: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;
  /** Whether the next close is meant to be the end. */
  #isEnding = false;
  /** Whether the app is ending: the window is not shown again. */
  #isOver = false;
  #isMaximizedNext: boolean;
  /** The load that is under way, or the last one. */
  #loaded: Promise<void>;
  #hasFailed = false;
  /** How often its page could not be loaded since it was loaded last. */
  #failures = 0;
  /** When its page last opened another one. */
  #openedAtMs = -Infinity;

  constructor(parts: WindowParts, place: Place) {
    this.#parts = parts;
    const left = parts.memory.remembered.windows[this.#boundsName];
    this.#isMaximizedNext = left?.isMaximized ?? false;
    const workAreas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(
      ({ workArea }) => workArea,
    );
    this.#window = new BrowserWindow({
      title: 'Rotavox',
      ...fitBounds(left ?? firstSizes[parts.kind], workAreas),
      minWidth: 360,
      minHeight: 480,
      show: false,
      autoHideMenuBar: true,
      icon: join(import.meta.dirname, '..', '..', 'resources', 'icon.png'),
      webPreferences: {
        session: parts.session,
        preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
        additionalArguments: parts.team === null ? [] : [teamPageFlag],
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false, // its dictionaries would be fetched from the network
      },
    });
    const { webContents } = this.#window;
    restrictNavigation(webContents, parts.origin, (path) => this.#openOwn(path));
    reloadAfterCrash(webContents, (reason) => {
      this.#hasFailed = true;
      this.#failures = 1; // it crashed a moment ago as well
      this.#tellFailure(reason);
    });
    this.#nameHost();
    this.#rememberBounds();
    this.#hideOnClose();
    this.#loaded = this.#load(place.path);
  }

  /** Whether it is visible or in the taskbar. */
  get isInReach(): boolean {
    return this.#window.isVisible() || this.#window.isMinimized();
  }

  get isFocused(): boolean {
    return this.#window.isFocused();
  }

  /** Whether its page could not be loaded. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Brings it to the front, and leads it to the place. */
  async show(place: Place): Promise<void> {
    clearTimeout(this.#end);
    const path = place.path;
    if (this.#hasFailed) this.#loaded = this.#load(path);
    else if (!this.#shows(path)) void this.#loaded.then(() => this.#go(path));
    await this.#readyToShow();
    if (this.#window.isDestroyed() || this.#isOver) return;
    if (this.#isMaximizedNext) this.#window.maximize();
    this.#isMaximizedNext = false;
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  /** Whether what is open in it may stay: the path names no page, or the phone menus as a whole, of which one is open. */
  #shows(path: string): boolean {
    if (path !== designer.path) return path === '';
    const url = this.#window.webContents.getURL();
    return URL.canParse(url) && placeOfPath(new URL(url).pathname)?.window === 'designer';
  }

  /** Loads its page anew, at its own address. A page with unsaved input may prevent that. */
  reload(): void {
    if (this.#window.isDestroyed() || this.#isOver) return;
    const url = this.#window.webContents.getURL();
    this.#loaded = this.#load(URL.canParse(url) && /^https?:/.test(url) ? new URL(url).pathname : '');
  }

  /** Puts it into the taskbar. */
  async offer(): Promise<void> {
    await this.#readyToShow();
    if (!this.#window.isDestroyed()) this.#window.minimize();
  }

  /** Ends it. A page with unsaved input prevents that and saves first, so it is hidden and asked repeatedly, up to a limit. */
  async end(): Promise<void> {
    const window = this.#window;
    this.#isOver = true;
    if (window.isDestroyed()) return;
    window.hide();
    const closed = once(window, 'closed');
    const untilMs = Date.now() + savingLimitMs;
    while (!window.isDestroyed() && Date.now() < untilMs) {
      window.close();
      await Promise.race([closed, wait(askAgainMs)]);
    }
    if (!window.isDestroyed()) window.destroy();
  }

  async #readyToShow(): Promise<void> {
    if (this.#window.isVisible() || this.#window.isDestroyed()) return;
    // Not the end of loading: the page can be shown earlier.
    await new Promise<void>((resolve) => {
      this.#window.once('ready-to-show', resolve);
      this.#window.once('closed', resolve);
      void this.#loaded.then(resolve);
    });
  }

  /** Asks the page to navigate, which it may refuse: loading an address would discard unsaved input. */
  #go(path: string): void {
    const window = this.#window;
    // A page may be gone before its window is, when the app ends while it loads.
    if (this.#isOver || window.isDestroyed() || window.webContents.isDestroyed()) return;
    window.webContents.send(goChannel, path);
  }

  async #load(path: string): Promise<void> {
    this.#hasFailed = false;
    try {
      const address = await this.#parts.signIn();
      if (this.#window.isDestroyed()) return;
      // The page's own, so that nothing flashes. Only now, when the theme is known.
      this.#window.setBackgroundColor(nativeTheme.shouldUseDarkColors ? '#0f1117' : '#f6f7f9');
      await this.#window.loadURL(new URL(path, address).href);
      this.#failures = 0;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'ERR_ABORTED' || this.#window.isDestroyed()) return; // replaced by another load, or the window was closed
      this.#hasFailed = true;
      printLine(desktopLine.pageNotLoaded(path, code ?? String(error)));
      this.#tellFailure(code ?? String(error));
      // Its page would stay empty; that of this process is only missing where everything is.
      if (this.#parts.team !== null)
        await this.#window.loadURL(this.#parts.team.problemPage(error)).catch(() => undefined);
    }
  }

  /** The second time in a row: the first may be a service that is just starting. */
  #tellFailure(code: string): void {
    this.#failures += 1;
    if (this.#parts.team !== null || this.#failures !== 2) return;
    void dialog.showMessageBox({
      type: 'warning',
      message: pageFailedText.title,
      detail: pageFailedText.text(code),
    });
  }

  /** A page can ask without a click and without end: of those from another machine only one that is seen, and once a second. */
  #openOwn(path: string): void {
    const { team, openOwn } = this.#parts;
    if (team !== null) {
      const nowMs = performance.now();
      if (!this.#window.isVisible() || nowMs - this.#openedAtMs < betweenOpeningsMs) return;
      this.#openedAtMs = nowMs;
    }
    openOwn(path);
  }

  get #boundsName(): 'overview' | 'designer' | 'team-overview' | 'team-designer' {
    const { kind, team } = this.#parts;
    return team === null ? kind : `team-${kind}`;
  }

  #nameHost(): void {
    const { team } = this.#parts;
    if (team === null) return;
    this.#window.on('page-title-updated', (event, title) => {
      event.preventDefault();
      this.#window.setTitle(teamWindowTitle(title, team.name));
    });
  }

  #hideOnClose(): void {
    const window = this.#window;
    window.on('close', (event) => {
      if (this.#isOver) return;
      clearTimeout(this.#end);
      this.#keepBounds();
      if (this.#isEnding) return;
      event.preventDefault();
      if (!this.#parts.hasTray()) {
        window.minimize();
        return;
      }
      this.#hide();
      this.#parts.onHidden();
      this.#end = setTimeout(() => this.#endUnlessUnsaved(), keptHiddenMs);
    });
    window.on('closed', () => {
      clearTimeout(this.#end);
      clearTimeout(this.#settle);
      this.#parts.onGone();
    });
  }

  /** On macOS a full screen stays black when its window is hidden: https://github.com/electron/electron/issues/20263 */
  #hide(): void {
    const window = this.#window;
    if (process.platform === 'darwin' && window.isFullScreen()) {
      window.once('leave-full-screen', () => window.hide());
      window.setFullScreen(false);
    } else window.hide();
  }

  #endUnlessUnsaved(): void {
    this.#isEnding = true;
    this.#window.webContents.once('will-prevent-unload', () => (this.#isEnding = false));
    this.#window.close();
  }

  #rememberBounds(): void {
    const noteSoon = (): void => {
      clearTimeout(this.#settle);
      this.#settle = setTimeout(() => this.#keepBounds(), settledMs);
    };
    this.#window.on('resize', noteSoon);
    this.#window.on('move', noteSoon);
  }

  #keepBounds(): void {
    clearTimeout(this.#settle);
    const window = this.#window;
    if (window.isDestroyed() || window.isMinimized() || window.isFullScreen() || this.#isMaximizedNext)
      return;
    const { memory } = this.#parts;
    const left = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    memory.keep({ windows: { ...memory.remembered.windows, [this.#boundsName]: left } });
  }
}
