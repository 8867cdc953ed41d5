import { app, session, type Session, shell } from 'electron';
import { desktopTask } from '../../text/desktop.ts';
import { reportFailure } from '../report-bug.ts';
import { AppWindow, type WindowParts } from './app-window.ts';
import { denyDownloads, denyPermissions } from './guard-page.ts';
import { type Place, placeOfPath, type WindowKind } from './place.ts';

export type WindowsOptions = Pick<WindowParts, 'memory' | 'hasTray' | 'onHidden'>;

/** The service that runs now. */
export interface WindowsService {
  /** Where pages come from. */
  readonly address: string;
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
    const made = session.fromPartition(partition);
    denyPermissions(made, () => this.#origin);
    denyDownloads(made, () => this.#origin);
    return made;
  }

  #signIn(): Promise<string> {
    const signingIn = (this.#signedIn ??= this.#setCookie());
    return signingIn.catch((error: unknown) => {
      this.#signedIn = null; // tried again by the next request
      throw error;
    });
  }

  async #setCookie(): Promise<string> {
    const { address, cookie } = await this.#connected.promise;
    this.#session ??= this.#makeSession();
    await this.#session.cookies.set({
      url: address,
      ...cookie(),
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
    });
    return address;
  }
}

/** The address that windows load. */
export function windowAddress(baseUrl: string): string {
  return (app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']) ?? baseUrl;
}
