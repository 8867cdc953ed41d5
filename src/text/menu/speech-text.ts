import type { SpeechProblem, TagFault, Voice } from '../../contract/menu/speech.ts';
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

const failures: Readonly<Record<Extract<SpeechProblem, { kind: 'engine_failed' }>['reason'], string>> = {
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

/** Logged when a text of a stored menu could not be spoken. */
export const speechLog = {
  notSpoken: 'Callers do not hear a spoken text of a menu',
  failed: 'Speech could not be made or stored; it is tried again when a menu is stored',
} as const;

/** A warning about a field of a menu that was published. */
export function unspokenWarning(problem: SpeechProblem): string {
  return `callers do not hear this text. ${speechProblemText(problem)}`;
}
