import type { PauseSpan } from '../../text/time.ts';
import type { MenuItemConstructorOptions } from 'electron';
import type { ShownUpdate } from '../../contract/service/update.ts';
import { updateLabel } from '../../text/service/updates-text.ts';
import type { Place } from '../windows/place.ts';

/** What a click on the item about updates does: `explain` shows why this copy cannot update itself. */
export type UpdateAction = 'check' | 'download' | 'install' | 'restart' | 'settings' | 'explain';

/** What a click in the menu does. */
export type TrayAction =
  | { readonly kind: 'copy' | 'resume'; readonly name: string }
  /** Gives opening hours back to their schedule. */
  | { readonly kind: 'by-schedule'; readonly name: string; readonly id: string }
  | { readonly kind: 'pause'; readonly name: string; readonly span: PauseSpan }
  | { readonly kind: 'show'; readonly place: Place }
  | { readonly kind: 'open-at-login'; readonly isOn: boolean }
  | { readonly kind: 'update'; readonly step: UpdateAction }
  | { readonly kind: 'team-key' | 'open-logs' }
  /** The same for the team host. */
  | { readonly kind: 'team'; readonly action: TrayAction }
  | { readonly kind: 'quit' };

export type TrayItem =
  | { readonly kind: 'separator' }
  /** Cannot be clicked. */
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction }
  | { readonly kind: 'switch'; readonly label: string; readonly isOn: boolean; readonly action: TrayAction }
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly TrayItem[] };

/** The longest text in a menu; the window shows all of it. */
const longestLabel = 90;

export const separator: TrayItem = { kind: 'separator' };

export function textItem(label: string): TrayItem {
  return { kind: 'text', label };
}

export function placeItem(label: string, place: Place): TrayItem {
  return { kind: 'action', label, action: { kind: 'show', place } };
}

/** The same items for the team host: what they do is done there. */
export function forTeam(items: readonly TrayItem[]): TrayItem[] {
  return items.map((item): TrayItem => {
    if (item.kind === 'submenu') return { ...item, items: forTeam(item.items) };
    if (item.kind !== 'action' || item.action.kind === 'team-key') return item;
    return { ...item, action: { kind: 'team', action: item.action } };
  });
}

/** The item about updates. */
export function updateItem(state: ShownUpdate): TrayItem {
  const label = updateLabel(state);
  const step = updateActionOf(state);
  return step === null ? textItem(label) : { kind: 'action', label, action: { kind: 'update', step } };
}

function updateActionOf(state: ShownUpdate): UpdateAction | null {
  switch (state.kind) {
    case 'off':
      return 'settings';
    case 'cannot':
      return 'explain';
    case 'idle':
    case 'current':
    case 'failed':
      return 'check';
    case 'available':
      return 'download';
    case 'ready':
      return 'install';
    case 'replaced':
      return 'restart';
    case 'checking':
    case 'downloading':
    case 'installing':
      return null;
  }
}

/** Shortens a text to one line by whole characters; it may contain what a hook printed. */
export function cut(text: string): string {
  const letters = Array.from(text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim());
  if (letters.length <= longestLabel) return letters.join('');
  return `${letters
    .slice(0, longestLabel - 1)
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
      case 'text':
        return { label: escapeAmpersands(item.label), enabled: false };
      case 'action':
        return { label: escapeAmpersands(item.label), click: () => act(item.action) };
      case 'switch':
        return {
          label: escapeAmpersands(item.label),
          type: 'checkbox',
          checked: item.isOn,
          click: () => act(item.action),
        };
      case 'submenu':
        return { label: escapeAmpersands(item.label), submenu: menuTemplate(item.items, act) };
    }
  });
}

/** In a menu, the letter after a single ampersand is its key. */
function escapeAmpersands(label: string): string {
  return label.replaceAll('&', '&&');
}
