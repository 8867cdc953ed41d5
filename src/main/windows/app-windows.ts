import { app, type Session, shell } from 'electron';
import { setTimeout as wait } from 'node:timers/promises';
import { desktopProblem, desktopTask } from '../../text/service/desktop-text.ts';
import { reportFailure } from '../report-bug.ts';
import { AppWindow, type WindowParts } from './app-window.ts';
import { denyDownloads, denyPermissions } from './guard-page.ts';
import { type Place, placeOfPath, type WindowKind } from './place.ts';

export interface WindowsOptions extends Pick<WindowParts, 'memory' | 'hasTray' | 'onHidden' | 'team'> {
  /** Made when the first window is; in memory only, so that the cookie of a window never reaches the disk. */
  readonly session: () => Session;
}

/** The service whose pages are shown. */
export interface WindowsService {
  /** Where pages come from. */
  readonly address: string;
  /** Signs a session in. Asked for once, and again after it failed or `signInAgain`. */
  readonly signIn: (session: Session) => Promise<void>;
}

/** Pages of the service that are shown in the browser. */
const pagesForBrowser = new Set(['/docs', '/openapi.json']);

/**
 * The windows: one for the overview and one for the designer, each made when it is wanted.
 *
 * A window can be made before the service runs, because that takes long: it stays hidden and empty until `connect`. Then it
 * loads a page with the session cookie, which is set here, so that no address contains a key.
 */
// see decisions/start-of-the-desktop-app.md
export class AppWindows {
  readonly #options: WindowsOptions;
  readonly #open = new Map<WindowKind, AppWindow>();
  readonly #connected = Promise.withResolvers<WindowsService>();
  #session: Session | null = null;
  #origin: string | null = null;
  #signedIn: Promise<string> | null = null;
  #isEnded = false;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  /** Lets the windows load their pages, once the service listens. */
  connect(service: WindowsService): void {
    this.#origin = new URL(service.address).origin;
    this.#connected.resolve(service);
  }

  /** Signs in again and loads the pages of all windows anew: the session has ended, or the service can be reached again. */
  signInAgain(): void {
    this.#signedIn = null;
    for (const window of this.#open.values()) window.reload();
  }

  /** Loads the pages that could not be loaded. */
  retryFailed(): void {
    for (const window of this.#open.values()) if (window.hasFailed) window.reload();
  }

  /** Whether one of them is the window that is used now. */
  get isFocused(): boolean {
    return [...this.#open.values()].some((window) => window.isFocused);
  }

  /** Brings the window of a place to the front, makes it when it is not there, and leads it to the place. */
  async show(place: Place): Promise<void> {
    await this.#windowFor(place)?.show(place);
  }

  /** Puts a window into the taskbar if none is visible, for a desktop without tray icons. */
  async offer(place: Place): Promise<void> {
    if ([...this.#open.values()].some(({ isInReach }) => isInReach)) return;
    await this.#windowFor(place)?.offer();
  }

  /** Ends all windows once they have saved what is written in them, and makes no more. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#open.values()].map((window) => window.end()));
  }

  #windowFor(place: Place): AppWindow | undefined {
    if (this.#isEnded) return undefined;
    const kind = place.window;
    const known = this.#open.get(kind);
    if (known !== undefined) return known;
    const made = new AppWindow(
      {
        ...this.#options,
        kind,
        session: (this.#session ??= this.#makeSession()),
        origin: () => this.#origin,
        signIn: () => this.#signIn(),
        openOwn: (path) => this.#openOwn(path),
        onGone: () => this.#open.delete(kind),
      },
      place,
    );
    this.#open.set(kind, made);
    return made;
  }

  #openOwn(path: string): void {
    const place = placeOfPath(path);
    if (place !== undefined) reportFailure(this.show(place), desktopTask.openWindow);
    else if (pagesForBrowser.has(path)) {
      reportFailure(
        shell.openExternal(new URL(path, this.#origin ?? undefined).href),
        desktopTask.openBrowser,
      );
    }
  }

  #makeSession(): Session {
    const made = this.#options.session();
    const mayListen = this.#options.team?.mayListen ?? (() => Promise.resolve(true));
    denyPermissions(made, () => this.#origin, mayListen);
    denyDownloads(made, () => this.#origin);
    return made;
  }

  #signIn(): Promise<string> {
    const signingIn = (this.#signedIn ??= this.#signInOnce());
    return signingIn.catch((error: unknown) => {
      this.#signedIn = null; // tried again by the next request
      throw error;
    });
  }

  async #signInOnce(): Promise<string> {
    const { address, signIn } = await this.#connected.promise;
    await signIn((this.#session ??= this.#makeSession()));
    return address;
  }
}

/** How long Chromium may take to set a cookie, in milliseconds, and how often it is told. */
const cookieLimitMs = 500;
const cookieAttempts = 20;

/**
 * Signs a session in at the host of this process, so that no address contains a key.
 *
 * Told again when Chromium does not answer: what it is told while its network process ends is lost without an error.
 */
export function signInByCookie(address: string, cookie: () => { name: string; value: string }) {
  return async (session: Session): Promise<void> => {
    for (let attempt = 1; attempt <= cookieAttempts; attempt += 1) {
      const set = session.cookies
        .set({ url: address, ...cookie(), path: '/', httpOnly: true, sameSite: 'strict' })
        .then(() => true);
      if (await Promise.race([set, wait(cookieLimitMs, false)])) return;
    }
    throw new Error(desktopProblem.timeout((cookieAttempts * cookieLimitMs) / 1000));
  };
}

/** The address that windows load. */
export function windowAddress(baseUrl: string): string {
  return (app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']) ?? baseUrl;
}
