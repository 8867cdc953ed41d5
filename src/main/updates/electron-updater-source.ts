import { app, type ClientRequest, type Session } from 'electron';
import type { BaseUpdater, CancellationToken as Token } from 'electron-updater';
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { explainFailure, type FailureFacts } from './explain-failure.ts';
import type { UpdateTarget } from './find-update-target.ts';
import { baseOf, type Offer, readOffer } from './read-offer.ts';
import { replaceAppImage, startAppImage, verifyDownload } from './replace-app-image.ts';
import { UpdateError, type UpdateSource } from './update-state.ts';

export interface UpdateLimits {
  /** How long a feed may take to answer a check, in milliseconds. */
  readonly answerMs: number;
  /** How long a download may stand still; one of unknown length, how long it may take. */
  readonly standstillMs: number;
}

export const usualLimits: UpdateLimits = { answerMs: 30_000, standstillMs: 5 * 60_000 };

type Target = Exclude<UpdateTarget, { kind: 'none' }>;
type Loaded = LoadedUpdater & { readonly guard: FeedGuard };

/**
 * A generic feed, asked by electron-updater.
 *
 * What protects: the feed is https (or on this machine), its certificate is verified by Chromium, nothing outside its
 * address is asked, and a file is used only if it has the SHA-512 that the feed lists, looked at after the download and
 * again when it is installed. What does not: there is no signature of ours. Whoever can change what the feed serves, its
 * list and its files, decides what runs here next. On Windows, electron-updater also compares the publisher when the
 * installed program was signed.
 */
// see decisions/updates.md
export class ElectronUpdaterSource implements UpdateSource {
  readonly #feed: URL;
  readonly #target: Target;
  readonly #limits: UpdateLimits;
  readonly #end = Promise.withResolvers<never>();
  #loaded: Loaded | null = null;
  #offer: Offer | null = null;
  #downloaded: string | null = null;
  #isClosed = false;

  constructor(feed: string, target: Target, limits: UpdateLimits) {
    this.#feed = baseOf(feed);
    this.#target = target;
    this.#limits = limits;
    this.#end.promise.catch(() => undefined); // it is raced against, or nobody waits for it
  }

  async check(): Promise<string | null> {
    return this.#ask('check', async ({ updater }) => {
      const result = await this.#within(this.#limits.answerMs, () => updater.checkForUpdates());
      if (result === null) {
        throw new UpdateError('electron-updater refuses to work in this copy of Rotavox. Please report it.');
      }
      if (!result.isUpdateAvailable) return null;
      this.#offer = readOffer(result.updateInfo, {
        feed: this.#feed.href,
        extension: this.#target.kind === 'appimage' ? 'AppImage' : 'exe',
        runningVersion: app.getVersion(),
      });
      return this.#offer?.version ?? null;
    });
  }

  async download(onPercent: (percent: number) => void): Promise<void> {
    await this.#ask('download', async ({ updater, token }) => {
      const files = await this.#within(this.#limits.standstillMs, (moves) => {
        updater.on('download-progress', ({ percent }) => {
          moves();
          if (Number.isFinite(percent)) onPercent(Math.floor(percent));
        });
        return updater.downloadUpdate(token);
      });
      this.#downloaded = files[0] ?? null;
    });
  }

  async installAndRestart(beforeEnd: () => Promise<void>): Promise<void> {
    await this.#putInPlace();
    await beforeEnd();
    try {
      if (this.#target.kind === 'nsis') this.#loaded?.updater.quitAndInstall(false, true);
      else await this.#startInOurPlace(this.#target.file);
    } finally {
      app.quit();
    }
  }

  async install(): Promise<void> {
    await this.#putInPlace();
    if (this.#target.kind === 'nsis') this.#loaded?.updater.install(true, false);
  }

  close(): void {
    this.#isClosed = true;
    // First the reason, then the abort: what waits hears the first of the two.
    this.#end.reject(new UpdateError('Updates were turned off or their feed was changed.'));
    this.#loaded?.guard.shut();
    this.#loaded?.stop();
  }

  /** An AppImage is replaced while it runs. An installer cannot do that yet: its file is looked at once more. */
  async #putInPlace(): Promise<void> {
    const [downloaded, sha512s] = [this.#downloaded, this.#offer?.sha512s];
    if (downloaded === null || sha512s === undefined) throw new Error('nothing was downloaded');
    if (this.#target.kind === 'appimage') {
      await replaceAppImage({ downloaded, installed: this.#target.file, sha512s });
    } else {
      await verifyDownload(downloaded, sha512s);
    }
  }

  async #startInOurPlace(file: string): Promise<void> {
    app.releaseSingleInstanceLock(); // or the new one would find us still here, and end
    const flags = process.argv.slice(1).filter((argument) => argument.startsWith('--'));
    try {
      await startAppImage(file, flags);
    } catch (error) {
      throw new UpdateError('The new version is in place but could not be started. Start Rotavox yourself.', {
        cause: error,
      });
    }
  }

  async #ask<T>(step: FailureFacts['step'], act: (loaded: Loaded) => Promise<T>): Promise<T> {
    const loaded = await this.#load();
    loaded.guard.forget();
    try {
      return await act(loaded);
    } catch (error) {
      const { redirect, status } = loaded.guard;
      throw explainFailure(error, { step, feedHost: this.#feed.host, redirect, status });
    }
  }

  async #load(): Promise<Loaded> {
    if (this.#loaded !== null) return this.#loaded;
    const loaded = await loadUpdater(this.#target.kind, this.#feed);
    const guard = guardFeed(loaded.updater.netSession, this.#feed);
    if (this.#isClosed) guard.shut();
    this.#loaded = { ...loaded, guard };
    return this.#loaded;
  }

  /** Waits for `act`, but not when the source is closed, nor longer than `limitMs` after its start or its last move. */
  async #within<T>(limitMs: number, act: (moves: () => void) => Promise<T>): Promise<T> {
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      limit.reject(new UpdateError(`The update feed (${this.#feed.host}) does not go on. Try again later.`));
      this.#loaded?.stop();
    }, limitMs);
    try {
      return await Promise.race([act(() => timer.refresh()), limit.promise, this.#end.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What was noticed since the last `forget`: electron-updater's own errors do not tell. */
interface FeedGuard {
  /** Where the feed wanted to send us on to. */
  readonly redirect: string | null;
  /** The status of the last answer. */
  readonly status: number | null;
  forget(): void;
  /** Lets nothing out any more. */
  shut(): void;
}

/** What a feed gets to know: that a Rotavox asks. Not its version, nor the machine's language, nor an id. */
const headers = {
  Accept: '*/*',
  // The bytes as they lie there: the length that is announced is then the length that arrives.
  'Accept-Encoding': 'identity',
  'Cache-Control': 'no-cache',
  'User-Agent': 'Rotavox',
};

/**
 * Lets the requests of a session reach what lies below `base`, and nothing else.
 *
 * A redirect is an answer, never followed: electron-updater would follow one anywhere, from https to http too, and round
 * and round for ever. The session is electron-updater's own; no window uses it.
 */
function guardFeed(session: Session, base: URL): FeedGuard {
  let redirect: string | null = null;
  let status: number | null = null;
  let isShut = false;
  const { webRequest } = session;
  webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: isShut || redirect !== null || !url.startsWith(base.href) });
  });
  webRequest.onBeforeSendHeaders((_details, decide) => {
    decide({ requestHeaders: headers });
  });
  webRequest.onBeforeRedirect(({ redirectURL }) => {
    redirect = redirectURL;
  });
  webRequest.onResponseStarted(({ statusCode }) => {
    status = statusCode;
  });
  return {
    get redirect() {
      return redirect;
    },
    get status() {
      return status;
    },
    forget() {
      redirect = null;
      status = null;
    },
    shut() {
      isShut = true;
    },
  };
}

interface LoadedUpdater {
  readonly updater: BaseUpdater;
  /** For a download. */
  readonly token: Token;
  /** Ends what is under way, for good. */
  stop(): void;
}

/**
 * Loads electron-updater and makes it ask one feed, quietly.
 *
 * Only here is it loaded, at the first check: its 60 modules have no place in the start of the app. Decided: nothing is
 * downloaded or installed by itself; never an older version; always the whole file in one request with one checksum, no
 * patches put together from ranges; no web installer, which fetches more from elsewhere; staged rollouts are for
 * everybody, since to be in or out of one we would need an id.
 */
async function loadUpdater(target: UpdateTarget['kind'], base: URL): Promise<LoadedUpdater> {
  const { AppImageUpdater, CancellationToken, NsisUpdater } = await import('electron-updater');
  const updater = target === 'nsis' ? new NsisUpdater() : new AppImageUpdater();
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.isUserWithinRollout = () => true;
  updater.on('login', (_who, answer) => {
    (answer as () => void)(); // no password, said at once: without an answer the request would wait for ever
  });
  updater.setFeedURL({ provider: 'generic', url: base.href });
  keepNoIdentity(updater);
  const token = new CancellationToken();
  const abortRequest = watchRequests(updater);
  return {
    updater,
    token,
    stop() {
      token.cancel();
      abortRequest();
    },
  };
}

/** electron-updater makes up an id, keeps it in `.updaterId` and sends it with each check. There is no switch for it. */
function keepNoIdentity(updater: BaseUpdater): void {
  Object.defineProperty(updater, 'stagingUserIdPromise', { value: { value: Promise.resolve('') } });
}

/**
 * Returns how to abort the request that is under way; there is one at a time.
 *
 * The token stops none, and `session.closeAllConnections` not these.
 */
function watchRequests(updater: BaseUpdater): () => void {
  const { httpExecutor } = updater as unknown as { httpExecutor: ElectronHttpExecutor };
  const createRequest = httpExecutor.createRequest.bind(httpExecutor);
  let latest: ClientRequest | undefined;
  httpExecutor.createRequest = (options, callback) => {
    latest = createRequest(options, callback);
    return latest;
  };
  return () => latest?.abort();
}
