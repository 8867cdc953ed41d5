import type { PauseSpan } from '../../text/time.ts';
import type { MenuItemConstructorOptions } from 'electron';
import type { UpdateAction, UpdateMenuItem } from '../updates/update-menu-item.ts';
import type { Place } from '../windows/place.ts';

/** What a click in the menu asks for. */
export type TrayAction =
  | { readonly kind: 'rotate' | 'copy' | 'resume'; readonly name: string }
  | { readonly kind: 'pause'; readonly name: string; readonly span: PauseSpan }
  | { readonly kind: 'show'; readonly place: Place }
  | { readonly kind: 'open-at-login'; readonly isOn: boolean }
  | { readonly kind: 'update'; readonly step: UpdateAction }
  | { readonly kind: 'quit' };

export type TrayItem =
  | { readonly kind: 'separator' }
  /** Something to read. */
  | { readonly kind: 'words'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction }
  | { readonly kind: 'switch'; readonly label: string; readonly isOn: boolean; readonly action: TrayAction }
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly TrayItem[] };

/** The longest sentence a menu carries; the window has the whole one. */
const maxWords = 90;

export const separator: TrayItem = { kind: 'separator' };

export function words(label: string): TrayItem {
  return { kind: 'words', label };
}

export function lead(label: string, place: Place): TrayItem {
  return { kind: 'action', label, action: { kind: 'show', place } };
}

/** The line about updates: to click, or to read while there is nothing to click. */
export function updateItem({ label, action }: UpdateMenuItem): TrayItem {
  return action === null ? words(label) : { kind: 'action', label, action: { kind: 'update', step: action } };
}

/** On one line, for a message may quote what a hook printed, and by whole characters. */
export function cut(sentence: string): string {
  const letters = Array.from(sentence.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim());
  if (letters.length <= maxWords) return letters.join('');
  return `${letters
    .slice(0, maxWords - 1)
    .join('')
    .trimEnd()}…`;
}

/** Items as Electron wants them. */
export function menuTemplate(
  items: readonly TrayItem[],
  act: (action: TrayAction) => void,
): MenuItemConstructorOptions[] {
  return items.map((item): MenuItemConstructorOptions => {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'words':
        return { label: plain(item.label), enabled: false };
      case 'action':
        return { label: plain(item.label), click: () => act(item.action) };
      case 'switch':
        return {
          label: plain(item.label),
          type: 'checkbox',
          checked: item.isOn,
          click: () => act(item.action),
        };
      case 'submenu':
        return { label: plain(item.label), submenu: menuTemplate(item.items, act) };
    }
  });
}

/** Menus take the letter after an ampersand for a key. */
function plain(label: string): string {
  return label.replaceAll('&', '&&');
}
