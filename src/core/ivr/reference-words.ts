import { readReference } from './reference.ts';

const words: Readonly<Record<string, string>> = {
  recording: 'recording',
  outbound_tts: 'spoken text',
  extension: 'extension',
  ivr: 'menu',
  department: 'department',
  voicemail: 'voicemail',
  timegroup: 'time group',
  time_condition: 'time condition',
};

/** A recording or a destination as a person says it: `recording 42`, `extension 101`, `the end of the call`. */
export function referenceWords(text: string): string {
  const reference = readReference(text);
  if (reference === null) return text;
  if (reference.type === 'hangup') return 'the end of the call';
  const word = Object.hasOwn(words, reference.type) ? words[reference.type] : undefined;
  if (word === undefined) return text;
  return reference.id === '' ? `the ${word} that is still open` : `${word} ${reference.id}`;
}
