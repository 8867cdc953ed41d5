import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullRing, ringStep, type TrayState, trayIconName } from '../../src/main/tray/tray-icon-name.ts';
import { appIconSvg } from '../tools/icons/draw-app-icon.ts';
import { drawTrayIcon, trayColours } from '../tools/icons/draw-tray-icon.ts';
import {
  decodeIcns,
  appIconFiles,
  decodeIconFile,
  encodeIconFile,
  trayIconFiles,
  trayIcons,
  decodeIco,
  decodePng,
} from '../tools/icons/icon-files.ts';
import type { Colour, Picture } from '../tools/icons/shape.ts';

const resources = join(import.meta.dirname, '..', '..', 'resources');
const states = ['idle', 'fine', 'due', 'failing', 'paused'] as const;
const gauges = ['fine', 'due', 'failing', 'paused'] as const;
const steps = Array.from({ length: fullRing + 1 }, (_, step) => step);
/** The smallest picture, where the states are hardest to distinguish. */
const smallest = { gridPx: 16, scale: 1 };

function read(path: string): Buffer {
  return readFileSync(join(resources, path));
}

const trayFiles = new Map(trayIconFiles().map((file) => [file.path, file]));

/** As the build writes it. */
function trayFile(name: string): Buffer {
  const file = trayFiles.get(name)!;
  return encodeIconFile(file, file.draw());
}

function readTray(name: string): Picture {
  return decodePng(trayFile(name));
}

function shapeOf(state: TrayState, step: number): number[] {
  return alphaOf(drawTrayIcon({ state, fullness: step / fullRing }, 'template', smallest));
}

function alphaOf({ rgba }: Picture): number[] {
  return Array.from({ length: rgba.length / 4 }, (_, pixel) => rgba[pixel * 4 + 3]!);
}

/** How many pixels are set in one and (nearly) empty in the other. */
function pixelsApart(one: readonly number[], other: readonly number[]): number {
  return one.filter((alpha, pixel) => Math.abs(alpha - other[pixel]!) > 100).length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}

describe('what the tray icon is called', () => {
  it('has a name for every state and step, and the same name for the same picture', () => {
    const names = trayIcons().map((icon) => trayIconName(icon, 'light'));
    expect(new Set(names).size).toBe(1 + gauges.length * steps.length);
    expect(trayIconName({ state: 'fine', fullness: 0.51 }, 'dark')).toBe('fine-07-dark.png');
    expect(trayIconName({ state: 'idle', fullness: 0.51 }, 'light', 'ico')).toBe('idle-light.ico');
  });

  it('ends so that macOS knows a template, whatever the format', () => {
    expect(trayIconName({ state: 'due', fullness: 1 }, 'template')).toBe('due-12Template.png');
    expect(trayIconName({ state: 'due', fullness: 1 }, 'template', 'ico')).toBe('due-12Template.png');
  });

  it('shows an empty ring only when nothing is left, and never a part more than is begun', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (fullness) => {
        const step = ringStep(fullness);
        expect(step === 0).toBe(fullness === 0);
        expect(step / fullRing).toBeGreaterThanOrEqual(fullness);
        expect((step - 1) / fullRing).toBeLessThan(fullness === 0 ? 0 : fullness);
      }),
    );
  });

  it('takes what is out of range for the nearer end, and what is no number for empty', () => {
    expect([-0.2, 1.7, Infinity, -Infinity, NaN].map(ringStep)).toEqual([0, 12, 12, 0, 0]);
  });
});

describe('the icon files', () => {
  it('are, pixel by pixel, like the drawings', { tags: ['long'] }, () => {
    const drifted = appIconFiles().filter((file) => {
      const [drawn, kept] = [file.draw(), decodeIconFile(file, read(file.path))];
      return (
        drawn.length !== kept.length || drawn.some(({ rgba }, i) => Buffer.compare(rgba, kept[i]!.rgba) !== 0)
      );
    });
    expect(
      drifted.map(({ path }) => path),
      'run `node test/tools/render-icons.ts`',
    ).toEqual([]);
    expect(read('icon.svg').toString()).toBe(appIconSvg());
  });

  it('are the only ones in their folder', () => {
    const found = readdirSync(join(resources, 'icons')).map((name) => `icons/${name}`);
    const drawn = appIconFiles().map(({ path }) => path);
    expect(found.sort()).toEqual(drawn.filter((path) => path.includes('/')).sort());
  });

  it('of the tray are there under every name, in the sizes of each platform', () => {
    for (const icon of trayIcons()) {
      const template = trayIconName(icon, 'template');
      expect(readTray(template).sizePx).toBe(18);
      expect(readTray(template.replace('.png', '@2x.png')).sizePx).toBe(36);
      for (const theme of ['light', 'dark'] as const) {
        const png = trayIconName(icon, theme);
        expect(readTray(png).sizePx).toBe(22);
        expect(readTray(png.replace('.png', '@2x.png')).sizePx).toBe(44);
        const sizes = decodeIco(trayFile(trayIconName(icon, theme, 'ico'))).map(({ sizePx }) => sizePx);
        expect(sizes).toEqual([16, 20, 24, 32, 40, 48]);
      }
    }
  });

  it('of the app hold every size that each platform asks for', () => {
    const linux = readdirSync(join(resources, 'icons'));
    for (const name of linux) {
      const { sizePx } = decodePng(read(`icons/${name}`));
      expect(name).toBe(`${sizePx}x${sizePx}.png`);
    }
    expect(linux).toHaveLength(8);
    expect(decodeIco(read('icon.ico')).map(({ sizePx }) => sizePx)).toEqual([
      16, 20, 24, 32, 40, 48, 64, 128, 256,
    ]);
    expect(decodeIcns(read('icon.icns')).map(({ type, picture }) => [type, picture.sizePx])).toEqual([
      ['ic11', 32],
      ['ic12', 64],
      ['ic07', 128],
      ['ic13', 256],
      ['ic08', 256],
      ['ic14', 512],
      ['ic09', 512],
      ['ic10', 1024],
    ]);
    expect(decodePng(read('icon.png')).sizePx).toBe(1024);
  });
});

describe('the drawings of the tray', () => {
  it('differ between any two states by shape alone, at the smallest size', () => {
    for (const step of steps) {
      for (const [i, one] of states.entries()) {
        for (const other of states.slice(i + 1)) {
          const apart = pixelsApart(shapeOf(one, step), shapeOf(other, step));
          expect(apart, `${one} and ${other} at ${step}`).toBeGreaterThanOrEqual(12);
        }
      }
    }
  });

  it('differ from step to step, each fuller than the one before', () => {
    for (const state of gauges) {
      for (const step of steps.slice(1)) {
        const [before, after] = [shapeOf(state, step - 1), shapeOf(state, step)];
        expect(pixelsApart(before, after), `${state} at ${step}`).toBeGreaterThanOrEqual(4);
        expect(sum(after)).toBeGreaterThan(sum(before));
      }
    }
  });

  it('empty clockwise from 12 o’clock', () => {
    const quarters = (step: number) => {
      const alpha = shapeOf('fine', step);
      const inQuarter = (right: boolean, low: boolean) =>
        sum(alpha.filter((_, pixel) => pixel % 16 >= 8 === right && pixel >= 128 === low));
      return [inQuarter(true, false), inQuarter(true, true), inQuarter(false, true), inQuarter(false, false)];
    };
    const [empty, full] = [quarters(0)[0], quarters(fullRing)[0]];
    expect(quarters(9)).toEqual([empty, full, full, full]);
    expect(quarters(6)).toEqual([empty, empty, full, full]);
    expect(quarters(3)).toEqual([empty, empty, empty, full]);
  });

  it('are black shapes on nothing where macOS colours them', () => {
    for (const icon of trayIcons()) {
      const picture = readTray(trayIconName(icon, 'template'));
      expect(picture.rgba.some((byte, i) => i % 4 !== 3 && byte !== 0)).toBe(false);
      expect(Math.min(...alphaOf(picture))).toBe(0);
      expect(Math.max(...alphaOf(picture))).toBeGreaterThan(60);
    }
  });

  it('contrast with the panel that they are for', () => {
    const panels = { light: [32, 33, 36], dark: [240, 241, 243] } as const;
    for (const theme of ['light', 'dark'] as const) {
      for (const state of states) {
        const ratio = contrast(trayColours[theme][state], panels[theme]);
        expect(ratio, `${theme} ${state}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('are seen on any panel where they are coloured', () => {
    for (const panel of [
      [32, 33, 36],
      [240, 241, 243],
    ] as const)
      for (const state of states)
        expect(contrast(trayColours.coloured[state], panel), state).toBeGreaterThanOrEqual(3);
  });

  it('become the small one again when a Linux panel halves the large one', () => {
    for (const icon of trayIcons()) {
      const small = alphaOf(drawTrayIcon(icon, 'light', { gridPx: 22, scale: 1 }));
      const large = alphaOf(drawTrayIcon(icon, 'light', { gridPx: 22, scale: 2 }));
      const furthest = Math.max(
        ...small.map((alpha, pixel) => {
          const corner = Math.floor(pixel / 22) * 88 + (pixel % 22) * 2;
          return Math.abs(alpha - sum([0, 1, 44, 45].map((next) => large[corner + next]!)) / 4);
        }),
      );
      expect(furthest, icon.state).toBeLessThan(64);
    }
  });
});

/** Contrast of two colours as WCAG 2.2 defines it, 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
