import { Menu, type MenuItemConstructorOptions } from 'electron';
import {
  lead,
  menuTemplate,
  separator,
  type TrayAction,
  type TrayItem,
  updateItem,
} from './tray/tray-item.ts';
import type { UpdateMenuItem } from './updates/update-menu-item.ts';
import { designer, issueDialog, overview, settings, tokens } from './windows/place.ts';

/**
 * Replaces Electron's default menu, which links to pages outside and offers developer tools.
 *
 * What stays is what the keyboard needs everywhere: the ways between the windows, copy and paste, zoom, closing, quitting.
 */
export function setAppMenu(update: UpdateMenuItem, act: (action: TrayAction) => void): void {
  const isMac = process.platform === 'darwin';
  const own = (items: TrayItem[]): MenuItemConstructorOptions[] => menuTemplate(items, act);
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        ...own([lead('Issue a token…', issueDialog), separator, updateItem(update), separator]),
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
        lead('Overview', overview),
        lead('Tokens', tokens),
        lead('IVR designer', designer),
        lead('Settings', settings),
      ]),
    },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
