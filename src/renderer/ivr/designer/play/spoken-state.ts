import type { RecordingView } from '../../../../contract/menu/recording.ts';
import { writeReference } from '../../../../contract/menu/ivr-reference.ts';
import type { SpeechProblem, Voice } from '../../../../contract/menu/speech.ts';
import { voiceFor } from '../../../../core/speech/speech-request.ts';
import { recordingOfDraft, spokenTextOf } from '../../../../core/speech/spoken-recording.ts';
import { unspoken } from '../../../../core/ivr/prove/check-spoken-prompts.ts';
import { knownSpeech, type SpeechData } from '../reference-data.ts';

/** What callers hear of a spoken text. */
export type SpokenState =
  | { readonly kind: 'spoken'; readonly recording: RecordingView }
  /** They hear a recording that would sound different if it was spoken now; `changed` of it says why. */
  | { readonly kind: 'changed'; readonly recording: RecordingView }
  /** It is made when the menu is published. `voice` is null while the voices are not known. */
  | { readonly kind: 'not_yet'; readonly voice: Voice | null }
  | { readonly kind: 'unspoken'; readonly problem: SpeechProblem };

export function spokenState(text: string, data: SpeechData): SpokenState {
  const { recordings, spokenAs, voices } = data;
  const { problem } = unspoken(text, knownSpeech(data));
  if (problem !== null) return { kind: 'unspoken', problem };
  const recording = recordingOfDraft(
    recordings,
    writeReference({ type: 'outbound_tts', id: text }),
    spokenAs,
  );
  if (recording === null) {
    const asked = { language: spokenAs.speech_language, voice: spokenAs.speech_voice };
    return { kind: 'not_yet', voice: voices === null ? null : voiceFor(asked, voices) };
  }
  return { kind: recording.changed.length === 0 ? 'spoken' : 'changed', recording };
}

/** Whether callers hear nothing of a prompt, also after it is published. */
export function isUnheard(prompt: string, data: SpeechData): boolean {
  const text = spokenTextOf(prompt);
  return text !== null && spokenState(text, data).kind === 'unspoken';
}
