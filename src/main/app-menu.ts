import { Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * Replaces Electron's default menu, which links to pages outside and offers developer tools.
 *
 * What stays is what the keyboard needs everywhere: copy and paste, zoom, closing and quitting.
 */
export function setAppMenu(): void {
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu:
        process.platform === 'darwin'
          ? [{ role: 'close' }]
          : [{ role: 'close' }, { type: 'separator' }, { role: 'quit' }],
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
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
