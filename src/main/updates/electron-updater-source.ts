import { app, type ClientRequest, type Session } from 'electron';
import type { BaseUpdater, CancellationToken as Token } from 'electron-updater';
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { explainFailure, type FailureFacts } from './explain-failure.ts';
import type { UpdateTarget } from './find-update-target.ts';
import { baseOf, type Offer, readOffer } from './read-offer.ts';
import { replaceAppImage, startAppImage, verifyDownload } from './replace-app-image.ts';
import { UpdateError, type UpdateSource } from './update-state.ts';

export interface UpdateLimits {
  /** The time limit of a check, in milliseconds. */
  readonly answerMs: number;
  /** How long a download may make no progress; for one of unknown length, its time limit. */
  readonly standstillMs: number;
}

export const usualLimits: UpdateLimits = { answerMs: 30_000, standstillMs: 5 * 60_000 };

type Target = Exclude<UpdateTarget, { kind: 'none' }>;
type Loaded = LoadedUpdater & { readonly guard: FeedGuard };

/**
 * A generic feed, read by electron-updater.
 *
 * Protection: the feed is https (or on this machine), Chromium verifies its certificate, no request leaves its address,
 * and a file is used only if it has the SHA-512 that the feed lists, verified after the download and again before the
 * installation. There is no signature of ours: whoever controls the feed controls the program. On Windows,
 * electron-updater also compares the publisher if the installed program was signed.
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
    this.#end.promise.catch(() => undefined); // only used in Promise.race
  }

  async check(): Promise<string | null> {
    return this.#ask('check', async ({ updater }) => {
      const result = await this.#within(this.#limits.answerMs, () => updater.checkForUpdates());
      if (result === null) throw new Error('electron-updater is not active');
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
      const files = await this.#within(this.#limits.standstillMs, (onProgress) => {
        updater.on('download-progress', ({ percent }) => {
          onProgress();
          if (Number.isFinite(percent)) onPercent(Math.floor(percent));
        });
        return updater.downloadUpdate(token);
      });
      this.#downloaded = files[0] ?? null;
    });
  }

  async installAndRestart(beforeEnd: () => Promise<void>): Promise<void> {
    await this.#prepareInstall();
    await beforeEnd();
    try {
      if (this.#target.kind === 'nsis') this.#loaded?.updater.quitAndInstall(false, true);
      else await this.#startNewVersion(this.#target.file);
    } finally {
      app.quit();
    }
  }

  async install(): Promise<void> {
    await this.#prepareInstall();
    if (this.#target.kind === 'nsis') this.#loaded?.updater.install(true, false);
  }

  close(): void {
    this.#isClosed = true;
    // The reason first, then the abort: the pending call fails with the first of the two.
    this.#end.reject(new UpdateError({ code: 'feed_changed' }));
    this.#loaded?.guard.close();
    this.#loaded?.stop();
  }

  /** Replaces an AppImage while it runs. An installer runs later: its file is verified again. */
  async #prepareInstall(): Promise<void> {
    const [downloaded, sha512s] = [this.#downloaded, this.#offer?.sha512s];
    if (downloaded === null || sha512s === undefined) throw new Error('nothing was downloaded');
    if (this.#target.kind === 'appimage') {
      await replaceAppImage({ downloaded, installed: this.#target.file, sha512s });
    } else {
      await verifyDownload(downloaded, sha512s);
    }
  }

  async #startNewVersion(file: string): Promise<void> {
    app.releaseSingleInstanceLock(); // otherwise the new one would find this one running, and end
    const flags = process.argv.slice(1).filter((argument) => argument.startsWith('--'));
    try {
      await startAppImage(file, flags);
    } catch (error) {
      throw new UpdateError({ code: 'not_started' }, { cause: error });
    }
  }

  async #ask<T>(step: FailureFacts['step'], act: (loaded: Loaded) => Promise<T>): Promise<T> {
    const loaded = await this.#load();
    loaded.guard.reset();
    try {
      return await act(loaded);
    } catch (error) {
      const { redirect, status } = loaded.guard;
      throw explainFailure(error, { step, feed: this.#feed.host, redirect, status });
    }
  }

  async #load(): Promise<Loaded> {
    if (this.#loaded !== null) return this.#loaded;
    const loaded = await loadUpdater(this.#target.kind, this.#feed);
    const guard = guardFeed(loaded.updater.netSession, this.#feed);
    if (this.#isClosed) guard.close();
    this.#loaded = { ...loaded, guard };
    return this.#loaded;
  }

  /** Waits for `act` until the source is closed or nothing has happened for `limitMs`. `act` reports progress. */
  async #within<T>(limitMs: number, act: (onProgress: () => void) => Promise<T>): Promise<T> {
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      limit.reject(new UpdateError({ code: 'timeout', feed: this.#feed.host }));
      this.#loaded?.stop();
    }, limitMs);
    try {
      return await Promise.race([act(() => timer.refresh()), limit.promise, this.#end.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What was seen since the last `reset`; electron-updater's errors do not contain it. */
interface FeedGuard {
  /** The target of a redirect. */
  readonly redirect: string | null;
  /** The status of the last answer. */
  readonly status: number | null;
  reset(): void;
  /** Cancels every request from now on. */
  close(): void;
}

/** A feed learns that a Rotavox asks, but not its version, the language of the machine, or an id. */
const headers = {
  Accept: '*/*',
  // Without compression the announced length is the length that arrives.
  'Accept-Encoding': 'identity',
  'Cache-Control': 'no-cache',
  'User-Agent': 'Rotavox',
};

/**
 * Limits the requests of a session to addresses below `base`.
 *
 * Redirects are not followed: electron-updater would follow one anywhere, also from https to http, and without end. The
 * session is electron-updater's own; no window uses it.
 */
function guardFeed(session: Session, base: URL): FeedGuard {
  let redirect: string | null = null;
  let status: number | null = null;
  let isClosed = false;
  const { webRequest } = session;
  webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: isClosed || redirect !== null || !url.startsWith(base.href) });
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
    reset() {
      redirect = null;
      status = null;
    },
    close() {
      isClosed = true;
    },
  };
}

interface LoadedUpdater {
  readonly updater: BaseUpdater;
  /** For a download. */
  readonly token: Token;
  /** Ends the current request. */
  stop(): void;
}

/**
 * Loads electron-updater and configures it for one feed, without a log.
 *
 * It is loaded here, at the first check, because its 60 modules would delay the start of the app. Nothing is downloaded or
 * installed automatically; a file is always downloaded whole, in one request with one checksum; there is no web installer,
 * which would download from elsewhere.
 */
async function loadUpdater(target: UpdateTarget['kind'], base: URL): Promise<LoadedUpdater> {
  const { AppImageUpdater, CancellationToken, NsisUpdater } = await import('electron-updater');
  const updater = target === 'nsis' ? new NsisUpdater() : new AppImageUpdater();
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.on('login', (_who, answer) => {
    (answer as () => void)(); // no password; without an answer the request would never end
  });
  updater.setFeedURL({ provider: 'generic', url: base.href });
  useNoIdentity(updater);
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

/**
 * Without this, electron-updater makes an id, stores it in `.updaterId` and sends it with each check; there is no option for it.
 *
 * With an id of zeros every staged rollout includes this copy.
 */
function useNoIdentity(updater: BaseUpdater): void {
  Object.defineProperty(updater, 'stagingUserIdPromise', {
    value: { value: Promise.resolve('00000000-0000-0000-0000-000000000000') },
  });
}

/**
 * Returns a function that aborts the current request; there is one at a time.
 *
 * The cancellation token does not abort requests, and `session.closeAllConnections` does not close these.
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
