import type { RecordingView } from '../../../../contract/menu/recording.ts';
import type { PromptFile, TelephoneAudio } from '../../../../core/ivr/export/asterisk-archive.ts';
import { spokenTextOf } from '../../../../core/speech/spoken-recording.ts';
import { readAudio, readSpeech } from '../../../recordings/read-recordings.ts';
import {
  holdFile,
  type SoundThread,
  startSoundThread,
} from '../../../recordings/sound/start-sound-thread.ts';

/** The audio of the recordings that are here, and of texts that can be spoken. */
export async function telephoneAudio(prompts: readonly PromptFile<RecordingView>[]): Promise<TelephoneAudio> {
  const audio = new Map<string, Uint8Array>();
  if (prompts.every(({ recording, prompt }) => recording === null && spokenTextOf(prompt) === null))
    return audio;
  const thread = await startSoundThread();
  try {
    for (const prompt of prompts) {
      const { name } = prompt;
      const content = await telephoneFile(thread, prompt);
      if (content !== null) audio.set(name, content);
    }
  } finally {
    thread.end();
  }
  return audio;
}

async function telephoneFile(
  thread: SoundThread,
  { recording, prompt }: PromptFile<RecordingView>,
): Promise<Uint8Array | null> {
  const file = await fileOf(recording, prompt);
  if (file === null) return null;
  try {
    const { all } = await holdFile(thread, file, recording?.duration_ms ?? null);
    const { file: narrow } = await thread.cut(all, 'telephone');
    return new Uint8Array(await narrow.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'EncodingError') return null;
    throw error;
  }
}

async function fileOf(recording: RecordingView | null, prompt: string): Promise<ArrayBuffer | null> {
  if (recording !== null) return readAudio(recording.id, new AbortController().signal);
  const text = spokenTextOf(prompt);
  return text === null ? null : ((await (await readSpeech(text))?.arrayBuffer()) ?? null);
}
