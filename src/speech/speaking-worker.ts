import { Worker } from 'node:worker_threads';
import type { Sound } from '../core/recording/sound.ts';
import { EngineFailure, type StopSignal } from '../core/speech/speaker.ts';
import { invariant } from '../core/unreachable.ts';

/** What a worker of an engine answers to a part; any other failure ends it. */
export type SpokenAnswer = Sound | { readonly damaged: 'runtime' | 'voice' };

/** What a worker is started with. Another key needs another worker. */
export interface WorkerOrder {
  readonly key: string;
  readonly data: unknown;
}

export interface SpeakingWorkerOptions {
  /** After so long without work the worker ends, and gives its memory back. */
  readonly idleMs?: number;
  /** What the first part may take more than the others. */
  readonly loadingMs?: number;
}

const usualIdleMs = 60_000;
const isSource = import.meta.filename.endsWith('.ts');

/** From the built program, whose files are one folder deep, or from the sources. */
export function startWorker(name: 'flite' | 'piper' | 'unpack', workerData: unknown): Worker {
  const file = isSource ? `./${name}-worker.ts` : `../speech/${name}-worker.js`;
  // Nothing of this process is for it: neither the environment nor options. What it prints is nobody's.
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData,
    env: {},
    execArgv: [],
    name,
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/**
 * The worker in which an engine speaks.
 *
 * Invariants: at most one worker; none after `close`; a part that is aborted, fails or takes too long leaves none.
 */
export class SpeakingWorker<Part> {
  readonly #name: 'flite' | 'piper';
  readonly #idleMs: number;
  readonly #loadingMs: number;
  #loaded: { readonly key: string; readonly worker: Worker } | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #isSpeaking = false;

  constructor(name: 'flite' | 'piper', { idleMs = usualIdleMs, loadingMs = 0 }: SpeakingWorkerOptions = {}) {
    this.#name = name;
    this.#idleMs = idleMs;
    this.#loadingMs = loadingMs;
  }

  get isLoaded(): boolean {
    return this.#loaded !== null;
  }

  async speak(order: WorkerOrder, part: Part, signal: StopSignal, limitMs: number): Promise<Sound> {
    invariant(!this.#isSpeaking, 'an engine speaks one part at a time');
    signal.throwIfAborted();
    this.#isSpeaking = true;
    clearTimeout(this.#idleTimer);
    try {
      const isNew = this.#loaded?.key !== order.key;
      if (isNew) await this.close();
      signal.throwIfAborted();
      this.#loaded ??= { key: order.key, worker: startWorker(this.#name, order.data) };
      const limit = limitMs + (isNew ? this.#loadingMs : 0);
      const answer = await answerOf(this.#loaded.worker, part, signal, limit);
      if ('damaged' in answer) throw new EngineFailure('damaged', answer.damaged);
      this.#idleTimer = setTimeout(() => void this.close(), this.#idleMs).unref();
      return answer;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      this.#isSpeaking = false;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const loaded = this.#loaded;
    this.#loaded = null;
    await loaded?.worker.terminate();
  }
}

async function answerOf(
  worker: Worker,
  part: unknown,
  signal: StopSignal,
  limitMs: number,
): Promise<SpokenAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SpokenAnswer>();
  const onEnd = (cause?: unknown) => reject(new EngineFailure('ended', cause));
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new EngineFailure('too_late')), limitMs);
  worker.ref();
  worker.once('message', resolve).once('error', onEnd).once('exit', onEnd);
  signal.addEventListener('abort', onAbort);
  worker.postMessage(part);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    worker.off('message', resolve).off('error', onEnd).off('exit', onEnd);
    worker.unref();
  }
}
