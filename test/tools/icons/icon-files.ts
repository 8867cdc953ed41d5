import {
  fullRing,
  type TrayIcon,
  trayIconName,
  type TrayTheme,
} from '../../../src/main/tray/tray-icon-name.ts';
import { drawAppIcon } from './draw-app-icon.ts';
import { drawTrayIcon } from './draw-tray-icon.ts';
import { decodeIcns, encodeIcns, icnsTypes } from './icns.ts';
import { decodeIco, encodeIco } from './ico.ts';
import type { Picture } from './picture.ts';
import { decodePng, encodePng } from './png.ts';

/** A file of pictures. */
export interface IconFile {
  /** Below `resources` for those of the app, below `out/tray` for those of the tray; with forward slashes. */
  readonly path: string;
  readonly form: 'png' | 'ico' | 'icns';
  readonly draw: () => Picture[];
}

/** Linux desktops choose among these. */
const linuxSizesPx = [16, 24, 32, 48, 64, 128, 256, 512];
/** What Windows asks for at 100, 125, 150, 200 and 250 %, small and large, and the largest an icon file can hold. */
const windowsSizesPx = [16, 20, 24, 32, 40, 48, 64, 128, 256];

/** macOS menu bars are 22 pt and more high; a picture of 18 pt with its margin of 1 sits like the system's own. */
const macGridPx = 18;
/** What most Linux panels show; Electron hands them the `@2x` picture, so it halves without a blur. */
const linuxGridPx = 22;
/** The notification area of Windows at 100, 125, 150, 200, 250 and 300 %. */
const windowsGrids = [
  { gridPx: 16, scale: 1 },
  { gridPx: 20, scale: 1 },
  { gridPx: 24, scale: 1 },
  { gridPx: 16, scale: 2 },
  { gridPx: 20, scale: 2 },
  { gridPx: 24, scale: 2 },
];

/** Every picture of the tray. The build draws them: nobody has to look at 530 files in the tree. */
export function trayIconFiles(): IconFile[] {
  return trayIcons().flatMap(filesOf);
}

/** Every drawing the tray can ask for. */
export function trayIcons(): TrayIcon[] {
  const states = ['fine', 'due', 'failing', 'paused'] as const;
  const fullnesses = Array.from({ length: fullRing + 1 }, (_, step) => step / fullRing);
  return [
    { state: 'idle', fullness: 0 },
    ...states.flatMap((state) => fullnesses.map((fullness) => ({ state, fullness }))),
  ];
}

export function encodeIconFile({ form }: IconFile, pictures: readonly Picture[]): Buffer {
  switch (form) {
    case 'png':
      return Buffer.concat(pictures.map(encodePng));
    case 'ico':
      return encodeIco(pictures);
    case 'icns':
      return encodeIcns(pictures);
  }
}

export function decodeIconFile({ form }: IconFile, bytes: Buffer): Picture[] {
  switch (form) {
    case 'png':
      return [decodePng(bytes)];
    case 'ico':
      return decodeIco(bytes);
    case 'icns':
      return decodeIcns(bytes).map(({ picture }) => picture);
  }
}

/** What packaging wants as files in `resources`. */
export function appIconFiles(): IconFile[] {
  return [
    { path: 'icon.png', form: 'png', draw: () => [drawAppIcon(1024)] },
    { path: 'icon.ico', form: 'ico', draw: () => windowsSizesPx.map((sizePx) => drawAppIcon(sizePx)) },
    {
      path: 'icon.icns',
      form: 'icns',
      draw: () => icnsTypes.map(([, sizePx]) => drawAppIcon(sizePx, 'mac')),
    },
    ...linuxSizesPx.map((sizePx): IconFile => ({
      path: `icons/${sizePx}x${sizePx}.png`,
      form: 'png',
      draw: () => [drawAppIcon(sizePx)],
    })),
  ];
}

function filesOf(icon: TrayIcon): IconFile[] {
  const path = (theme: TrayTheme, format: 'png' | 'ico') => trayIconName(icon, theme, format);
  const pair = (theme: TrayTheme, gridPx: number): IconFile[] =>
    [1, 2].map((scale) => ({
      path: scale === 1 ? path(theme, 'png') : path(theme, 'png').replace('.png', '@2x.png'),
      form: 'png',
      draw: () => [drawTrayIcon(icon, theme, { gridPx, scale })],
    }));
  const forPanels = (['light', 'dark'] as const).flatMap((theme): IconFile[] => [
    ...pair(theme, linuxGridPx),
    {
      path: path(theme, 'ico'),
      form: 'ico',
      draw: () => windowsGrids.map((grid) => drawTrayIcon(icon, theme, grid)),
    },
  ]);
  // Chosen on Linux only: Windows says what its panel looks like.
  return [...pair('template', macGridPx), ...forPanels, ...pair('coloured', linuxGridPx)];
}
