import { Worker } from 'node:worker_threads';
import type { Sound } from '../core/recording/sound.ts';
import { EngineFailure, type StopSignal } from '../core/speech/speaker.ts';
import type { PiperAnswer, PiperOrder, PiperPart } from './piper-worker.ts';

const isSource = import.meta.filename.endsWith('.ts');
/** From the built program, whose files are one folder deep, or from the sources. */
const workerFile = new URL(isSource ? './piper-worker.ts' : '../speech/piper-worker.js', import.meta.url);

/** A voice of Piper in a worker of its own. Whoever makes one closes it. */
export class PiperVoice {
  readonly #worker: Worker;

  constructor(order: PiperOrder) {
    // Nothing of this process is for it: neither the environment nor options. What the runtime prints is nobody's.
    this.#worker = new Worker(workerFile, {
      workerData: order,
      env: {},
      execArgv: [],
      name: 'piper',
      stdout: true,
      stderr: true,
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
  }

  /** One part at a time. After a failure it is of no use any more. */
  async speak(part: PiperPart, signal: StopSignal, limitMs: number): Promise<Sound> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<PiperAnswer>();
    const onEnd = (cause?: unknown) => reject(new EngineFailure('ended', cause));
    const onAbort = () => reject(signal.reason);
    const timer = setTimeout(() => reject(new EngineFailure('too_late')), limitMs);
    const worker = this.#worker;
    worker.ref();
    worker.once('message', resolve).once('error', onEnd).once('exit', onEnd);
    signal.addEventListener('abort', onAbort);
    worker.postMessage(part);
    try {
      const answer = await promise;
      if (answer.kind === 'damaged') throw new EngineFailure('damaged', answer.what);
      return answer;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      worker.off('message', resolve).off('error', onEnd).off('exit', onEnd);
      worker.unref();
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
