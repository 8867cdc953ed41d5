import { Menu, nativeTheme, Tray } from 'electron';
import { join } from 'node:path';
import type { TrayDrawing } from '../../contract/window/bridge.ts';
import { isSystemDark } from '../window-theme.ts';
import { panelTheme, trayIconName } from './tray-icon-name.ts';
import { menuTemplate, type TrayAction } from './tray-item.ts';
import type { TrayView } from './tray-view.ts';

/** The build draws them, beside the script. */
const pictures = join(import.meta.dirname, '..', 'tray');

/**
 * The icon in the tray and its menu: shows a view, and updates only what differs.
 *
 * Everything is in the menu, because clicks on the icon itself differ between systems.
 */
export class AppTray {
  readonly #act: (action: TrayAction) => void;
  readonly #wanted: () => TrayDrawing | null;
  #tray: Tray | null = null;
  #view: TrayView | null = null;
  #picture = '';
  #title = '';
  #menu = '';

  /** `wanted`: how the person wants it drawn; null: as fits the desktop. */
  constructor(act: (action: TrayAction) => void, wanted: () => TrayDrawing | null) {
    this.#act = act;
    this.#wanted = wanted;
    nativeTheme.on('updated', this.redraw);
  }

  show(view: TrayView): void {
    this.#view = view;
    const picture = trayIconName(
      view.icon,
      currentTheme(this.#wanted()),
      process.platform === 'win32' ? 'ico' : 'png',
    );
    const tray = this.#tray ?? this.#create(picture);
    if (picture !== this.#picture) tray.setImage(join(pictures, picture));
    if (view.title !== this.#title) showTitle(tray, view.title);
    const menu = JSON.stringify(view.menu);
    if (menu !== this.#menu) tray.setContextMenu(Menu.buildFromTemplate(menuTemplate(view.menu, this.#act)));
    this.#picture = picture;
    this.#title = view.title;
    this.#menu = menu;
  }

  /** Creates the icon again, for a tray that appeared later. */
  showAgain(): void {
    this.#tray?.destroy();
    this.#tray = null;
    this.redraw();
  }

  close(): void {
    nativeTheme.off('updated', this.redraw);
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

  /** Draws it as fits now. */
  readonly redraw = (): void => {
    if (this.#view !== null) this.show(this.#view);
  };
}

function currentTheme(wanted: TrayDrawing | null) {
  return panelTheme({
    platform: process.platform,
    isDark: isSystemDark(),
    desktop: process.env['XDG_CURRENT_DESKTOP'],
    wanted,
  });
}

function showTitle(tray: Tray, title: string): void {
  tray.setToolTip(title);
  if (process.platform === 'darwin') tray.setTitle(title, { fontType: 'monospacedDigit' });
}
