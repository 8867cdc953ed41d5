import type { RecordingView } from '../../../../contract/menu/recording.ts';
import { readReference } from '../../../../contract/menu/ivr-reference.ts';
import { referenceTitle } from '../../../../text/menu/phone-menu.ts';
import { playRecording } from '../../../recordings/use-player.ts';

/** Plays prompts. */
export interface Voice {
  /** Starts a prompt and calls `onOver` once at its end. Returns how to stop, or null if the prompt cannot be played here. */
  play(prompt: string, onOver: () => void): (() => void) | null;
}

/** How much longer than expected a spoken text may take: some voices never report their end. */
const patience = { factor: 3, moreMs: 4_000 } as const;

/** Plays the audio of recordings that are here, and speaks the rest if the browser has a voice. */
export function browserVoice(recordings: () => readonly RecordingView[]): Voice {
  return {
    play(prompt, onOver) {
      const reference = readReference(prompt);
      const isHere =
        reference?.type === 'recording' && recordings().some(({ id }) => String(id) === reference.id);
      return isHere ? playAudio(reference.id, onOver) : speak(promptText(prompt), onOver);
    },
  };
}

/** What is spoken if there is no audio. */
function promptText(prompt: string): string {
  const reference = readReference(prompt);
  if (reference === null) return prompt;
  return reference.type === 'outbound_tts' ? reference.id : referenceTitle(prompt);
}

/** If the audio cannot be played, the name of the recording is spoken instead. */
function playAudio(id: string, onOver: () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let stopSpeaking: (() => void) | null = null;
  void playRecording(id, { signal }).then((end) => {
    if (end === 'stopped' || signal.aborted) return;
    stopSpeaking = end === 'failed' ? speak(promptText(`recording||${id}`), onOver) : null;
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

/** The assumed length of an unknown prompt, in milliseconds. */
const unknownMs = 3_000;
/** About 15 characters a second, and at least one second. */
const characterMs = 65;
const leastMs = 1_000;

/** About how long speaking a text takes. */
function spokenMs(text: string): number {
  return Math.max(leastMs, text.length * characterMs);
}

/** How long a prompt plays: the length of its file, an estimate from its text, or a default. */
export function promptMs(prompt: string, recordings: readonly RecordingView[]): number {
  const reference = readReference(prompt);
  if (reference === null) return unknownMs;
  if (reference.type === 'outbound_tts') return spokenMs(reference.id);
  return recordings.find(({ id }) => String(id) === reference.id)?.duration_ms ?? unknownMs;
}
