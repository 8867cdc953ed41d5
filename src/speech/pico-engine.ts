import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Voice, VoiceId } from '../contract/menu/speech.ts';
import type { Sound } from '../core/recording/sound.ts';
import {
  EngineFailure,
  speakingLimitMs,
  type SpeechEngine,
  type SpeechPart,
  type StopSignal,
} from '../core/speech/speaker.ts';
import { readableLetters } from '../core/speech/spoken-words.ts';
import type { PicoOrder, PicoPart } from './pico-worker.ts';
import { SpeakingWorker, type SpeakingWorkerOptions } from './speaking-worker.ts';

/** Each language has one voice, and this is the name of its second file. */
const voiceFiles = {
  'en-GB': 'en-GB_kh0_sg.bin',
  'en-US': 'en-US_lh0_sg.bin',
  'de-DE': 'de-DE_gl0_sg.bin',
  'es-ES': 'es-ES_zl0_sg.bin',
  'fr-FR': 'fr-FR_nk0_sg.bin',
  'it-IT': 'it-IT_cm0_sg.bin',
} as const;

/** Where the package `libttspico-data` of Debian and Ubuntu has the voices, and where a person puts them who has none. */
const usualFolders = ['/usr/share/pico/lang', '/usr/local/share/pico/lang'];

const isSource = import.meta.filename.endsWith('.ts');

/** The build copies it from the package `@echogarden/svoxpico-wasm`; as for flite, a desktop package has it once. */
function picoFile(): string {
  if (isSource) return createRequire(import.meta.url).resolve('@echogarden/svoxpico-wasm/svoxpico.wasm');
  return fileURLToPath(new URL('../speech/svoxpico.wasm', import.meta.url)).replace(/\bapp\.asar[\\/]/, '');
}

export interface PicoEngineOptions extends SpeakingWorkerOptions {
  readonly limitMs?: (text: string) => number;
  /** Where its voices may be. */
  readonly folders?: readonly string[];
}

interface VoiceFiles {
  readonly voice: Voice;
  /** What tells that the files are others now. */
  readonly state: string;
  readonly order: PicoOrder;
}

/**
 * Speech by SVOX Pico, in a worker: basic voices for six languages where their data is installed. The data comes without its sources,
 * so it is never in a package of ours.
 */
// see decisions/speech-made-beforehand.md
export class PicoEngine implements SpeechEngine {
  readonly #worker: SpeakingWorker<PicoPart>;
  readonly #limitMs: (text: string) => number;
  readonly #folders: readonly string[];
  #known: ReadonlyMap<string, VoiceFiles> = new Map();

  constructor({ limitMs = speakingLimitMs, folders = usualFolders, ...options }: PicoEngineOptions = {}) {
    this.#worker = new SpeakingWorker('pico', options);
    this.#limitMs = limitMs;
    this.#folders = folders;
  }

  get isLoaded(): boolean {
    return this.#worker.isLoaded;
  }

  /** Looks whether the files are there; reads them only when they are others than before. */
  async voices(): Promise<readonly Voice[]> {
    const found = await Promise.all(
      Object.entries(voiceFiles).map(([language, signal]) => this.#voiceOf(language, signal)),
    );
    this.#known = new Map(found.flatMap((one) => (one === null ? [] : [[one.voice.id, one]])));
    return [...this.#known.values()].map(({ voice }) => voice);
  }

  async speak({ text, voice, rate }: SpeechPart, signal: StopSignal): Promise<Sound> {
    const files = this.#known.get(voice);
    if (files === undefined) throw new EngineFailure('damaged');
    signal.throwIfAborted();
    const plain = withoutMarkup(text);
    // It would read the signs out.
    if (!readableLetters(plain)) return { samples: new Float32Array(0), rate: 16_000 };
    const order = { key: `${voice} ${files.voice.model_digest}`, data: files.order };
    return this.#worker.speak(order, { text: plain, rate }, signal, this.#limitMs(text));
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  async #voiceOf(language: string, signalName: string): Promise<VoiceFiles | null> {
    for (const folder of this.#folders) {
      const analysis = join(folder, `${language}_ta.bin`);
      const signal = join(folder, signalName);
      const state = await stateOf([analysis, signal]);
      if (state === null) continue;
      const id = VoiceId.parse(`pico/${language}`);
      const known = this.#known.get(id);
      if (known?.state === state) return known;
      const digest = await digestOf([analysis, signal]);
      if (digest === null) continue;
      const voice: Voice = {
        id,
        name: 'Pico',
        language,
        quality: 'basic',
        engine: 'pico',
        engine_version: '1.0',
        model_digest: digest,
        licence: 'redistributable (SVOX)',
      };
      return { voice, state, order: { engine: picoFile(), analysis, signal } };
    }
    return null;
  }
}

async function stateOf(files: readonly string[]): Promise<string | null> {
  try {
    const facts = await Promise.all(files.map((file) => stat(file)));
    if (!facts.every((one) => one.isFile())) return null;
    return JSON.stringify(facts.map(({ ino, size, mtimeMs, ctimeMs }) => [ino, size, mtimeMs, ctimeMs]));
  } catch {
    return null; // not installed, or not for this person to read
  }
}

async function digestOf(files: readonly string[]): Promise<string | null> {
  const digest = createHash('sha256');
  try {
    for (const file of files) digest.update(await readFile(file));
    return digest.digest('hex');
  } catch {
    return null; // as above
  }
}

/** Nothing that Pico could take for a tag, and none of the NUL that ends a text. */
function withoutMarkup(text: string): string {
  return text.replace(/[<>\p{Cc}]/gu, ' ');
}
