import { readReference } from '../../../../contract/menu/ivr-reference.ts';
import { recordingOfDraft, speakTextAs, spokenTextOf } from '../../../../core/speech/spoken-recording.ts';
import { referenceTitle } from '../../../../text/menu/phone-menu.ts';
import { playFile } from '../../../recordings/use-player.ts';
import { readAudioFile, readSpeech } from '../../../recordings/read-recordings.ts';
import type { ReferenceData } from '../use-designer.ts';

/** Plays prompts. */
export interface Voice {
  /** Starts a prompt and calls `onOver` once at its end. Returns how to stop, or null if the prompt cannot be played here. */
  play(prompt: string, onOver: () => void): (() => void) | null;
}

/** How much longer than expected a spoken text may take: some voices never report their end. */
const patience = { factor: 3, moreMs: 4_000 } as const;

/** What callers would hear: recordings, also those that texts were spoken as, and how texts are spoken now. */
type Heard = Pick<ReferenceData, 'recordings' | 'spokenAs'>;

/** Plays what callers hear, also of a text that is spoken only when its menu is stored; the browser speaks the rest if it has a voice. */
export function browserVoice({ recordings, spokenAs }: Heard): Voice {
  return {
    play(prompt, onOver) {
      const recording = recordingOfDraft(recordings, prompt, spokenAs);
      const text = spokenTextOf(prompt);
      if (recording === null && text === null) return speak(promptText(prompt), onOver);
      return playAudio(
        (signal) =>
          recording === null
            ? readSpeech(speakTextAs(text ?? '', spokenAs), signal)
            : readAudioFile(recording.id, signal),
        {
          prompt,
          onOver,
        },
      );
    },
  };
}

/** What is spoken if there is no audio. */
function promptText(prompt: string): string {
  const reference = readReference(prompt);
  if (reference === null) return prompt;
  return reference.type === 'outbound_tts' ? reference.id : referenceTitle(prompt);
}

/** If the audio cannot be had or played, the text or the name of the recording is spoken instead. */
function playAudio(
  read: (signal: AbortSignal) => Promise<Blob | null>,
  { prompt, onOver }: { readonly prompt: string; readonly onOver: () => void },
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  let stopSpeaking: (() => void) | null = null;
  void playFile(read, { signal }).then((end) => {
    if (end === 'stopped' || signal.aborted) return;
    const text = promptText(prompt);
    stopSpeaking = end === 'failed' ? (speak(text, onOver) ?? wait(spokenMs(text), onOver)) : null;
    if (stopSpeaking === null) onOver();
  });
  return () => {
    stopping.abort();
    stopSpeaking?.();
  };
}

/** A text that cannot be heard takes its time all the same: a call goes on as it would. */
function wait(ms: number, onOver: () => void): () => void {
  const timer = setTimeout(onOver, ms);
  return () => clearTimeout(timer);
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
export function promptMs(prompt: string, { recordings, spokenAs }: Heard): number {
  const text = spokenTextOf(prompt);
  const usual = text === null ? unknownMs : spokenMs(text);
  return recordingOfDraft(recordings, prompt, spokenAs)?.duration_ms ?? usual;
}
