import type { Ivr } from '../../contract/ivr.ts';

/** What a reference of a menu (`extension||101`) leads to. */
export interface ReferenceWords {
  readonly words: string;
  /** The menu of this service that it leads to, when there is one. */
  readonly menuId: string | undefined;
}

const names: Readonly<Record<string, string>> = {
  recording: 'Recording',
  outbound_tts: 'Spoken text',
  extension: 'Extension',
  ivr: 'Phone menu',
  department: 'Department',
  voicemail: 'Voicemail',
  timegroup: 'Time group',
  time_condition: 'Time condition',
};

/** A reference in words. A type that this window does not know is shown as it is written. */
export function referenceWords(reference: string, menus: readonly Ivr[]): ReferenceWords {
  const place = reference.indexOf('||');
  const type = place < 0 ? reference : reference.slice(0, place);
  const id = place < 0 ? '' : reference.slice(place + 2);
  if (type === 'hangup') return { words: 'Hang up', menuId: undefined };
  const menu = type === 'ivr' ? menus.find((other) => other.id === id) : undefined;
  if (menu !== undefined) return { words: menu.name, menuId: menu.id };
  const name = names[type];
  return { words: name === undefined ? reference : `${name} ${id}`, menuId: undefined };
}
