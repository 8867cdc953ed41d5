import type { RecordingView } from '../../../../contract/recording.ts';
import { readReference } from '../../../../contract/ivr-reference.ts';
import { referenceTitle } from '../../../../text/phone-menu.ts';
import { playRecording } from '../../../recordings/play-recording.ts';

/** Lets a prompt be heard. */
export interface Voice {
  /** Begins; `onOver` is told once, when it is over. Null: nothing can be heard of it here. Returns how to stop. */
  play(prompt: string, onOver: () => void): (() => void) | null;
}

/** How much longer than expected a spoken text may take, before it is taken to be over: some voices never say so. */
const patience = { factor: 3, moreMs: 4_000 } as const;

/** What this browser can let hear: the audio of recordings that are here, a voice for the rest where it has one. */
export function browserVoice(recordings: () => readonly RecordingView[]): Voice {
  return {
    play(prompt, onOver) {
      const reference = readReference(prompt);
      const isHere =
        reference?.type === 'recording' && recordings().some(({ id }) => String(id) === reference.id);
      return isHere ? playAudio(reference.id, onOver) : speak(promptWords(prompt), onOver);
    },
  };
}

/** What is spoken where there is no audio. */
function promptWords(prompt: string): string {
  const reference = readReference(prompt);
  if (reference === null) return prompt;
  return reference.type === 'outbound_tts' ? reference.id : referenceTitle(prompt);
}

/** Audio that cannot be played is said to be there, rather than passed over in silence. */
function playAudio(id: string, onOver: () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let stopSpeaking: (() => void) | null = null;
  void playRecording(id, { signal }).then((end) => {
    if (end === 'stopped' || signal.aborted) return;
    stopSpeaking = end === 'failed' ? speak(promptWords(`recording||${id}`), onOver) : null;
    if (stopSpeaking === null) onOver();
  });
  return () => {
    stopping.abort();
    stopSpeaking?.();
  };
}

function speak(text: string, onOver: () => void): (() => void) | null {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  if (synthesis === undefined || synthesis.getVoices().length === 0) return null;
  const utterance = new SpeechSynthesisUtterance(text);
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    onOver();
  };
  const timer = setTimeout(end, spokenMs(text) * patience.factor + patience.moreMs);
  utterance.addEventListener('end', end);
  utterance.addEventListener('error', end);
  synthesis.speak(utterance);
  return () => {
    isOver = true;
    clearTimeout(timer);
    synthesis.cancel();
  };
}

/** How long a prompt is taken to be of which nothing is known, in milliseconds. */
const unknownMs = 3_000;
/** A calm voice: about 15 characters a second, and never less than a second. */
const characterMs = 65;
const leastMs = 1_000;

/** How long a text is spoken, about. */
function spokenMs(text: string): number {
  return Math.max(leastMs, text.length * characterMs);
}

/** How long a prompt plays: as its file tells, as its text is long, or a guess. */
export function promptMs(prompt: string, recordings: readonly RecordingView[]): number {
  const reference = readReference(prompt);
  if (reference === null) return unknownMs;
  if (reference.type === 'outbound_tts') return spokenMs(reference.id);
  return recordings.find(({ id }) => String(id) === reference.id)?.duration_ms ?? unknownMs;
}
