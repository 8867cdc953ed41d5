import { Worker } from 'node:worker_threads';
import type { Sound } from '../core/recording/sound.ts';
import { EngineFailure, type StopSignal } from '../core/speech/speaker.ts';
import { invariant } from '../core/unreachable.ts';

/** What a worker of an engine answers to a part; any other failure ends it. */
export type SpokenAnswer = Sound | Damaged;

interface Damaged {
  readonly damaged: 'runtime' | 'voice';
}

/** One worker for each kind of work. */
type WorkerName = 'flite' | 'pico' | 'piper' | 'joining';

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
  /** A part that was aborted may go on for so long. */
  readonly goingOnMs?: number;
}

const usualIdleMs = 60_000;
/** Somebody types on while a text is spoken: to load an engine again takes longer than it needs for the rest of most texts. */
const usualGoingOnMs = 1_000;
const isSource = import.meta.filename.endsWith('.ts');

/** From the built program, whose files are one folder deep, or from the sources. */
export function startWorker(name: WorkerName | 'unpack', workerData: unknown): Worker {
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
 * The worker in which an engine speaks, or sounds are joined.
 *
 * Invariants: at most one worker; none after `close`; a part that fails or takes too long leaves none, and one that is aborted none that
 * is still at it a second later.
 */
export class SpeakingWorker<Part, Answer extends object = Sound> {
  readonly #name: WorkerName;
  readonly #idleMs: number;
  readonly #loadingMs: number;
  readonly #goingOnMs: number;
  #loaded: { readonly key: string; readonly worker: Worker } | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #isSpeaking = false;
  /** The end of a part that was aborted. */
  #goingOn: Promise<void> = Promise.resolve();

  constructor(
    name: WorkerName,
    { idleMs = usualIdleMs, loadingMs = 0, goingOnMs = usualGoingOnMs }: SpeakingWorkerOptions = {},
  ) {
    this.#name = name;
    this.#idleMs = idleMs;
    this.#loadingMs = loadingMs;
    this.#goingOnMs = goingOnMs;
  }

  get isLoaded(): boolean {
    return this.#loaded !== null;
  }

  async speak(order: WorkerOrder, part: Part, signal: StopSignal, limitMs: number): Promise<Answer> {
    invariant(!this.#isSpeaking, 'one part at a time');
    signal.throwIfAborted();
    this.#isSpeaking = true;
    clearTimeout(this.#idleTimer);
    let isAsked = false;
    try {
      await this.#goingOn;
      const isNew = this.#loaded?.key !== order.key;
      if (isNew) await this.close();
      signal.throwIfAborted();
      this.#loaded ??= { key: order.key, worker: startWorker(this.#name, order.data) };
      const limit = limitMs + (isNew ? this.#loadingMs : 0);
      isAsked = true;
      const answer = await answerOf<Answer | Damaged>(this.#loaded.worker, part, signal, limit);
      if ('damaged' in answer) throw new EngineFailure('damaged', answer.damaged);
      this.#rest();
      return answer;
    } catch (error) {
      if (error !== signal.reason) await this.close();
      else if (isAsked && this.#loaded !== null) this.#goingOn = this.#endOf(this.#loaded.worker);
      else this.#rest();
      throw error;
    } finally {
      this.#isSpeaking = false;
    }
  }

  #rest(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.close(), this.#idleMs).unref();
  }

  /** Of a part that nobody waits for. */
  async #endOf(worker: Worker): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = () => resolve(false);
    const answer = () => resolve(true);
    const timer = setTimeout(end, this.#goingOnMs).unref();
    worker.once('message', answer).once('error', end).once('exit', end);
    const isReady = await promise;
    clearTimeout(timer);
    worker.off('message', answer).off('error', end).off('exit', end);
    if (this.#loaded?.worker !== worker) return;
    if (isReady) this.#rest();
    else await this.close();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const loaded = this.#loaded;
    this.#loaded = null;
    await loaded?.worker.terminate();
  }
}

async function answerOf<Answer>(
  worker: Worker,
  part: unknown,
  signal: StopSignal,
  limitMs: number,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
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
