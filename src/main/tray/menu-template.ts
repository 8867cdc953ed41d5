import type { MenuItemConstructorOptions } from 'electron';
import type { TrayAction, TrayItem } from './tray-item.ts';

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
