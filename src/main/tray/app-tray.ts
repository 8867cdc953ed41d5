import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron';
import { panelTheme } from './panel-theme.ts';
import { trayIconName } from './tray-icon-name.ts';
import type { TrayAction, TrayItem, TrayView } from './tray-view.ts';

const pictures = join(import.meta.dirname, '..', '..', 'resources', 'tray');

/**
 * The icon in the tray and its menu: shows a view, and touches only what differs from what is shown.
 *
 * Everything is in the menu; clicks on the icon itself mean another thing on every system.
 */
export class AppTray {
  readonly #act: (action: TrayAction) => void;
  #tray: Tray | null = null;
  #view: TrayView | null = null;
  #picture = '';
  #title = '';
  #menu = '';

  constructor(act: (action: TrayAction) => void) {
    this.#act = act;
    nativeTheme.on('updated', this.#redraw);
  }

  show(view: TrayView): void {
    this.#view = view;
    const picture = trayIconName(view.icon, currentTheme(), process.platform === 'win32' ? 'ico' : 'png');
    const tray = this.#tray ?? this.#create(picture);
    if (picture !== this.#picture) tray.setImage(join(pictures, picture));
    if (view.title !== this.#title) showTitle(tray, view.title);
    const menu = JSON.stringify(view.menu);
    if (menu !== this.#menu) tray.setContextMenu(Menu.buildFromTemplate(view.menu.map(this.#itemOf)));
    this.#picture = picture;
    this.#title = view.title;
    this.#menu = menu;
  }

  /** Takes the icon away and puts it up anew, for a tray that was not there before. */
  showAgain(): void {
    this.#tray?.destroy();
    this.#tray = null;
    this.#redraw();
  }

  close(): void {
    nativeTheme.off('updated', this.#redraw);
    this.#tray?.destroy();
    this.#tray = null;
    this.#view = null;
  }

  #create(picture: string): Tray {
    this.#picture = picture;
    this.#title = '';
    this.#menu = '';
    return (this.#tray = new Tray(join(pictures, picture)));
  }

  readonly #redraw = (): void => {
    if (this.#view !== null) this.show(this.#view);
  };

  readonly #itemOf = (item: TrayItem): MenuItemConstructorOptions => {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'words':
        return { label: plain(item.label), enabled: false };
      case 'action':
        return { label: plain(item.label), click: () => this.#act(item.action) };
      case 'switch':
        return {
          label: plain(item.label),
          type: 'checkbox',
          checked: item.isOn,
          click: () => this.#act(item.action),
        };
      case 'submenu':
        return { label: plain(item.label), submenu: item.items.map(this.#itemOf) };
    }
  };
}

function currentTheme() {
  return panelTheme({
    platform: process.platform,
    isDark: nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
    desktop: process.env['XDG_CURRENT_DESKTOP'],
  });
}

function showTitle(tray: Tray, title: string): void {
  tray.setToolTip(title);
  if (process.platform === 'darwin') tray.setTitle(title, { fontType: 'monospacedDigit' });
}

/** Menus take the letter after an ampersand for a key. */
function plain(label: string): string {
  return label.replaceAll('&', '&&');
}
