import type { SpeechChange, SpeechProblem, TagFault, Voice } from '../../contract/menu/speech.ts';
import { isolated, quotedName } from '../names.ts';

/** Why no speech can be made of a text, and what to do. */
export function speechProblemText(problem: SpeechProblem): string {
  switch (problem.kind) {
    case 'no_voice':
      return problem.voice === undefined
        ? `There is no voice for the language ${problem.language} on this computer. Record the prompt, or choose another language in the settings.`
        : `There is no voice ${quotedName(problem.voice)} on this computer. \`rotavox voice list\` shows those that there are.`;
    case 'unreadable':
      return `The text cannot be spoken: ${tagFaults[problem.fault](quotedName(problem.found))} (character ${(problem.at + 1).toLocaleString('en')}).`;
    case 'too_long':
      return `The text is too long. It may have ${problem.most.toLocaleString('en')} characters.`;
    case 'pauses_too_long':
      return `The pauses of the text are ${problem.ms / 1000} seconds together. They may be ${problem.most_ms / 1000}. Make them shorter.`;
    case 'nothing_to_say':
      return problem.letters === undefined
        ? 'The text has no words that can be spoken. Write what callers should hear.'
        : `The voice cannot read the letters of this text, such as ${quotedName(problem.letters[0] ?? '')}. Record the prompt, or choose a voice of its language.`;
    case 'engine_failed':
      if (problem.reason === 'damaged')
        return 'The files of the voice are damaged or gone. `rotavox voice list` says which voice: remove it and add it again, or choose another one.';
      return `The voice failed (${problem.engine}): ${failures[problem.reason]}. Try again, or record the prompt.`;
  }
}

const tagFaults: Readonly<Record<TagFault, (tag: string) => string>> = {
  unknown: (tag) =>
    `${tag} is not a tag for spoken texts. Remove it, or use a pause <break time="500ms"/>, digits <say-as interpret-as="digits">47</say-as>, or <sub alias="doctor">Dr.</sub>`,
  unfinished: (tag) => `the tag ${tag} has no “>” at its end. Add it`,
  not_closed: (tag) =>
    `the tag ${tag} is not closed before the next tag or the end of the text. Add its closing tag`,
  not_opened: (tag) => `${tag} closes a tag that was not opened. Remove it`,
  pause_length: (tag) => `the pause ${tag} needs a length. Write <break time="500ms"/> or <break time="2s"/>`,
  pause_too_long: (tag) => `the pause ${tag} is longer than 5 seconds. Make it shorter`,
  spelling: (tag) =>
    `${tag} spells nothing that is known. Write interpret-as="digits" or interpret-as="characters"`,
  no_alias: (tag) => `${tag} does not say what is spoken instead. Write <sub alias="doctor">Dr.</sub>`,
};

const failures: Readonly<
  Record<Exclude<Extract<SpeechProblem, { kind: 'engine_failed' }>['reason'], 'damaged'>, string>
> = {
  ended: 'it stopped while it spoke',
  too_late: 'it took too long',
  silent: 'it gave silence',
  implausible: 'what it gave is too short or too long for this text',
};

const languages = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

/** “English (United States)” for en-US. */
export function languageName(tag: string): string {
  try {
    return languages.of(tag) ?? tag;
  } catch {
    return tag; // no language tag
  }
}

const mostLetters = 12;

/** Letters that a voice cannot read, in the order of the text; the first of many. */
export function shownLetters(letters: readonly string[]): string {
  const shown = isolated(letters.slice(0, mostLetters).join(''));
  return letters.length > mostLetters ? `${shown} …` : shown;
}

/** How good a voice is. */
export const qualityNames: Readonly<Record<Voice['quality'], string>> = {
  basic: 'basic',
  natural: 'natural',
};

/** The licence of a voice, and what it forbids. */
export function voiceLicence({ licence, personal_use_only: isPersonal }: Voice): string {
  return isPersonal === true ? `${licence}: personal, non-commercial use only` : licence;
}

/** What a voice is tried with. */
export function trialSentence(language: string): string {
  return trialSentences.get(language.split('-')[0] ?? '') ?? '1, 2, 3.';
}

const trialSentences: ReadonlyMap<string, string> = new Map([
  ['en', 'Welcome. For sales, press 1.'],
  ['de', 'Willkommen. Für den Verkauf drücken Sie die 1.'],
  ['es', 'Bienvenido. Para ventas, pulse 1.'],
  ['fr', 'Bienvenue. Pour le service commercial, appuyez sur le 1.'],
  ['it', 'Benvenuto. Per le vendite, premi 1.'],
  ['pt', 'Bem-vindo. Para vendas, pressione 1.'],
]);

/** Logged when a text of a stored menu could not be spoken. */
export const speechLog = {
  notSpoken: 'Callers do not hear a spoken text of a menu',
  notRemoved: 'Recordings that nothing plays could not be removed; it is tried again in an hour',
  failed: 'Speech could not be made or stored; it is tried again when a menu is stored',
} as const;

/** A warning about a field of a menu: letters of its text that no voice of the language can read. */
export function unreadableWarning(letters: readonly string[]): string {
  return `callers do not hear these letters of the text, which no voice of its language can read: ${shownLetters(letters)}. Write them in another way, choose another language, or record the prompt.`;
}

/** A warning about a field of a menu that is stored. */
export function unspokenWarning(problem: SpeechProblem): string {
  return `callers do not hear this text. ${speechProblemText(problem)}`;
}

const changeWords: Readonly<Record<SpeechChange, string>> = {
  language: 'the language has changed',
  voice: 'the voice has changed',
  pronunciation: 'a pronunciation has changed',
};

/** Why a recording would be spoken in another way now. */
export function changesText(changed: readonly SpeechChange[]): string {
  return new Intl.ListFormat('en').format(changed.map((one) => changeWords[one]));
}

/** Whether a voice of one language speaks another without a foreign accent: `en` speaks `en-GB`. */
export function isOfLanguage(voice: string, language: string): boolean {
  const [one, other] = [voice.toLowerCase(), language.toLowerCase()];
  return one === other || other.startsWith(`${one}-`);
}

/** That the voice has another language than its text. */
export function otherVoiceText(language: string, voice: string): string {
  return `there is no voice for ${language} on this computer, so a voice for ${voice} speaks.`;
}
