/** What a call flow plays, and the ZIP file that takes it to an Asterisk: the same for the window and the command line. */
// The entry for Node declares a `require` of its own, which the built files have already.
import { strToU8, zipSync } from 'fflate/browser';
import type { OutsideRules } from '../../../contract/calls/outside-calls.ts';
import type { DestinationRules } from '../../../contract/calls/pbx.ts';
import type { KnownIds } from '../../../contract/menu/ivr-reference.ts';
import type { Recording } from '../../../contract/menu/recording.ts';
import { recordingOfDraft, spokenAsOf, type SpokenAs } from '../../speech/spoken-recording.ts';
import type { Flow } from '../flow.ts';
import { asteriskDialplan } from './asterisk-dialplan.ts';
import { dialplanNames, fileKey, heardPrompts, nameIn } from './dialplan-names.ts';

type Known = Pick<Recording, 'id' | 'speech' | 'created_at'>;

/** A prompt of a call flow and its audio file, by the name that the dialplan plays it under. */
export interface PromptFile<One> {
  readonly name: string;
  /** As the body writes it. */
  readonly prompt: string;
  readonly spokenAs: SpokenAs;
  /** Null for a text that was not spoken yet, and for a recording that is not here. */
  readonly recording: One | null;
}

/** What a call flow plays, each once in each way that it is spoken. */
export interface FlowSounds<One> {
  /** What needs an audio file in the folder `rotavox`. */
  readonly prompts: readonly PromptFile<One>[];
  /** What the telephone system has itself, by its names. */
  readonly sounds: readonly string[];
}

/** `usual`: how texts are spoken where a menu does not say it. */
export function flowSounds<One extends Known>(
  flow: Flow,
  recordings: readonly One[],
  usual: SpokenAs,
): FlowSounds<One> {
  const { prompts: names, speech: first, sounds } = dialplanNames(flow, '', knownRecordings(recordings));
  const heard = new Map(heardPrompts(flow).map((one) => [fileKey(first, one), one]));
  const prompts = Array.from(names, ([key, name]) => {
    const { prompt, speech } = nameIn(heard, key);
    const spokenAs = spokenAsOf(usual, speech);
    return { name, prompt, spokenAs, recording: recordingOfDraft(recordings, prompt, spokenAs) };
  });
  return { prompts, sounds: [...sounds.values()] };
}

export function knownRecordings(recordings: readonly Pick<Recording, 'id'>[]): KnownIds {
  return new Set(recordings.map(({ id }) => String(id)));
}

/** The audio files as Asterisk plays them (8,000 samples a second, one channel, 16 bits), by their names. */
export type TelephoneAudio = ReadonlyMap<string, Uint8Array>;

/** A call flow as it is exported, with all menus that it leads to. `entry` is the name of its contexts. */
export interface AsteriskExport {
  readonly flow: Flow;
  readonly entry: string;
  readonly rules: DestinationRules;
  /** Those that are stored here; null: they are not known. */
  readonly recordings: KnownIds | null;
  readonly outside: OutsideRules;
  /** What to do with the files. */
  readonly readme: string;
}

/** The dialplan, the audio files, and what to do with them. */
export function asteriskArchive(
  { flow, entry, rules, recordings, outside, readme }: AsteriskExport,
  audio: TelephoneAudio,
): Uint8Array<ArrayBuffer> {
  return zipSync(
    {
      'README.txt': strToU8(readme),
      [`${entry}.conf`]: strToU8(asteriskDialplan(flow, entry, { rules, recordings, outside })),
      ...Object.fromEntries(Array.from(audio, ([name, content]) => [`sounds/rotavox/${name}.wav`, content])),
    },
    // Audio of the telephone hardly becomes smaller. One date, so that the same files make the same archive.
    { level: 0, mtime: new Date(1980, 0, 1) },
  );
}
