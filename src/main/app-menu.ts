import { Menu, type MenuItemConstructorOptions } from 'electron';
import { menuTemplate } from './tray/menu-template.ts';
import type { TrayAction, TrayItem } from './tray/tray-item.ts';
import type { UpdateMenuItem } from './updates/update-menu-item.ts';
import { overview } from './windows/place.ts';

/**
 * Replaces Electron's default menu, which links to pages outside and offers developer tools.
 *
 * What stays is what the keyboard needs everywhere: the ways between the windows, copy and paste, zoom, closing, quitting.
 */
export function setAppMenu(update: UpdateMenuItem, act: (action: TrayAction) => void): void {
  const isMac = process.platform === 'darwin';
  const own = (items: TrayItem[]): MenuItemConstructorOptions[] => menuTemplate(items, act);
  const updateItem: TrayItem =
    update.action === null
      ? { kind: 'words', label: update.label }
      : { kind: 'action', label: update.label, action: { kind: 'update', step: update.action } };
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        ...own([
          {
            kind: 'action',
            label: 'Issue a token…',
            action: { kind: 'show', place: { window: 'overview', path: '/tokens/issue' } },
          },
          { kind: 'separator' },
          updateItem,
          { kind: 'separator' },
        ]),
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    {
      label: 'Go',
      submenu: own([
        { kind: 'action', label: 'Tokens', action: { kind: 'show', place: overview } },
        {
          kind: 'action',
          label: 'IVR designer',
          action: { kind: 'show', place: { window: 'designer', ivrId: null } },
        },
        {
          kind: 'action',
          label: 'Settings',
          action: { kind: 'show', place: { window: 'overview', path: '/settings' } },
        },
      ]),
    },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
