import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import { promptPathStart } from '../contract/address.ts';
import { readReference } from '../contract/menu/ivr-reference.ts';
import type { Recording, RecordingId } from '../contract/menu/recording.ts';
import type { FlowSpeech } from '../contract/menu/speech.ts';
import type { PromptAudio } from '../core/calls/telephony.ts';
import type { Clock } from '../core/ledger.ts';
import { namedSound, pbxSound } from '../core/recording/pbx-sound.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import {
  type SpokenAs,
  spokenAsOf,
  spokenRecordingOf,
  spokenTextOf,
} from '../core/speech/spoken-recording.ts';
import { dayMs } from '../core/token/token-record.ts';

/** Why a prompt cannot be heard. `not_speech`: a text of which no speech was made. */
export type MissingPrompt = 'gone' | 'not_convertible' | 'not_speech';

/** What Asterisk is asked to play, and how long that takes. */
export interface FoundPrompt {
  readonly media: string;
  readonly seconds: number;
  /** The sound of the telephone system that it is; whether there is one, only playing it shows. */
  readonly sound?: string;
}

/** Where one Asterisk finds the prompts of calls. */
export interface Prompts {
  /** Or why there is nothing. `recording` as the menu writes it, such as `recording||42`; `speech` as its call flow has it. */
  find(recording: string, speech?: FlowSpeech): Promise<FoundPrompt | MissingPrompt>;
}

export interface PromptParts {
  readonly recordings: Pick<ReadonlyMap<RecordingId, Recording>, 'get'> & { values(): Iterable<Recording> };
  readonly files: RecordingFiles;
  /** How the texts of menus are spoken now whose call flow does not say it. */
  readonly spokenAs: () => SpokenAs;
  readonly clock: Clock;
  /** Where the Asterisk at this address reaches this program, such as http://127.0.0.1:7682. */
  readonly baseUrl: (pbxUrl: string) => string;
}

/** For a sound of the telephone system, whose length it does not tell: longer than prompts are. */
const unknownSeconds = 300;
/** Of the audio: 8 kHz, 16 bits. */
const bytesPerSecond = 16_000;
/** In bytes: more than half an hour of speech. Others are converted again. */
const keptBytes = 64 * 1024 * 1024;

/**
 * The prompts of calls: converted for telephones once, at signed addresses.
 *
 * An address names the content, so that Asterisk fetches it once and keeps it. It works until the end of the next day, and only
 * for this start of the program: nobody else can make one. It changes daily and not more often, because Asterisk never deletes
 * what it has fetched from an older address (main/media_cache.c). It is also longer than the name of any file in Asterisk's
 * cache must be, because Asterisk copies that name into a buffer as long as the address (main/file.c, `ast_openstream_full`).
 */
// see decisions/calls-through-asterisk.md
export class PromptAddresses {
  readonly #parts: PromptParts;
  readonly #key = randomBytes(32);
  /** By digest of the recording, the one used last at the end. */
  readonly #audio = new Map<string, PromptAudio>();
  #bytes = 0;
  /** Recordings that cannot be converted, by digest. */
  readonly #broken = new Set<string>();
  readonly #oneByOne = pLimit(1);
  /** A silence that the test of a connection lets Asterisk fetch; by its digest who waits for it. */
  readonly #tests = new Map<string, () => void>();

  constructor(parts: PromptParts) {
    this.#parts = parts;
  }

  /** For the Asterisk at this address. */
  at(pbxUrl: () => string): Prompts {
    return { find: (recording, speech) => this.#find(recording, pbxUrl(), speech) };
  }

  async #find(
    recording: string,
    pbxUrl: string,
    speech: FlowSpeech | undefined,
  ): Promise<FoundPrompt | MissingPrompt> {
    const text = spokenTextOf(recording);
    const { type, id } = readReference(recording) ?? { type: '', id: '' };
    if (type === 'sound') return soundPrompt(namedSound(recording));
    const found =
      text === null ? (this.#parts.recordings.get(id as RecordingId) ?? null) : this.#spoken(text, speech);
    if (found === null) {
      if (text !== null) return 'not_speech';
      return soundPrompt(pbxSound(id));
    }
    const audio = await this.#convert(found);
    if (typeof audio === 'string') return audio;
    return { media: this.#mediaOf(found.digest, pbxUrl), seconds: audio.bytes.length / bytesPerSecond };
  }

  /** Made when the menu was stored: no speech is made during a call. */
  #spoken(text: string, speech: FlowSpeech | undefined): Recording | null {
    const { recordings, spokenAs } = this.#parts;
    return spokenRecordingOf(recordings.values(), text, spokenAsOf(spokenAs(), speech));
  }

  /** The audio at a path that was given to Asterisk; null when it is not one, or too old. */
  async read(path: string): Promise<PromptAudio | null> {
    const [, digest, day, signature] = pathPattern.exec(path) ?? [];
    if (digest === undefined || day === undefined || signature === undefined) return null;
    const expected = Buffer.from(this.#signature(digest, day));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const today = this.#today();
    if (Number(day) < today - 1 || Number(day) > today) return null;
    const tested = this.#tests.get(digest);
    if (tested !== undefined) {
      tested();
      const { encodeWav } = await import('../core/recording/wav.ts');
      return withDigest(encodeWav({ samples: new Float32Array(800), rate: 8000 }));
    }
    const audio = this.#audio.get(digest);
    if (audio !== undefined) return audio;
    // Its conversion was forgotten meanwhile, or its recording replaced: then Asterisk says that it could not fetch it.
    const recording = [...this.#parts.recordings.values()].find((one) => one.digest === digest);
    if (recording === undefined) return null;
    const again = await this.#convert(recording);
    return typeof again === 'string' ? null : again;
  }

  /** A sound of silence that no cache has, and what resolves when Asterisk has asked for it. `end` forgets it. */
  silence(pbxUrl: string): { readonly media: string; readonly fetched: Promise<true>; end: () => void } {
    const digest = randomBytes(32).toString('hex');
    const { promise: fetched, resolve } = Promise.withResolvers<true>();
    this.#tests.set(digest, () => resolve(true));
    return { media: this.#mediaOf(digest, pbxUrl), fetched, end: () => this.#tests.delete(digest) };
  }

  async #convert(recording: Recording): Promise<PromptAudio | MissingPrompt> {
    const { digest } = recording;
    const known = this.#audio.get(digest);
    if (known !== undefined) {
      this.#audio.delete(digest);
      this.#audio.set(digest, known);
      return known;
    }
    if (this.#broken.has(digest)) return 'not_convertible';
    return this.#oneByOne(async () => {
      const meanwhile = this.#audio.get(digest);
      if (meanwhile !== undefined) return meanwhile;
      const bytes = await this.#bytesOf(recording);
      if (bytes === null) return 'gone';
      const { telephoneWav } = await import('./prompt-audio.ts');
      const converted = await telephoneWav(bytes, recording.format);
      if (converted === null) {
        this.#broken.add(digest);
        return 'not_convertible';
      }
      return this.#keep(digest, withDigest(converted));
    });
  }

  async #bytesOf(recording: Recording): Promise<Uint8Array | null> {
    const stream = await this.#parts.files.read(recording, { start: 0, end: recording.bytes - 1 });
    if (stream === null) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    // Callers hear what was uploaded, and nothing that came in its place.
    return hash('sha256', bytes, 'hex') === recording.digest ? bytes : null;
  }

  #keep(digest: string, audio: PromptAudio): PromptAudio {
    this.#audio.set(digest, audio);
    this.#bytes += audio.bytes.length;
    for (const [oldest, { bytes }] of this.#audio) {
      if (this.#bytes <= keptBytes || oldest === digest) break;
      this.#audio.delete(oldest);
      this.#bytes -= bytes.length;
    }
    return audio;
  }

  #mediaOf(digest: string, pbxUrl: string): string {
    const day = String(this.#today());
    return `sound:${this.#parts.baseUrl(pbxUrl)}${promptPathStart}${digest}/${day}/${this.#signature(digest, day)}.wav`;
  }

  #signature(digest: string, day: string): string {
    return createHmac('sha256', this.#key).update(`${digest}/${day}`).digest('hex');
  }

  #today(): number {
    return Math.floor(this.#parts.clock() / dayMs);
  }
}

const pathPattern = new RegExp(`^${promptPathStart}([0-9a-f]{64})/(\\d{1,7})/([0-9a-f]{64})\\.wav$`);

function soundPrompt(sound: string | null): FoundPrompt | MissingPrompt {
  return sound === null ? 'gone' : { media: `sound:${sound}`, seconds: unknownSeconds, sound };
}

function withDigest(bytes: Uint8Array): PromptAudio {
  return { bytes, digest: hash('sha256', bytes, 'hex') };
}
