/*
 * Runs beside the page, on a thread of its own: holds the samples of one sound and does all that takes long with them.
 *
 * A recording may have a hundred million samples. Going through them on the page's thread would hold up every press for
 * seconds, so no other file of the windows does: they ask by `start-sound-thread.ts`, and get outlines and finished files. A
 * script from our own origin, so that the Content-Security-Policy needs no exception.
 */
import { type Cut, cutOf, spanOf } from './cut.ts';
import { type Outline, outlineOf } from '../outline.ts';
import { findSound } from './find-sound.ts';
import { encodeWav, readWav } from '../../../core/recording/wav.ts';
import { readWavHead } from '../../../core/recording/wav-head.ts';
import { type Channels, mixed, partOf, type Sound } from '../../../core/recording/sound.ts';
import { levelled, loudnessOf, type Steps } from '../../../core/speech/loudness.ts';
import { telephoneSound } from './telephone-sound.ts';

/** As it was recorded, or as a caller hears it. */
export type Quality = 'own' | 'telephone';

/** What is known of a sound that is held here. */
export interface HeldFacts {
  readonly outline: Outline;
  /** The cut that keeps all of it, and the one that leaves out the silence at both ends. */
  readonly all: Cut;
  readonly found: Cut;
}

/** A part of it, in one of the qualities. */
export interface CutSound {
  readonly outline: Outline;
  /** A WAV file. */
  readonly file: Blob;
}

/** All of it, as loud as spoken prompts, with its loudness (LUFS) before. */
export interface LevelledSound extends CutSound {
  readonly before: number;
  readonly lufs: number;
}

/** The calls that the thread answers, in their order: first one of `hold` and `holdWav`, then any number of the others. */
export interface SoundCalls {
  hold(channels: Channels): HeldFacts;
  /** A WAV file whose samples `wav.ts` reads. */
  holdWav(file: ArrayBuffer): HeldFacts;
  cut(cut: Cut, quality: Quality): CutSound;
  /** Null: silence. */
  level(): LevelledSound | null;
}

let own: Sound = { samples: new Float32Array(), rate: 8_000 };
let telephone: Sound | undefined;

const calls: SoundCalls = {
  hold(channels) {
    own = mixed(channels);
    telephone = undefined;
    return { outline: outlineOf(own), all: cutOf(own, null), found: cutOf(own, findSound(own)) };
  },
  holdWav(file) {
    const bytes = new Uint8Array(file);
    const head = readWavHead(bytes);
    if (!head.ok) throw new Error('This is no WAV file.');
    return calls.hold(readWav(bytes, head.value));
  },
  cut(cut, quality) {
    const sound = quality === 'own' ? own : (telephone ??= telephoneSound(own));
    const part = partOf(sound, spanOf(sound, cut));
    return { outline: outlineOf(part), file: new Blob([encodeWav(part)], { type: 'audio/wav' }) };
  },
  level() {
    const before = atOnce(loudnessOf(own));
    const sound = before === null ? null : atOnce(levelled(own));
    if (before === null || sound === null) return null;
    const file = new Blob([encodeWav(sound)], { type: 'audio/wav' });
    return { outline: outlineOf(sound), file, before, lufs: atOnce(loudnessOf(sound)) ?? before };
  },
};

/** Nothing else waits for this thread. */
function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

addEventListener('message', ({ data: [call, ...given] }: MessageEvent<[keyof SoundCalls, ...never[]]>) => {
  postMessage((calls[call] as (...all: never[]) => HeldFacts | CutSound | null)(...given));
});
postMessage('ready');
