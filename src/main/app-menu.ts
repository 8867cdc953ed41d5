import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShownUpdate } from '../contract/service/update.ts';
import { appMenuText, placeLabels } from '../text/window/tray.ts';
import {
  menuTemplate,
  placeItem,
  separator,
  type TrayAction,
  type TrayItem,
  updateItem,
} from './tray/tray-item.ts';
import { designer, issueDialog, overview, settings, tokens } from './windows/place.ts';

const logItem: TrayItem = { kind: 'action', label: appMenuText.logs, action: { kind: 'open-logs' } };

/**
 * Replaces Electron's default menu, which links to pages outside and offers developer tools.
 *
 * It has what needs keyboard shortcuts: the pages, copy and paste, zoom, closing and quitting.
 */
export function setAppMenu(update: ShownUpdate, act: (action: TrayAction) => void): void {
  const isMac = process.platform === 'darwin';
  const own = (items: TrayItem[]): MenuItemConstructorOptions[] => menuTemplate(items, act);
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: appMenuText.file,
      submenu: [
        ...own([
          placeItem(placeLabels.issueToken, issueDialog),
          separator,
          updateItem(update),
          logItem,
          separator,
        ]),
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: appMenuText.view,
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
      label: appMenuText.go,
      submenu: own([
        placeItem(placeLabels.overview, overview),
        placeItem(placeLabels.tokens, tokens),
        placeItem(placeLabels.designer, designer),
        placeItem(placeLabels.settings, settings),
      ]),
    },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
