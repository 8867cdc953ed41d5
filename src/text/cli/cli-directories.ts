import type { Recording, RecordingView } from '../../contract/menu/recording.ts';
import type { Voice } from '../../contract/menu/speech.ts';
import type { OfferedVoice, VoicePack, VoiceRemoved } from '../../contract/menu/voice-pack.ts';
import { countWords } from '../count.ts';
import { sizeText } from '../menu/recordings-text.ts';
import { isOfLanguage, otherVoiceText, qualityNames, voiceLicence } from '../menu/speech-text.ts';
import { type CommandHelp, optionHelp } from './cli.ts';

/** What the commands say about what menus refer to: recordings, extensions and SMS templates. */

export const recordingHelp = {
  description: 'Manage the audio that menus play.',
  examples: ['rotavox recording add welcome.wav --name Welcome', 'rotavox recording list'],
  id: optionHelp.id('recording', 'recording list'),
  name: 'its name',
  list: {
    description: 'List the recordings, their length and where they are used.',
    examples: ['rotavox recording list', 'rotavox recording list --json'],
  },
  add: {
    description: 'Add an audio file (WAV, MP3 or Ogg) as a recording that menus can play. Prints its id.',
    examples: ['rotavox recording add welcome.wav --name "Welcome" --id welcome'],
    id: 'the id that follows recording|| in a menu (default: a new one)',
  },
  rename: {
    description: 'Rename a recording. Its id does not change.',
    examples: ['rotavox recording rename welcome "Welcome, in summer"'],
  },
  save: {
    description: 'Save the audio of a recording to a new file.',
    examples: ['rotavox recording save welcome welcome.wav'],
    file: 'the file, which must not exist, or - for stdout',
  },
  speak: {
    description: [
      'Make a recording of a text with a voice of this computer, or find the one that there is. Prints its id.',
      '',
      'Menus that have the text as outbound_tts||TEXT play it. <break time="500ms"/> is a pause, and <say-as interpret-as="digits">4711</say-as> is ' +
        'spoken digit by digit.',
    ].join('\n'),
    examples: [
      'rotavox recording speak --text "Welcome to Example. For sales, press 1."',
      'rotavox recording speak --text - --name Welcome < welcome.txt',
    ],
    text: 'what is spoken, or - to read it from stdin',
    name: 'the name of a new recording (default: its text)',
    voice: 'the id of a voice, from `rotavox voice list` (default: that of the settings)',
    language: 'the language of the text, such as en-US (default: that of the settings)',
  },
  pronounce: {
    description:
      'Say how a word is spoken. Recordings that have it are spoken again with `rotavox ivr speak-all --changed`.',
    examples: [
      'rotavox recording pronounce Rotavox "Roh ta vox"',
      'rotavox recording pronounce nginx "engine x" --language en',
    ],
    word: 'the word or the name; in small letters it is found in any case',
    say: 'how it is said, as it would be written for this voice',
    language: 'only in texts of this language, such as en or en-GB (default: in every language)',
  },
  pronunciation: {
    description: 'List and remove how words are spoken.',
    examples: ['rotavox recording pronunciation list', 'rotavox recording pronunciation remove Rotavox'],
    list: {
      description: 'List how words are spoken, and how many recordings have each.',
      examples: ['rotavox recording pronunciation list', 'rotavox recording pronunciation list --json'],
    },
    remove: {
      description: 'Remove how a word is spoken. Recordings stay as they are until they are spoken again.',
      examples: ['rotavox recording pronunciation remove Rotavox'],
      language: 'the language that it was given for (default: every language)',
    },
  },
  remove: {
    description: 'Remove a recording that no stored menu and no draft uses.',
    examples: ['rotavox recording remove welcome'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const recordingText = {
  none: 'No recordings yet. Add one with `rotavox recording add FILE --name NAME`.',
  added: ({ id, name }: Recording) => `${name} is added. A menu plays it as recording||${id}.`,
  spoken: ({ id, speech }: Recording) =>
    `Recording ${id} is spoken by ${speech?.voice}. Menus that have its text as outbound_tts||TEXT play it.`,
  otherVoice: ({ speech }: Recording) =>
    speech?.voice_language === undefined || isOfLanguage(speech.voice_language, speech.language)
      ? null
      : `Warning: ${otherVoiceText(speech.language, speech.voice_language)}`,
  pronounced: (word: string, say: string, recordings: number) =>
    `${word} is spoken as “${say}”. ${recordings === 0 ? 'No recording has the word.' : `${countWords(recordings, 'recording')} with the word: \`rotavox ivr speak-all --changed\` speaks what has changed.`}`,
  noPronunciations: 'No pronunciations yet. Add one with `rotavox recording pronounce WORD AS`.',
  noPronunciation: (word: string) =>
    `There is no pronunciation of ${word} for this language. See them with \`rotavox recording pronunciation list\`.`,
  pronunciationRemoved: (word: string) => `The pronunciation of ${word} is removed.`,
  pronunciationHead: ['word', 'spoken as', 'language', 'recordings'],
  converted: 'Its audio was converted to a WAV file that everything plays.',
  renamed: ({ id, name }: Recording) => `Recording ${id} is ${name}.`,
  removed: (id: string) => `Recording ${id} is removed.`,
  audio: 'Audio',
  saved: (file: string, bytes: number) => `Saved ${file} (${bytes} bytes).`,
  notSaved: (file: string, code: string) =>
    `${file} was not written: ${code === 'EEXIST' ? 'it already exists. Use another name, or remove it first' : code}.`,
} as const;

export const voiceHelp = {
  description: 'List, add, remove and test the voices that speak the texts of menus.',
  examples: ['rotavox voice list', 'rotavox voice add piper/de_DE-thorsten-medium'],
  id: 'the id of a voice, from `rotavox voice list`',
  list: {
    description: 'List the voices of this computer. The one that texts are spoken with has a mark.',
    examples: ['rotavox voice list', 'rotavox voice list --available', 'rotavox voice list --json'],
    available: 'list those that can be downloaded instead',
  },
  add: {
    description: [
      'Add a natural voice: download one of `rotavox voice list --available`, or take it from a file.',
      '',
      'A file is an archive of a voice of Piper, as it is published for sherpa-onnx (vits-piper-….tar.bz2; .tar.gz and .zip are read, too). What runs ' +
        'it is downloaded with the first voice. On a computer without a network, add its file first: sherpa-onnx-1.13.8.tgz of npm.',
    ].join('\n'),
    examples: [
      'rotavox voice add piper/de_DE-thorsten-medium',
      'rotavox voice add vits-piper-de_DE-thorsten-medium.tar.bz2',
    ],
    voice: 'the id of a voice that can be downloaded, or a file (- for stdin)',
  },
  remove: {
    description: 'Remove an added voice. Recordings that were spoken with it keep their audio.',
    examples: ['rotavox voice remove piper/de_DE-thorsten-medium'],
  },
  test: {
    description: 'Play a short sentence with a voice, and tell how long it took. Nothing is stored.',
    examples: [
      'rotavox voice test flite/slt',
      'rotavox voice test flite/slt --text "Press 1 for sales." --output sales.wav',
    ],
    text: 'what is spoken (default: a sentence in the language of the voice)',
    output: 'write the sound to a new WAV file instead of playing it',
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const voiceText = {
  none: 'There are no voices on this computer. Menus play recordings only.',
  head: ['', 'id', 'language', 'quality', 'licence'],
  noneOffered:
    'All voices that Rotavox can download were added. Others come from files: `rotavox voice add FILE`.',
  offeredHead: ['id', 'language', 'size', 'licence'],
  offeredRow: ({ voice, language, bytes, licence }: OfferedVoice): string[] => [
    voice,
    language,
    sizeText(bytes),
    licence,
  ],
  problem: (voice: string, problem: NonNullable<VoicePack['problem']>) =>
    problem === 'damaged'
      ? `${voice} does not speak: its files are damaged. Add it again, or remove it: \`rotavox voice remove ${voice}\`.`
      : `${voice} does not speak: what runs it is damaged or gone. Add the voice again.`,
  runtimeAdded: 'What runs natural voices (sherpa-onnx) is added.',
  added: ({ voice, language, licence }: VoicePack) =>
    `${voice} is added and speaks ${language}. ${licence === null ? 'Its archive names no licence.' : `Its licence: ${licence}.`} ` +
    `To have all texts spoken with it: \`rotavox settings set speech_voice ${voice}\`.`,
  removed: ({ voice, recordings }: VoiceRemoved): string[] => [
    `${voice} is removed.`,
    ...(recordings.length === 0
      ? []
      : [
          `${recordings.length === 1 ? '1 recording was' : `${recordings.length} recordings were`} spoken with it: ` +
            `${recordings.map(({ name }) => name).join(', ')}. The audio stays. To change the text, choose another voice and speak it again.`,
        ]),
  ],
  tested: ({ took_ms: tookMs, duration_ms: durationMs, file }: VoiceTested) =>
    `${file === null ? 'Played' : `Saved ${file}:`} ${seconds(durationMs)} of sound, made in ${seconds(tookMs)}.`,
  noPlayer:
    'No program that plays sounds was found (pw-play, paplay or aplay). Write the sound to a file instead: --output FILE.',
} as const;

interface VoiceTested {
  readonly took_ms: number;
  readonly duration_ms: number;
  readonly file: string | null;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** In a list of voices: `*` at the one that texts of menus are spoken with. */
export function voiceRow(voice: Voice, isChosen: boolean): string[] {
  return [isChosen ? '*' : '', voice.id, voice.language, qualityNames[voice.quality], voiceLicence(voice)];
}

export const recordingListHead = ['id', 'format', 'size', 'length', 'name', 'used in'];

export function recordingListRow({
  id,
  format,
  bytes,
  duration_ms: durationMs,
  name,
  used_by: uses,
}: RecordingView): string[] {
  return [
    id,
    format,
    `${Math.ceil(bytes / 1024)} KiB`,
    durationMs === null ? '?' : `${(durationMs / 1000).toFixed(1)} s`,
    name,
    uses.map((use) => `${use.name} (${use.field})`).join(', ') || '-',
  ];
}

export const extensionHelp = {
  description: 'Manage the directory of extensions that menus lead to.',
  examples: ['rotavox extension set 101 "Front desk"', 'rotavox extension list'],
  id: optionHelp.id('extension', 'extension list'),
  list: {
    description: 'List the extensions. Checks report extensions that are not in this list.',
    examples: ['rotavox extension list', 'rotavox extension list --json'],
  },
  set: {
    description: 'Add an extension, or change its name.',
    examples: ['rotavox extension set 101 "Front desk"'],
    id: 'the id that follows extension|| in a menu',
    name: 'its name',
  },
  remove: {
    description: 'Remove an extension from the directory. Menus that lead to it do not change.',
    examples: ['rotavox extension remove 101'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const extensionText = {
  none: 'No extensions yet. Add one with `rotavox extension set ID NAME`.',
  set: (id: string, name: string) => `Extension ${id} is ${name}.`,
  removed: (id: string) => `Extension ${id} is removed.`,
} as const;

export const extensionListHead = ['id', 'name'];

export const smsTemplateHelp = {
  description: 'Manage the SMS templates that keys of menus send.',
  examples: ['rotavox sms-template set 31 Directions "1 Main Street"', 'rotavox sms-template list'],
  id: optionHelp.id('template', 'sms-template list'),
  list: {
    description: 'List the SMS templates that keys of menus can send.',
    examples: ['rotavox sms-template list', 'rotavox sms-template list --json'],
  },
  set: {
    description: 'Add an SMS template, or change its name and text.',
    examples: ['rotavox sms-template set 31 Directions "You find us at 1 Main Street."'],
    id: "the template's id in a menu",
    name: 'its name',
    text: 'the text that is sent',
  },
  remove: {
    description: 'Remove an SMS template from the directory. Menus that send it do not change.',
    examples: ['rotavox sms-template remove 31'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const smsTemplateText = {
  none: 'No SMS templates yet. Add one with `rotavox sms-template set ID NAME TEXT`.',
  set: (id: string, name: string) => `SMS template ${id} is ${name}.`,
  removed: (id: string) => `SMS template ${id} is removed.`,
} as const;

export const smsTemplateListHead = ['id', 'name', 'text'];

export type DirectoryKind = 'extension' | 'sms-template';

const columns: Readonly<Record<DirectoryKind, string>> = {
  extension: 'id and name',
  'sms-template': 'id, name and text',
};

/** Both directories are read from and written to a CSV file in the same way. */
export function directoryFileHelp(kind: DirectoryKind) {
  return {
    import: {
      description: `Add and change entries from a CSV file with the columns ${columns[kind]}, as spreadsheets and telephone systems write it; other columns are left out. If anything is wrong, nothing is changed.`,
      examples: [
        `rotavox ${kind} import ${kind}s.csv --dry-run`,
        `rotavox ${kind} import - < ${kind}s.csv`,
        `rotavox ${kind} import list.csv --column id=Number --column name=First+Last --dry-run`,
      ],
      column:
        'the column of a field by its heading, such as id=Number; join two with +; repeat it for several (default: the headings that are known)',
    },
    export: {
      description: `Print the entries as CSV with the columns ${columns[kind]}, as import reads them.`,
      examples: [`rotavox ${kind} export > ${kind}s.csv`],
    },
  } as const satisfies Record<string, CommandHelp & { column?: string }>;
}

export function importedText({
  isDryRun,
  added,
  changed,
  unchanged,
}: {
  readonly isDryRun: boolean;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}): string {
  return `${isDryRun ? 'Would be added' : 'Added'}: ${added}, changed: ${changed}, unchanged: ${unchanged}.`;
}
