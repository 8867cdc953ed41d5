import { strToU8, zipSync } from 'fflate';
import type { RecordingView } from '../../../../contract/menu/recording.ts';
import type { KnownIds } from '../../../../contract/menu/ivr-reference.ts';
import type { DestinationRules } from '../../../../contract/calls/pbx.ts';
import { asteriskDialplan } from '../../../../core/ivr/export/asterisk-dialplan.ts';
import { dialplanNames } from '../../../../core/ivr/export/dialplan-names.ts';
import { recordingOfPrompt, spokenTextOf } from '../../../../core/speech/spoken-recording.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { asteriskReadme } from '../../../../text/menu/flow-export.ts';
import { readAudio, readSpeech } from '../../../recordings/read-recordings.ts';
import {
  holdFile,
  type SoundThread,
  startSoundThread,
} from '../../../recordings/sound/start-sound-thread.ts';
import { promptTitle } from '../reference-data.ts';
import type { ReferenceData } from '../use-designer.ts';

type Heard = Pick<ReferenceData, 'recordings' | 'spokenAs'>;

/** A prompt of a call flow and its audio file, by the name that the dialplan plays it under. */
export interface PromptFile {
  readonly name: string;
  /** As the body writes it. */
  readonly prompt: string;
  /** What a person calls it. */
  readonly title: string;
  /** Null for a text that was not spoken yet, and for a recording that is not here. */
  readonly recording: RecordingView | null;
}

/** A call flow as it is exported: with all menus that it leads to, the name of the draft and that of its contexts. */
export interface AsteriskExport {
  readonly flow: Flow;
  readonly drawing: string;
  readonly entry: string;
  readonly rules: DestinationRules;
}

/** What a call flow plays, each once. */
export interface FlowSounds {
  /** What needs an audio file in the folder `rotavox`. */
  readonly prompts: readonly PromptFile[];
  /** What the telephone system has itself, by its names. */
  readonly sounds: readonly string[];
}

export function flowSounds(flow: Flow, { recordings, spokenAs }: Heard): FlowSounds {
  const names = dialplanNames(flow, '', knownRecordings(recordings));
  const prompts = Array.from(names.prompts, ([prompt, name]) => {
    const recording = recordingOfPrompt(recordings, prompt, spokenAs);
    return { name, prompt, title: promptTitle(prompt, recordings), recording };
  });
  return { prompts, sounds: [...names.sounds.values()] };
}

export function knownRecordings(recordings: readonly RecordingView[]): KnownIds {
  return new Set(recordings.map(({ id }) => String(id)));
}

/** The audio files as Asterisk plays them (8,000 samples a second, one channel, 16 bits), by their names. */
export type TelephoneAudio = ReadonlyMap<string, Uint8Array>;

/**
 * The dialplan, the audio files, and what to do with them. Audio that could not be read or decoded is listed in the instructions
 * instead.
 */
export function asteriskZip(
  { flow, drawing, entry, rules }: AsteriskExport,
  heard: Heard,
  audio: TelephoneAudio,
): Blob {
  const { prompts, sounds } = flowSounds(flow, heard);
  const missing = prompts.filter(({ name }) => !audio.has(name));
  const included = prompts.filter(({ name }) => audio.has(name));
  const conf = `${entry}.conf`;
  const archive = zipSync(
    {
      'README.txt': strToU8(asteriskReadme({ drawing, entry, included, missing, sounds })),
      [conf]: strToU8(
        asteriskDialplan(flow, entry, { rules, recordings: knownRecordings(heard.recordings) }),
      ),
      ...Object.fromEntries(Array.from(audio, ([name, content]) => [`sounds/rotavox/${name}.wav`, content])),
    },
    // Audio of the telephone hardly becomes smaller. One date, so that the same files make the same archive.
    { level: 0, mtime: new Date(1980, 0, 1) },
  );
  return new Blob([archive], { type: 'application/zip' });
}

/** The audio of the recordings that are here, and of texts that can be spoken. */
export async function telephoneAudio(prompts: readonly PromptFile[]): Promise<TelephoneAudio> {
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
  { recording, prompt }: PromptFile,
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
