import { quotedName } from '../names.ts';
import { lengthText } from '../time.ts';
import { languageName } from './speech-text.ts';

/** The field of a spoken text in the designer: its tags, what callers hear of it, and what to do where they hear nothing. */

export const spokenFieldText = {
  tags: (label: string) => `${label}: pauses and pronunciation`,
  pause: 'Pause',
  pauseHint: 'Adds a pause of half a second',
  digits: 'Digits',
  digitsHint: 'Speaks the selected number digit by digit',
  alias: 'Sounds like…',
  aliasHint: 'Says the selected word in another way',
  aliasOf: (word: string) => `${quotedName(word)} sounds like`,
  onlyHere: 'In this text only.',
  everywhere: 'Change it for all menus',
  apply: 'Apply',
  cancel: 'Cancel',
  cannotTag: {
    pause: 'Put the cursor outside of a tag first.',
    digits: 'Select a number in the text first, outside of a tag.',
    alias: 'Select a word in the text first, outside of a tag.',
  },
  show: 'Show in text',
} as const;

export const spokenSoundText = {
  sound: (label: string) => `${label}: listen and keep`,
  play: (label: string) => `Play “${label}”`,
  stop: (label: string) => `Stop “${label}”`,
  phone: 'As on the phone',
  keep: 'Keep as a recording…',
  again: 'Speak again',
  speaking: 'Speaking …',
  voices: 'Add a voice',
  spoken: (voice: string, ms: number | null) => `Spoken${ofLength(ms)}, voice ${voice}.`,
  changed: (changes: string) => `${changes}. Callers hear the earlier recording.`,
  notYet: (voice: string | null, ms: number | null) =>
    `Not spoken yet: it is made when you publish.${voice === null || ms === null ? '' : ` ${lengthText(ms, 'tenths')}, voice ${voice}.`}`,
  otherLanguage: (language: string) => `The voice is for ${languageName(language)}.`,
  failed: 'It could not be played. Check that this computer has an audio output.',
} as const;

function ofLength(ms: number | null): string {
  return ms === null ? '' : `, ${lengthText(ms, 'tenths')}`;
}

export const keepDialogText = {
  title: 'Keep as a recording',
  what: 'The menu then plays this recording. Later changes of the settings do not change how it sounds.',
  name: 'Name',
  keep: 'Keep recording',
  keeping: 'Speaking …',
  cancel: 'Cancel',
} as const;
