import { readReference } from '../../contract/menu/ivr-reference.ts';
import {
  type AudioRefusal,
  type OtherAudio,
  type Recording,
  recordingLimitBytes,
  type RecordingProblem,
  type RecordingUse,
} from '../../contract/menu/recording.ts';
import { countWords } from '../count.ts';
import { isolated, quotedName } from '../names.ts';
import { storeRefusalText } from '../service/store-text.ts';
import { referenceInSentence } from './phone-menu.ts';
import { speechProblemText } from './speech-text.ts';
import { lengthText } from '../time.ts';

/** The fixed labels of the recordings and their list. */
export const recordingsText = {
  pageTitle: 'Recordings — Rotavox',
  title: 'Recordings',
  lead: 'What callers hear in the phone menus.',
  drop: 'Drop to upload',
  record: 'Record…',
  upload: 'Upload…',
  moreWays: 'More ways to add a recording',
  files: 'Audio files',
  first: {
    title: 'Add your first recording',
    text: 'A recording is what a caller hears: a greeting with the choices, a message after a wrong key, a goodbye. Record it here, type a text to be spoken, or upload an audio file. You can also drop files anywhere on this page.',
    addSamples: 'Add the sample recordings',
    samples:
      'The samples are four short tones: a greeting chime, a wrong key tone, a waiting tone and a goodbye chime.',
  },
  samples: {
    greeting: 'Greeting chime',
    wrongKey: 'Wrong key tone',
    waiting: 'Waiting tone',
    goodbye: 'Goodbye chime',
  },
  search: {
    what: 'recordings',
    placeholder: 'Name, text, ID or where it is played',
    none: (sought: string) => `No recording matches “${sought}”.`,
    noneOfKind: 'No recording of this kind',
    showAll: 'Show all',
  },
  /** The name of an uploaded file that has none. */
  unnamed: 'Recording',
  cancel: 'Cancel',
  close: 'Close',
  nameMissing: 'Enter a name.',
} as const;

/** How many of the recordings are shown. */
export function foundText(found: number, all: number): string {
  const recordings = countWords(all, 'recording');
  return found === all ? recordings : `${found.toLocaleString()} of ${recordings}`;
}

/** One recording in the list, and what can be done with it. */
export const recordingText = {
  playFailed: 'Playback failed. The service may have stopped, or there is no audio output.',
  unused: 'Not played anywhere yet',
  playedIn: 'Played in',
  rename: 'Rename',
  trim: 'Trim…',
  loudness: 'Match loudness…',
  download: 'Download',
  remove: 'Remove…',
  more: 'More',
  moreFor: (name: string) => `More for ${isolated(name)}`,
  newName: (name: string) => `New name of ${isolated(name)}`,
  save: 'Save',
  play: (name: string) => `Play ${isolated(name)}`,
  pause: (name: string) => `Pause ${isolated(name)}`,
  position: (name: string) => `Position in ${isolated(name)}`,
  of: (at: string, all: string) => `${at} of ${all}`,
  removal: {
    title: (name: string) => `Remove ${isolated(name)}?`,
    inUse: 'This recording is in use',
    usedIn: (name: string) => `${quotedName(name)} cannot be removed while it is played in:`,
    chooseAnother: 'Choose another recording there first.',
    deleted: 'The audio file is deleted permanently.',
    elsewhere: 'No stored menu and no draft here plays it. Other systems may still refer to it.',
    remove: 'Remove',
    removing: 'Removing…',
  },
} as const;

/** What a menu plays a recording for, by the field of the API that names it. */
const fieldLabels: Readonly<Record<string, string>> = {
  recording: 'prompt',
  invalid_recording: 'after a wrong key',
  timeout_retry_recording: 'after a timeout, before a retry',
  timeout_recording: 'after the last timeout',
  // The prompts of a whole call flow.
  wrong_key: 'after every wrong key',
  timeout: 'after every timeout',
};

/** What a menu or a draft plays a recording for: `draft, prompt and after a wrong key`. */
export function usesText(kind: 'ivr' | 'draft', fields: readonly string[]): string {
  // The field of a draft has the path to the menu in front of the API's name.
  const labels = new Set(fields.map((field) => fieldLabels[field.split('.').at(-1) ?? field] ?? field));
  const played = new Intl.ListFormat('en').format(labels);
  return kind === 'draft' ? `draft, ${played}` : played;
}

/** The uploads of audio files. */
export const uploadText = {
  title: 'Uploads',
  unreadable: 'The file could not be read. It may have been moved, or it is a folder.',
  tooLarge: (bytes: number, limitBytes: number) =>
    `The file has ${sizeText(bytes)}; the limit is ${sizeText(limitBytes)}. Save it as MP3 or Ogg, or shorten it.`,
} as const;

/** What people call the formats that are not read as they are. */
const otherAudioNames: Readonly<Record<OtherAudio, string>> = {
  m4a: 'm4a',
  flac: 'FLAC',
  webm: 'WebM',
  aiff: 'AIFF',
  aac: 'AAC',
  wma: 'WMA',
  amr: 'AMR',
  au: 'AU',
  caf: 'CAF',
  wave64: 'Wave64',
};

/** By format tag (RFC 2361), for those that recorders and telephone systems write. */
const wavCodecNames: Readonly<Record<number, string>> = {
  0x14: 'G.723',
  0x22: 'TrueSpeech',
  0x40: 'G.721',
  0x42: 'G.723.1',
  0x45: 'G.726',
  0x50: 'MPEG layer 2',
  0x64: 'G.726',
  0x65: 'G.722',
  0x83: 'G.729',
  0xff: 'AAC',
  0x161: 'WMA',
  0x674f: 'Vorbis',
};

/** The name of a codec in a WAV file, from its format tag. */
function wavCodecName(tag: number): string {
  return wavCodecNames[tag] ?? `number ${tag}`;
}

function whatIsRefused(refusal: AudioRefusal): string {
  switch (refusal.code) {
    case 'empty':
      return 'The file is empty.';
    case 'unknown':
      return 'This is not a WAV, MP3 or Ogg file.';
    case 'wav_damaged':
      return 'This WAV file is damaged.';
    case 'wav_empty':
      return 'This WAV file contains no audio.';
    case 'wav_codec':
      return `The codec of this WAV file (${wavCodecName(refusal.codec)}) is not supported.`;
    case 'mp3_damaged':
      return 'This MP3 file is damaged.';
    case 'ogg_damaged':
      return 'This Ogg file is damaged.';
    case 'ogg_codec':
      return 'This Ogg file contains something other than Vorbis or Opus audio.';
    case 'other_format':
      return `This is a file in the format ${otherAudioNames[refusal.format]}.`;
    case 'too_long':
      return `Converted for telephones, this WAV file would have ${sizeText(refusal.bytes)}; the limit is ${sizeText(recordingLimitBytes)}.`;
  }
}

/** The codecs of WAV files that are stored as 16-bit WAV; a file with another of them only had an unusual head. */
const convertedCodecs: Readonly<Record<string, string>> = {
  gsm: 'GSM 6.10',
  ima_adpcm: 'IMA ADPCM',
  ms_adpcm: 'Microsoft ADPCM',
  float64: '64-bit WAV',
};

/** What an upload was converted from: what the service refuses and the browser decodes, or the codec of a WAV file. */
export function convertedText(
  from: AudioRefusal | { readonly code?: never; readonly codec: string },
): string {
  if (from.code === 'other_format') return `Converted from ${otherAudioNames[from.format]} to WAV.`;
  if (from.code === 'wav_codec') return `Converted from ${wavCodecName(from.codec)} to WAV.`;
  if (from.code !== undefined) return 'Converted to WAV.';
  const name = convertedCodecs[from.codec];
  return name === undefined ? 'Converted to 16-bit WAV.' : `Converted from ${name} to WAV.`;
}

/** Why an upload is refused as a recording, and what to upload instead. */
export function audioRefusalText(refusal: AudioRefusal): string {
  const what = whatIsRefused(refusal);
  if (refusal.code === 'too_long') return `${what} Save it as MP3 or Ogg, or shorten it.`;
  const instead = 'Upload a WAV, MP3 or Ogg (Vorbis or Opus) file.';
  return refusal.code === 'other_format'
    ? `${what} ${instead} The Recordings window converts m4a, FLAC and WebM when you upload them there.`
    : `${what} ${instead}`;
}

/** The same in a window, where the browser could not decode it either. */
export function undecodableText(refusal: AudioRefusal): string {
  if (refusal.code !== 'other_format') return audioRefusalText(refusal);
  return `${whatIsRefused(refusal)} This browser cannot decode it. Convert it to WAV, MP3 or Ogg with another program, then upload that.`;
}

/** Why an audio file or a recording is refused. */
export function recordingProblemText(problem: RecordingProblem): string {
  switch (problem.kind) {
    case 'not_found':
      return 'There is no recording with this id.';
    case 'id_taken':
      return `There is already a recording with the id “${problem.id}”. Replace its audio, or choose another id.`;
    case 'not_audio':
      return audioRefusalText(problem.refusal);
    case 'not_stored':
      return `The audio could not be written to disk, so nothing was changed. ${storeRefusalText(problem.refusal)}`;
    case 'not_spoken':
      return speechProblemText(problem.problem);
    case 'no_text':
      return `“${problem.name}” was uploaded or recorded, so there is no text that could be spoken again.`;
    case 'played':
      return `“${problem.name}” is played by ${placesText(problem.uses)}. Change these first. Nothing was removed.`;
  }
}

/** How many places are named. */
const namedPlaces = 5;

function placesText(uses: readonly RecordingUse[]): string {
  const places = uses
    .slice(0, namedPlaces)
    .map((use) => `the ${use.kind === 'draft' ? 'draft' : 'stored menu'} “${use.name}” (${use.field})`);
  const more = uses.length - places.length;
  return [...places, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** How far uploads are, and how many failed. */
export function uploadsText(all: number, over: number, refused: number): string {
  if (over < all) return `Uploading ${over + 1} of ${all}…`;
  const files = countWords(all, 'file');
  if (refused === 0) return `${files} uploaded.`;
  if (refused === all) return all === 1 ? 'The file was not uploaded.' : `None of the ${files} was uploaded.`;
  return `${all - refused} of ${files} uploaded, ${refused} not.`;
}

/** The size of a file: `850 bytes`, `35 kB`, `1.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What a waveform shows, for a screen reader. */
export function waveformText({
  lengthMs,
  sound,
  loudest,
}: {
  readonly lengthMs: number;
  readonly sound: { readonly fromMs: number; readonly toMs: number } | null;
  readonly loudest: number;
}): string {
  const length = `${lengthText(lengthMs, 'tenths')} long`;
  if (sound === null) return `Waveform: ${length}, silent.`;
  const from = lengthText(sound.fromMs, 'tenths');
  const to = lengthText(sound.toMs, 'tenths');
  return `Waveform: ${length}, sound from ${from} to ${to}, ${levelText(loudest)}.`;
}

/** How loud the loudest sample is, from 0 to 1. */
function levelText(loudest: number): string {
  const decibels = Math.round(20 * Math.log10(Math.max(loudest, 1e-5)));
  if (decibels >= -1) return 'maximum level';
  return decibels > -26 ? 'good level' : 'low level';
}

/** The dialogs that change the audio of a recording. */
export const heldSoundText = {
  loading: 'Loading the audio…',
  replacing: (uses: number) =>
    `Replacing it immediately changes what callers hear in ${countWords(uses, 'place')}. The current audio is deleted.`,
  replace: 'Replace',
  unavailable: 'The audio cannot be loaded now. Close this dialog and try again.',
  undecodable: 'This browser cannot decode the audio, so it cannot be changed here. It can still be played.',
  noMemory:
    'There is not enough memory for this recording. Close other windows and try again, or upload a shorter one.',
} as const;

/** The dialog that trims a recording. */
export const trimText = {
  title: (name: string) => `Trim the silence of ${isolated(name)}`,
  nothing: 'There is no silence at its beginning or end.',
  result: 'the result',
} as const;

const lufs = (value: number): string => `${value.toFixed(1).replace('-', '−')} LUFS`;

/** The dialog that makes a recording as loud as spoken prompts. */
export const loudnessText = {
  title: (name: string) => `Match the loudness of ${isolated(name)}`,
  before: 'Before',
  after: 'After',
  silent: 'The recording is silent, so there is no loudness to match.',
  same: (before: number) => `The recording is as loud as spoken prompts already (${lufs(before)}).`,
  change: (before: number, after: number) =>
    `This recording has ${lufs(before)}. Spoken prompts have ${lufs(after)}.`,
} as const;

/** What trimming removes, in milliseconds at both ends; null for nothing. */
export function trimmedText(startMs: number, endMs: number): string | null {
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  const parts = [
    ...(startMs > 0 ? [`${seconds(startMs)} at the beginning`] : []),
    ...(endMs > 0 ? [`${seconds(endMs)} at the end`] : []),
  ];
  return parts.length === 0 ? null : `Removes ${parts.join(' and ')}.`;
}

/** The dialog that records with the microphone. */
export const microphoneText = {
  title: 'Record a prompt',
  record: 'Record',
  stop: 'Stop',
  tryAgain: 'Try again',
  ready: 'Press Record and speak. Nothing is recorded before that, and nothing is kept until you save it.',
  asking: 'Allow the use of the microphone if you are asked.',
  recording: 'Recording. Speak as you would on the telephone.',
  atMost: (length: string) => `of ${length} at most`,
  level: 'Level',
  levels: { low: 'quiet', good: 'good', high: 'too loud' },
  recorded: 'Recorded. The silence at both ends is removed. Listen to it, then enter a name.',
  stopped:
    'The recording stopped because the microphone was disconnected or the maximum length was reached. Listen to what was recorded.',
  /** Completes "Play …". */
  what: 'the recording',
  name: 'Name',
  nameHint: 'For example “Welcome, opening hours”.',
  stillRecording: 'The recording is still running. Press Esc again to discard it.',
  unsaved: 'This recording is not saved. Press Esc again, or Discard, to delete it.',
  discard: 'Discard',
  again: 'Record again',
  save: 'Save',
  saving: 'Saving…',
} as const;

/** Why a new recording should be made again, by its loudest sample from 0 to 1; null when it is fine. */
export function recordedAdvice(loudest: number): string | null {
  if (loudest < 0.02)
    return 'Almost nothing was heard. Check that the right microphone is selected and not muted, then record again.';
  if (loudest >= 0.999)
    return 'Parts are too loud and sound distorted. Move away from the microphone a little, then record again.';
  return null;
}

/**
 * Why the microphone cannot be used, and what to do, by the name of the error that the browser threw.
 *
 * `isApp`: the desktop app has allowed it already, so the system is what denies it there.
 */
export function microphoneProblemText(errorName: string, isApp: boolean): string {
  switch (errorName) {
    case 'NotAllowedError':
      return isApp
        ? 'The system does not allow Rotavox to use the microphone. Allow it in the system’s privacy settings, then try again.'
        : 'The browser does not allow this page to use the microphone. Allow it with the icon beside the address, then try again.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No microphone was found. Connect one, or turn it on in the system’s sound settings, then try again.';
    case 'NotReadableError':
    case 'AbortError':
      return 'The microphone does not respond; another program may be using it. Close that program, then try again.';
    case 'SecurityError':
      return 'This page can use the microphone only at 127.0.0.1 or localhost. Open it there with a new sign-in link.';
    default:
      return `The microphone could not be started (${errorName}). Try again, or upload a file instead.`;
  }
}

type TitledRecording = Pick<Recording, 'id' | 'name' | 'duration_ms'>;

/** The name and the length of a recording; null if it is not here, which the checks report. */
export function recordingTitle(id: string, recordings: readonly TitledRecording[]): string | null {
  const recording = recordings.find((known) => String(known.id) === id);
  if (recording === undefined) return null;
  const { name, duration_ms: durationMs } = recording;
  return durationMs === null ? name : `${name}, ${lengthText(durationMs)}`;
}

/** A prompt as the body writes it: the name of a recording that is here, what is spoken, or the reference. */
export function promptTitle(prompt: string, recordings: readonly TitledRecording[]): string {
  const reference = readReference(prompt);
  if (reference === null) return prompt;
  if (reference.type === 'outbound_tts') return `“${reference.id}”`;
  const title = reference.type === 'sound' ? null : recordingTitle(reference.id, recordings);
  return title ?? referenceInSentence(prompt);
}
