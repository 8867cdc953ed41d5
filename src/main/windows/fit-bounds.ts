/** A rectangle on the desktop, in device-independent pixels, from the top left corner of the main screen. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large a window opens for the first time: at this width its navigation is one line, whatever the state beside it. */
export const firstSizes = {
  overview: { width: 1280, height: 840 },
  designer: { width: 1360, height: 880 },
} as const satisfies Readonly<Record<string, Size>>;

/**
 * Where a window opens: at its last place, moved onto a screen if that screen is gone or became smaller.
 *
 * It belongs to the screen that shows most of it; without one it is centred on the main one (the first).
 */
export function fitBounds(left: Rectangle | Size, workAreas: readonly Rectangle[]): Rectangle | Size {
  const [main] = workAreas;
  if (main === undefined) return left;
  const home = 'x' in left ? screenOf(left, workAreas) : undefined;
  const area = home ?? main;
  const width = Math.min(left.width, area.width);
  const height = Math.min(left.height, area.height);
  if (home === undefined || !('x' in left)) {
    const x = area.x + Math.round((area.width - width) / 2);
    return { x, y: area.y + Math.round((area.height - height) / 2), width, height };
  }
  return {
    x: between(left.x, area.x, area.x + area.width - width),
    y: between(left.y, area.y, area.y + area.height - height),
    width,
    height,
  };
}

function screenOf(left: Rectangle, workAreas: readonly Rectangle[]): Rectangle | undefined {
  let home: Rectangle | undefined;
  let mostShown = 0;
  for (const area of workAreas) {
    const shown = overlap(left, area);
    if (shown > mostShown) [home, mostShown] = [area, shown];
  }
  return home;
}

/** The area that two rectangles share, in square pixels. */
function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(width, 0) * Math.max(height, 0);
}

function between(value: number, lowest: number, highest: number): number {
  return Math.min(Math.max(value, lowest), highest);
}
