import { recordingAudioPath } from '../../../../contract/address.ts';
import type { RecordingView } from '../../../../contract/recording.ts';
import { readReference } from '../../../../core/ivr/reference.ts';
import { spokenMs } from './prompt-length.ts';

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
  return reference.type === 'outbound_tts' ? reference.id : `Recording ${reference.id}`;
}

function playAudio(id: string, onOver: () => void): () => void {
  const audio = new Audio(recordingAudioPath(id));
  let stopSpeaking: (() => void) | null = null;
  const listening = new AbortController();
  const { signal } = listening;
  /** Audio that cannot be played is said to be there, rather than passed over in silence. */
  const speakInstead = (): void => {
    if (signal.aborted) return;
    listening.abort();
    stopSpeaking = speak(promptWords(`recording||${id}`), onOver);
    if (stopSpeaking === null) onOver();
  };
  audio.addEventListener('ended', onOver, { signal });
  audio.addEventListener('error', speakInstead, { signal });
  audio.play().catch(speakInstead);
  return () => {
    listening.abort();
    audio.pause();
    audio.removeAttribute('src');
    audio.load(); // lets go of the connection
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
