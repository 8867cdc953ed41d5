import { app } from 'electron';
import { explainFailure } from './explain-failure.ts';
import type { FailureFacts } from './explain-failure.ts';
import type { UpdateTarget } from './find-update-target.ts';
import { guardFeed } from './guard-feed.ts';
import type { FeedGuard } from './guard-feed.ts';
import { loadUpdater } from './load-updater.ts';
import type { LoadedUpdater } from './load-updater.ts';
import { baseOf, readOffer } from './read-offer.ts';
import type { Offer } from './read-offer.ts';
import { replaceAppImage } from './replace-app-image.ts';
import { startAppImage } from './start-app-image.ts';
import { UpdateError } from './update-source.ts';
import type { UpdateSource } from './update-source.ts';
import { verifyDownload } from './verify-download.ts';

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
