import { createHash, type KeyObject } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UpdateProblem } from '../../contract/service/update.ts';
import type { OutgoingRequests } from '../../host/start-host.ts';
import { isAboutNetwork } from '../../text/service/network-text.ts';
import type { UpdateTarget } from './find-update-target.ts';
import { replaceAppImage, verifyDownload } from './replace-app-image.ts';
import { listName, type Offer, type OfferTerms, readOffer, signatureName } from './update-list.ts';
import { UpdateError, type UpdateSource } from './update-state.ts';

export interface UpdateLimits {
  /** The time limit of a check, in milliseconds. */
  readonly answerMs: number;
  /** How long a download may make no progress. */
  readonly standstillMs: number;
}

export const usualLimits: UpdateLimits = { answerMs: 30_000, standstillMs: 5 * 60_000 };

export type Target = Exclude<UpdateTarget, { kind: 'none' }>;

export interface FeedSourceParts {
  readonly feed: string;
  readonly key: KeyObject;
  readonly target: Target;
  readonly running: Pick<OfferTerms, 'platform' | 'arch' | 'runningVersion'>;
  readonly limits: UpdateLimits;
  readonly network: OutgoingRequests;
  /** Starts the replaced AppImage, or the installer, as a separate process. */
  readonly start: (file: string, step: 'new_version' | 'installer' | 'silent_installer') => Promise<void>;
  /** Ends this program. */
  readonly quit: () => void;
}

/** Larger than any list, so that an endless answer does not fill the memory. */
const longestList = 256 * 1024;

/**
 * A feed: a folder on a web server with a list of the newest version, the signature of that list, and the files.
 *
 * Protection: the list is signed with the key in this program, and a file is used only if it has the size and SHA-512 in
 * that list, verified after the download and again before the installation. So it does not matter where an answer comes
 * from: redirects are followed.
 */
// see decisions/updates.md
export class FeedSource implements UpdateSource {
  readonly #parts: FeedSourceParts;
  readonly #base: URL;
  readonly #closed = new AbortController();
  #offer: Offer | null = null;
  #downloaded: string | null = null;
  /** Resolves when no file of a download is open. */
  #written: Promise<void> = Promise.resolve();

  constructor(parts: FeedSourceParts) {
    this.#parts = parts;
    this.#base = new URL(parts.feed.endsWith('/') ? parts.feed : `${parts.feed}/`);
  }

  async check(): Promise<string | null> {
    const { key, target, running, limits } = this.#parts;
    return this.#within(limits.answerMs, async (signal) => {
      const list = await this.#readSmall(listName, signal);
      const signature = await this.#readSmall(signatureName, signal);
      this.#offer = readOffer(list, signature, key, { ...running, kind: target.kind });
      return this.#offer?.version ?? null;
    });
  }

  async download(onPercent: (percent: number) => void): Promise<void> {
    const offer = this.#offer;
    if (offer === null) throw new Error('nothing was offered');
    const { name, size, sha512 } = offer.file;
    await this.#within(this.#parts.limits.standstillMs, async (signal, onProgress) => {
      const body = await this.#get(name, signal);
      const file = await this.#placeFor(name);
      this.#downloaded = file;
      const hash = createHash('sha512');
      let length = 0;
      const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          onProgress();
          length += chunk.length;
          if (length > size) throw new UpdateError({ code: 'wrong_file' });
          hash.update(chunk);
          onPercent(Math.floor((100 * length) / size));
          yield chunk;
        }
      };
      await rm(file, { force: true });
      const written = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
      this.#written = new Promise((resolve) => written.once('close', () => resolve()));
      await pipeline(this.#answered(body), counted, written, { signal });
      if (length !== size || hash.digest('base64') !== sha512) throw new UpdateError({ code: 'wrong_file' });
    }).catch(async (error: unknown) => {
      await this.#removeDownload();
      throw error;
    });
  }

  async installAndRestart(beforeEnd: () => Promise<void>): Promise<void> {
    const file = await this.#prepareInstall();
    await beforeEnd();
    try {
      await this.#parts.start(file, this.#parts.target.kind === 'nsis' ? 'installer' : 'new_version');
    } catch (error) {
      throw new UpdateError({ code: 'not_started' }, { cause: error });
    } finally {
      this.#parts.quit();
    }
  }

  async install(): Promise<void> {
    const file = await this.#prepareInstall();
    if (this.#parts.target.kind === 'nsis') await this.#parts.start(file, 'silent_installer');
  }

  close(): void {
    this.#closed.abort(new UpdateError({ code: 'feed_changed' }));
    void this.#removeDownload().catch(() => undefined); // left over; the next download writes over it
  }

  /** Replaces an AppImage while it runs. Returns what is to be started: the AppImage, or the verified installer. */
  async #prepareInstall(): Promise<string> {
    const [downloaded, offer, { target }] = [this.#downloaded, this.#offer, this.#parts];
    if (downloaded === null || offer === null) throw new Error('nothing was downloaded');
    await verifyDownload(downloaded, offer.file.sha512);
    if (target.kind === 'appimage') await replaceAppImage(downloaded, target.file);
    this.#downloaded = null; // it is used now, and not removed
    return target.kind === 'appimage' ? target.file : downloaded;
  }

  /** An AppImage is downloaded beside the one that it replaces: one rename is enough then, and the space is used once. */
  async #placeFor(name: string): Promise<string> {
    const { target } = this.#parts;
    if (target.kind === 'nsis') return join(await mkdtemp(join(tmpdir(), 'rotavox-update-')), name);
    const installed = await realpath(target.file);
    return join(dirname(installed), `.${basename(installed)}.new`);
  }

  async #removeDownload(): Promise<void> {
    const file = this.#downloaded;
    this.#downloaded = null;
    if (file === null) return;
    // A file that is only about to be made would be made after it was removed.
    await this.#written;
    await rm(this.#parts.target.kind === 'nsis' ? dirname(file) : file, { recursive: true, force: true });
  }

  async #readSmall(name: string, signal: AbortSignal): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.#answered(await this.#get(name, signal))) {
      length += chunk.length;
      if (length > longestList) throw new UpdateError({ code: 'unknown_list' });
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** Requests a file of the feed. A feed learns that a Rotavox asks, but not its version, or an id. */
  async #get(name: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { host: feed } = this.#base;
    const url = new URL(encodeURIComponent(name), this.#base).href;
    let response: Response;
    try {
      response = await this.#parts.network.fetch(url, {
        signal,
        // Without the language of this machine.
        headers: { 'User-Agent': 'Rotavox', 'Accept-Language': 'en' },
      });
    } catch (error) {
      const failure = this.#parts.network.failureOf(error);
      const problem: UpdateProblem =
        failure !== null && isAboutNetwork(failure)
          ? { code: 'way', feed, failure }
          : { code: 'unreachable', feed, error: networkCodeOf(error) };
      throw new UpdateError(problem, { cause: error });
    }
    if (response.ok && response.body !== null) return response.body;
    await response.body?.cancel();
    const { status } = response;
    if (status === 404) {
      if (name === signatureName) throw new UpdateError({ code: 'unsigned', feed });
      throw new UpdateError({ code: name === listName ? 'no_list' : 'no_file', feed });
    }
    const isDenied = status === 401 || status === 403 || status === 407;
    throw new UpdateError({ code: isDenied ? 'denied' : 'feed_failed', feed, status });
  }

  /** The body of an answer, whose errors are those of the connection. */
  async *#answered(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      const { host: feed } = this.#base;
      throw new UpdateError({ code: 'connection_lost', feed, error: networkCodeOf(error) }, { cause: error });
    }
  }

  /** Waits for `act` until the source is closed or nothing has happened for `limitMs`. `act` reports progress. */
  async #within<T>(
    limitMs: number,
    act: (signal: AbortSignal, onProgress: () => void) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new UpdateError({ code: 'timeout', feed: this.#base.host }));
    }, limitMs);
    const signal = AbortSignal.any([late.signal, this.#closed.signal]);
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => aborted.reject(signal.reason));
    try {
      signal.throwIfAborted();
      return await Promise.race([act(signal, () => timer.refresh()), aborted.promise]);
    } catch (error) {
      throw signal.aborted ? signal.reason : explained(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What the disk refused, by its code; anything else is reported as it is. */
function explained(error: unknown): unknown {
  if (error instanceof UpdateError) return error;
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new UpdateError({ code: 'disk_full' }, { cause: error });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new UpdateError({ code: 'not_writable', error: code }, { cause: error });
  return error;
}

/** Chromium's network errors have their code only in the message; those of Node are in the cause. */
function networkCodeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return codeOf(cause) || codeOf(error) || (message.split('\n')[0] ?? '').slice(0, 100);
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
