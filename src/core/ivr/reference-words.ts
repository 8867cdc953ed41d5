import type { IvrDestinationType, IvrRecordingType } from '../../contract/ivr.ts';
import { readReference } from './reference.ts';

/** What a person calls each kind of prompt and of destination, at the beginning of a line. */
export const kindWords: Readonly<Record<IvrRecordingType | IvrDestinationType, string>> = {
  recording: 'Recording',
  outbound_tts: 'Spoken text',
  extension: 'Extension',
  ivr: 'Stored menu',
  department: 'Department',
  voicemail: 'Voicemail',
  timegroup: 'Time group',
  time_condition: 'Time condition',
  hangup: 'Hang up',
};

/** A recording or a destination as a list names it: `Recording 42`, `Extension 101`, `Hang up`. */
export function referenceTitle(text: string): string {
  const { type, id } = readReference(text) ?? { type: '', id: '' };
  if (!isKind(type)) return text;
  return type === 'hangup' ? kindWords.hangup : `${kindWords[type]} ${id}`.trim();
}

/** The same within a sentence: `recording 42`, `extension 101`, `the end of the call`. */
export function referenceWords(text: string): string {
  const { type, id } = readReference(text) ?? { type: '', id: '' };
  if (!isKind(type)) return text;
  if (type === 'hangup') return 'the end of the call';
  const word = kindWords[type].toLowerCase();
  return id === '' ? `the ${word} that is still open` : `${word} ${id}`;
}

function isKind(type: string): type is keyof typeof kindWords {
  return Object.hasOwn(kindWords, type);
}
