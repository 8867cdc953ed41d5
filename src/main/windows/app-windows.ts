import { app, session, type Session, shell } from 'electron';
import { desktopTask } from '../../text/desktop.ts';
import { reportFailure } from '../report-bug.ts';
import { AppWindow, type WindowParts } from './app-window.ts';
import { denyDownloads, denyPermissions } from './guard-page.ts';
import { type Place, placeOfPath, type WindowKind } from './place.ts';

export interface WindowsOptions extends Pick<WindowParts, 'address' | 'memory' | 'hasTray' | 'onHidden'> {
  /** The cookie that signs a window in. Asked for once. */
  readonly cookie: () => { name: string; value: string };
}

/** A partition without the prefix `persist:` lives in memory: the window's cookie never reaches the disk. */
const partition = 'rotavox';

/** Pages of the service that are shown in the browser. */
const pagesForBrowser = new Set(['/docs', '/openapi.json']);

/**
 * The windows: one for the overview and one for the designer, each made when it is wanted.
 *
 * Their session cookie is set here, so that no address contains a key.
 */
export class AppWindows {
  readonly #options: WindowsOptions;
  readonly #open = new Map<WindowKind, AppWindow>();
  #session: Promise<Session> | null = null;
  #isEnded = false;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  get origin(): string {
    return new URL(this.#options.address).origin;
  }

  /** Brings the window of a place to the front, makes it when it is not there, and leads it to the place. */
  async show(place: Place): Promise<void> {
    await (await this.#windowFor(place))?.show(place);
  }

  /** Puts a window into the taskbar if none is visible, for a desktop without tray icons. */
  async offer(place: Place): Promise<void> {
    if ([...this.#open.values()].some(({ isInReach }) => isInReach)) return;
    await (await this.#windowFor(place))?.offer();
  }

  /** Ends all windows once they have saved what is written in them, and makes no more. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#open.values()].map((window) => window.end()));
  }

  async #windowFor(place: Place): Promise<AppWindow | undefined> {
    const windowSession = await this.#openSession();
    if (this.#isEnded) return undefined;
    const kind = place.window;
    const known = this.#open.get(kind);
    if (known !== undefined) return known;
    const made = new AppWindow(
      {
        ...this.#options,
        kind,
        session: windowSession,
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
      reportFailure(shell.openExternal(new URL(path, this.#options.address).href), desktopTask.openBrowser);
    }
  }

  #openSession(): Promise<Session> {
    const opening = (this.#session ??= this.#makeSession());
    return opening.catch((error: unknown) => {
      this.#session = null; // tried again by the next request
      throw error;
    });
  }

  async #makeSession(): Promise<Session> {
    const { address, cookie } = this.#options;
    const windowSession = session.fromPartition(partition);
    denyPermissions(windowSession, this.origin);
    denyDownloads(windowSession, this.origin);
    await windowSession.cookies.set({
      url: address,
      ...cookie(),
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
    });
    return windowSession;
  }
}

/** The address that windows load. */
export function windowAddress(baseUrl: string): string {
  return (app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']) ?? baseUrl;
}
