import type { MenuNode } from '../../../contract/ivr-draft.ts';
import type { IvrBody } from '../../../contract/ivr.ts';

/** A field of the body that a menu of the drawing has as it is: no list, and no line. */
export type BodyField = Exclude<
  keyof MenuNode & keyof IvrBody,
  'invalid_destination' | 'timeout_destination'
>;

/** What to do about a field that is open. */
export const openWords: Readonly<Record<BodyField, (menu: string) => string>> = {
  name: () => 'Give this menu a name.',
  description: (menu) => `Describe ${menu}.`,
  recording: (menu) => `Choose what ${menu} plays first.`,
  timeout: (menu) => `Say how many seconds ${menu} waits for a key.`,
  incorrect_count: (menu) => `Say how many more attempts ${menu} gives after a wrong key.`,
  invalid_recording: (menu) => `Choose what ${menu} plays after a wrong key.`,
  timeout_retry_recording: (menu) => `Choose what ${menu} plays after silence, before it begins again.`,
  timeout_recording: (menu) => `Choose what ${menu} plays after silence when no try is left.`,
  timeout_tries: (menu) => `Say how often ${menu} begins again after silence.`,
};
