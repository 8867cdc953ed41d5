/** How the archive of a voice comes here: written while it arrives, compared with what was pinned, unpacked by a worker. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { VoicePackProblem } from '../contract/menu/voice-pack.ts';
import type { StopSignal } from '../core/speech/speaker.ts';
import { startWorker } from './speaking-worker.ts';
import type { UnpackAnswer, UnpackOrder } from './unpack-worker.ts';
import type { PinnedFile } from './voice-sources.ts';

/** Why nothing was added. */
export class PackRefused extends Error {
  readonly problem: VoicePackProblem;

  constructor(problem: VoicePackProblem, options?: ErrorOptions) {
    super(problem.kind, options);
    this.problem = problem;
  }
}

/** Writes what arrives to a new file, and refuses more than `mostBytes`. Aborted, it waits for nothing more to arrive. */
export async function writeAtMost(
  mostBytes: number,
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  signal: StopSignal,
  onProgress: (received: number) => void = () => undefined,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let received = 0;
  const counted = async function* () {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      received += chunk.length;
      if (received > mostBytes) throw new PackRefused({ kind: 'too_large', most_bytes: mostBytes });
      hash.update(chunk);
      onProgress(received);
      yield chunk;
    }
  };
  signal.throwIfAborted();
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  const stopped = Promise.withResolvers<never>();
  const onAbort = () => {
    target.destroy();
    stopped.reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort);
  try {
    // A pipeline would wait for the source, which may be an upload that stands still.
    await Promise.race([pipeline(counted, target), stopped.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  return { bytes: received, sha256: hash.digest('hex') };
}

export interface DownloadTerms {
  readonly fetch: typeof fetch;
  readonly signal: StopSignal;
  /** How long it may make no progress. */
  readonly standstillMs: number;
  readonly onProgress: (received: number) => void;
}

/** Downloads a file. It does not matter where an answer comes from: size and digest are pinned, and redirects are followed. */
export async function downloadPinned(
  { url, bytes, sha256 }: PinnedFile,
  file: string,
  { fetch: doFetch, signal, standstillMs, onProgress }: DownloadTerms,
): Promise<void> {
  const name = basename(new URL(url).pathname);
  const ending = new AbortController();
  const onAbort = () => ending.abort(signal.reason);
  const timer = setTimeout(() => ending.abort(), standstillMs);
  signal.addEventListener('abort', onAbort);
  try {
    const response = await doFetch(url, {
      signal: ending.signal,
      // Without the language of this machine.
      headers: { 'User-Agent': 'Rotavox', 'Accept-Language': 'en' },
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw new PackRefused({ kind: 'not_downloaded', name, url, error: `HTTP ${response.status}` });
    }
    const written = await writeAtMost(bytes, response.body, file, signal, (received) => {
      timer.refresh();
      onProgress(received);
    });
    if (written.sha256 !== sha256)
      throw new PackRefused({ kind: 'wrong_file', name, expected: sha256, found: written.sha256 });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PackRefused || isOfDisk(error)) throw error;
    const code = ending.signal.aborted ? 'TIMEOUT' : networkCodeOf(error);
    throw new PackRefused({ kind: 'not_downloaded', name, url, error: code }, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

export type Unpacked = Extract<UnpackAnswer, { kind: 'unpacked' }>;

export async function unpackInWorker(
  order: UnpackOrder,
  signal: StopSignal,
  limitMs: number,
): Promise<Unpacked> {
  signal.throwIfAborted();
  const worker = startWorker('unpack', order);
  const { promise, resolve, reject } = Promise.withResolvers<UnpackAnswer>();
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new PackRefused({ kind: 'too_slow', limit_ms: limitMs })), limitMs);
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', (code) => reject(new Error(`unpack_worker_ended_${code}`)));
  signal.addEventListener('abort', onAbort);
  try {
    const answer = await promise;
    if (answer.kind === 'refused') throw new PackRefused(answer.problem);
    if (answer.kind === 'failed') throw Object.assign(new Error(answer.code), { code: answer.code });
    return answer;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

const longestLicence = 100;
/** Of a card, which may be as large as an archive lets it be. In bytes. */
const longestCard = 64 * 1024;

/** What the card of an unpacked voice says, as Piper has it: `* License: CC0`. Null: nothing. */
export async function licenceIn(folder: string): Promise<string | null> {
  const card = await text(createReadStream(join(folder, 'MODEL_CARD'), { end: longestCard })).catch(() => '');
  for (const line of card.split('\n')) {
    const colon = line.indexOf(':');
    const label = line
      .slice(0, Math.max(0, colon))
      .replace(/[^a-z]/gi, '')
      .toLowerCase();
    const said = line
      .slice(colon + 1)
      .replace(/\p{Cc}/gu, ' ')
      .trim();
    if (['license', 'licence'].includes(label) && said !== '') return said.slice(0, longestLicence);
  }
  return null;
}

const diskCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENOTDIR',
  'EBUSY',
]);

/** Whether the disk, and not the network, has refused something. */
export function isOfDisk(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && diskCodes.has(code) && syscall !== 'connect';
}

/** The code of a failed connection, which is in a cause. */
function networkCodeOf(error: unknown): string {
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') return one.code;
  return error instanceof Error ? error.name : 'unknown';
}
