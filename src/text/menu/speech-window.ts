import type { SpeakingJob } from '../../contract/menu/recording.ts';
import type { SpeechChange, Voice } from '../../contract/menu/speech.ts';
import type { VoicePack, VoiceRuntime } from '../../contract/menu/voice-pack.ts';
import { countWords } from '../count.ts';
import { isolated, quotedName } from '../names.ts';
import { qualityNames } from './speech-text.ts';
import { sizeText } from './recordings-text.ts';

let languages: Intl.DisplayNames | undefined;

/** What a language is called: `English (United States)`; its code where it has no name. */
export function languageName(language: string): string {
  try {
    languages ??= new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });
    return languages.of(language) ?? language;
  } catch {
    return language;
  }
}

/** What a voice is called in a list of those of its language. */
export function voiceName({ name, quality }: Pick<Voice, 'name' | 'quality'>): string {
  return `${name} (${qualityNames[quality]})`;
}

/** The fields that choose a language and a voice. */
export const voiceFieldText = {
  language: 'Language',
  voice: 'Voice',
  asSettings: (language: string) => `As in the settings: ${languageName(language)}`,
  firstVoice: (name: string | null) =>
    name === null ? 'First voice of the language' : `First voice of the language: ${name}`,
  noVoice: (language: string) => `There is no voice for ${languageName(language)} on this computer.`,
  addVoice: 'Add a voice',
  /** A voice that was chosen and is not there any more. */
  missing: (id: string) => `${id} (not on this computer)`,
} as const;

/** The button that plays a text. */
export const listenText = {
  listen: 'Listen',
  stop: 'Stop',
  speaking: 'Speaking…',
} as const;

/** The dialog that makes a recording of a text. */
export const speakText = {
  open: 'Speak…',
  title: 'Speak a prompt',
  text: 'Text',
  textHint: 'What callers hear. For a pause write {pause}, for digits one by one {digits}.',
  pause: '<break time="500ms"/>',
  digits: '<say-as interpret-as="digits">4711</say-as>',
  example: 'Welcome. For sales, press 1.',
  textMissing: 'Enter what callers should hear.',
  oneLine: 'A text cannot contain “|”.',
  tooLong: (most: number) => `A text may have ${most.toLocaleString('en')} characters.`,
  name: 'Name',
  nameHint: 'Leave empty to use the text as the name.',
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving…',
  added: (name: string) => `${quotedName(name)} was added.`,
  alreadyThere: (name: string) =>
    `${quotedName(name)} already has this text and this voice, so nothing was added.`,
} as const;

/** Voices in the settings. */
export const voicesText = {
  spoken: {
    title: 'Language and voice',
    hint: 'For texts that are spoken from now on. Existing recordings keep their audio until you speak them again.',
  },
  list: {
    title: 'Voices on this computer',
    hint: 'Basic voices are clear and small. Natural voices sound like people and are added one by one.',
    more: (count: number) => `More languages (${count.toLocaleString('en')})`,
    none: 'There is no voice on this computer. Add one from a file.',
    pico: 'Basic voices for English (GB and US), French, German, Italian and Spanish: install the package libttspico-data on this computer (Debian: from non-free; Ubuntu: from multiverse). They are then listed here.',
  },
  countOf: (there: number, offered: number) =>
    [
      ...(there > 0 ? [countWords(there, 'voice')] : []),
      ...(offered > 0 ? [`${offered.toLocaleString('en')} to add`] : []),
    ].join(', '),
  qualities: { basic: 'Basic', natural: 'Natural' } satisfies Record<Voice['quality'], string>,
  usual: 'speaks the menus',
  personalOnly:
    'The licence of this voice allows personal use only. Do not use it for the menus of a business.',
  runtimeName: 'the program that runs natural voices',
  problems: {
    damaged: 'Files of this voice were changed or are missing. Remove it, then add it again.',
    no_runtime: 'The program that runs this voice is missing or damaged. Add the voice again.',
  } satisfies Record<NonNullable<VoicePack['problem']>, string>,
  add: 'Add',
  adding: 'Adding…',
  stop: 'Stop',
  remove: 'Remove…',
  fromFile: {
    title: 'Add a voice from a file',
    hint: 'An archive of a Piper voice for sherpa-onnx, such as vits-piper-de_DE-thorsten-medium.tar.bz2. Check its licence first: some voices may not be used in business.',
    choose: 'Choose a file…',
    file: 'Archive of a voice',
    added: (name: string) => `The voice ${quotedName(name)} was added.`,
    runtimeAdded: 'The program that runs natural voices was added. Now add a voice.',
    tooLarge: (bytes: number, most: number) =>
      `The file has ${sizeText(bytes)}; a voice may have ${sizeText(most)}.`,
    unreadable: 'The file could not be read. It may have been moved, or it is a folder.',
  },
  runtime: ({ name, version, licence, bytes }: VoiceRuntime) =>
    `Natural voices are run by ${name} ${version} (${licence}, ${sizeText(bytes)}), which is downloaded with the first voice.`,
  removal: {
    title: (name: string) => `Remove the voice ${isolated(name)}?`,
    cancel: 'Cancel',
    remove: 'Remove voice',
    removing: 'Removing…',
    unused: 'No recording was spoken with it.',
    keep: (names: readonly string[], more: number) =>
      `${namesText(names, more)} ${names.length + more === 1 ? 'keeps its' : 'keep their'} audio. To speak ${names.length + more === 1 ? 'it' : 'them'} again, another voice is needed.`,
    usual: 'Menus are spoken with this voice now. Choose another one in “Language and voice”.',
    again: 'The files of the voice are deleted. You can add it again.',
  },
} as const;

function namesText(names: readonly string[], more: number): string {
  const parts = [...names.map(quotedName), ...(more > 0 ? [countWords(more, 'other recording')] : [])];
  return new Intl.ListFormat('en').format(parts);
}

/** What is known of a voice beside its name: `flite · BSD-like · 61 MB`. */
export function voiceFacts(one: {
  readonly engine: string | null;
  readonly licence: string | null;
  readonly bytes: number | null;
}): string {
  const facts = [
    one.engine,
    one.licence ?? 'licence not stated',
    one.bytes === null ? null : sizeText(one.bytes),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}

/** How far a download is. */
export function downloadText(one: {
  readonly name: string;
  readonly received: number;
  readonly bytes: number;
}): string {
  return `Downloading ${one.name}: ${sizeText(one.received)} of ${sizeText(one.bytes)}…`;
}

/** A sentence to hear a voice by, in its language; digits where none is known. */
export function sampleSentence(language: string): string {
  return samples[language.split('-')[0] ?? ''] ?? '1, 2, 3, 4, 5.';
}

const samples: Readonly<Record<string, string>> = {
  de: 'Guten Tag. Für den Verkauf drücken Sie bitte die 1.',
  en: 'Welcome. For sales, please press 1.',
  es: 'Bienvenido. Para ventas, pulse 1.',
  fr: 'Bonjour. Pour le service des ventes, tapez 1.',
  hi: 'नमस्ते। बिक्री के लिए 1 दबाएँ।',
  it: 'Benvenuto. Per le vendite, prema 1.',
  pt: 'Bem-vindo. Para vendas, pressione 1.',
};

/** What there is to speak, and speaking all of it. */
export const speechWorkText = {
  title: 'Spoken prompts',
  missing: (count: number) =>
    count === 1
      ? '1 prompt has a text and no recording yet.'
      : `${count.toLocaleString('en')} prompts have a text and no recording yet.`,
  speakMissing: (count: number) => `Speak all (${count.toLocaleString('en')})`,
  changed: (count: number, why: string) =>
    `${countWords(count, 'recording')} would sound different if spoken now${why === '' ? '' : `: ${why}`}.`,
  speakChanged: (count: number) => `Speak again (${count.toLocaleString('en')} changed)…`,
  show: 'Show',
  running: (over: number, total: number, failed: number) =>
    `Speaking ${Math.min(over + 1, total).toLocaleString('en')} of ${total.toLocaleString('en')}${failed === 0 ? '' : `, ${failed} failed`}…`,
  stop: 'Stop',
  failed: 'What was not spoken',
  listenToThis: 'Listen to this one',
  use: 'Use it',
  used: 'Used',
  ended: ({ status, done, total, failed }: Pick<SpeakingJob, 'status' | 'done' | 'total' | 'failed'>) => {
    const spoken = `${done.toLocaleString('en')} of ${countWords(total, 'prompt')} spoken`;
    const failures = failed === 0 ? '' : `, ${failed.toLocaleString('en')} failed`;
    return status === 'stopped' ? `Stopped: ${spoken}${failures}.` : `${spoken}${failures}.`;
  },
  showAll: (failed: number) => `Show all ${failed.toLocaleString('en')}`,
  close: 'Close',
  again: {
    title: (count: number) => `Speak ${countWords(count, 'recording')} again?`,
    cancel: 'Cancel',
    verb: 'Speak again',
    consequences: [
      'Callers hear the new audio from the next call on. A call that is running keeps what it plays.',
      'The current audio is deleted. Ids and names stay.',
    ],
  },
} as const;

const changeNames: Readonly<Record<SpeechChange, string>> = {
  language: 'Language changed',
  voice: 'Voice changed',
  pronunciation: 'Pronunciation changed',
};

/** Why a recording would sound different if it was spoken again: `Voice changed, Pronunciation changed`. */
export function changesText(changed: readonly SpeechChange[]): string {
  return changed.map((one) => changeNames[one]).join(', ');
}

/** The same for many, with how many each: `voice changed (2), pronunciation changed (1)`. */
export function countChanges(recordings: readonly { readonly changed: readonly SpeechChange[] }[]): string {
  const counts = Map.groupBy(
    recordings.flatMap(({ changed }) => changed),
    (one) => one,
  );
  return [...counts]
    .map(([one, all]) => `${changeNames[one].toLowerCase()} (${all.length.toLocaleString('en')})`)
    .join(', ');
}

/** The words that are said otherwise than they are written. */
export const pronunciationsText = {
  open: 'Pronunciations…',
  title: 'Pronunciations',
  lead: 'Words that voices read wrong, and how to say them. Recordings stay as they are until you speak them again.',
  none: 'No pronunciations yet. Add a word below, such as “Rotavox” as “Roh ta vox”.',
  saidAs: 'is said as',
  recordings: (count: number) => (count === 0 ? 'in no recording' : `in ${countWords(count, 'recording')}`),
  addTitle: 'Add a pronunciation',
  word: 'Word',
  wordHint: 'A whole word or name. Type it in lower case to match upper and lower case.',
  say: 'Sounds like',
  sayHint: 'As the voice should read it.',
  everyLanguage: 'Every language',
  newOne: 'the new pronunciation',
  wordMissing: 'Enter a word.',
  sayMissing: 'Enter how the word is said.',
  add: 'Add pronunciation',
  added: (word: string) => `${quotedName(word)} was added.`,
  remove: 'Remove',
  removed: (word: string) => `${quotedName(word)} was removed.`,
  close: 'Close',
} as const;

/** A spoken recording in the list: its text, its voice, and what changed. */
export const spokenText = {
  by: (voice: string, language: string) => `Spoken by ${voice}, ${languageName(language)}`,
  otherVoice: (language: string) => `The voice speaks ${languageName(language)}.`,
  again: 'Speak again',
  againAs: (name: string) => `${quotedName(name)} was spoken again.`,
  removedAt: 'Nothing plays it. It is removed on {at}.',
  filter: 'Kind',
  all: 'All recordings',
  kinds: { spoken: 'Spoken', changed: 'Changed since spoken', recorded: 'Recorded or uploaded' },
} as const;
