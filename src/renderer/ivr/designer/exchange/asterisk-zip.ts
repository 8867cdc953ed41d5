import { strToU8, zipSync } from 'fflate';
import type { RecordingView } from '../../../../contract/menu/recording.ts';
import { type KnownIds, readReference } from '../../../../contract/menu/ivr-reference.ts';
import type { DestinationRules } from '../../../../contract/calls/pbx.ts';
import { asteriskDialplan } from '../../../../core/ivr/export/asterisk-dialplan.ts';
import { dialplanNames } from '../../../../core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { asteriskReadme } from '../../../../text/menu/flow-export.ts';
import { readAudio } from '../../../recordings/read-recordings.ts';
import {
  holdFile,
  type SoundThread,
  startSoundThread,
} from '../../../recordings/sound/start-sound-thread.ts';
import { promptTitle } from '../reference-data.ts';

/** A prompt of a call flow and its audio file, by the name that the dialplan plays it under. */
export interface PromptFile {
  readonly name: string;
  /** As the body writes it. */
  readonly prompt: string;
  /** What a person calls it. */
  readonly title: string;
  /** Null for a spoken text, and for a recording that is not here. */
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

export function flowSounds(flow: Flow, recordings: readonly RecordingView[]): FlowSounds {
  const names = dialplanNames(flow, '', knownRecordings(recordings));
  const prompts = Array.from(names.prompts, ([prompt, name]) => {
    const reference = readReference(prompt);
    const recording =
      reference?.type === 'recording' ? recordings.find(({ id }) => String(id) === reference.id) : undefined;
    return { name, prompt, title: promptTitle(prompt, recordings), recording: recording ?? null };
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
  recordings: readonly RecordingView[],
  audio: TelephoneAudio,
): Blob {
  const { prompts, sounds } = flowSounds(flow, recordings);
  const missing = prompts.filter(({ name }) => !audio.has(name));
  const included = prompts.filter(({ name }) => audio.has(name));
  const conf = `${entry}.conf`;
  const archive = zipSync(
    {
      'README.txt': strToU8(asteriskReadme({ drawing, entry, included, missing, sounds })),
      [conf]: strToU8(asteriskDialplan(flow, entry, { rules, recordings: knownRecordings(recordings) })),
      ...Object.fromEntries(Array.from(audio, ([name, content]) => [`sounds/rotavox/${name}.wav`, content])),
    },
    // Audio of the telephone hardly becomes smaller. One date, so that the same files make the same archive.
    { level: 0, mtime: new Date(1980, 0, 1) },
  );
  return new Blob([archive], { type: 'application/zip' });
}

/** The audio of the recordings that are here. */
export async function telephoneAudio(prompts: readonly PromptFile[]): Promise<TelephoneAudio> {
  const audio = new Map<string, Uint8Array>();
  if (prompts.every(({ recording }) => recording === null)) return audio;
  const thread = await startSoundThread();
  try {
    for (const { name, recording } of prompts) {
      const content = recording === null ? null : await telephoneFile(thread, recording);
      if (content !== null) audio.set(name, content);
    }
  } finally {
    thread.end();
  }
  return audio;
}

async function telephoneFile(
  thread: SoundThread,
  { id, duration_ms: durationMs }: RecordingView,
): Promise<Uint8Array | null> {
  const file = await readAudio(id, new AbortController().signal);
  if (file === null) return null;
  try {
    const { all } = await holdFile(thread, file, durationMs);
    const { file: narrow } = await thread.cut(all, 'telephone');
    return new Uint8Array(await narrow.arrayBuffer());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'EncodingError') return null;
    throw error;
  }
}
