/** Shapes as parts of an SVG path, in pixels, to a tenth of one. */

interface Upright {
  readonly top: number;
  readonly height: number;
}

/** The corners of a bar, as a share of its height. */
const cornerShare = 0.22;
/** Bars that are not this much longer than high have straight cuts for corners: they look the same and paint sooner. */
const roundShare = 1.5;
const cutShare = 0.12;
const strokePx = 2;

/** A bar with round corners, or with those of one end only, where it goes on in another bar. */
export function roundedBar(
  x: number,
  {
    width,
    top,
    height,
    round = 'both',
  }: Upright & { readonly width: number; readonly round?: 'both' | 'left' | 'right' },
): string {
  const isRound = width > height * roundShare;
  const r = Math.min(height * (isRound ? cornerShare : cutShare), width / (round === 'both' ? 2 : 1));
  const corner = (dx: number, dy: number): string =>
    isRound ? `a${px(r)} ${px(r)} 0 0 1 ${px(dx)} ${px(dy)}` : `l${px(dx)} ${px(dy)}`;
  const [left, right] = [round !== 'right', round !== 'left'];
  const [w, h] = [width - (left ? r : 0) - (right ? r : 0), height - 2 * r];
  const start = `M${px(x + (left ? r : 0))} ${px(top)}h${px(w)}`;
  const rightSide = right ? `${corner(r, r)}v${px(h)}${corner(-r, r)}` : `v${px(height)}`;
  const leftSide = left ? `${corner(-r, -r)}v${px(-h)}${corner(r, -r)}` : '';
  return `${start}${rightSide}h${px(-w)}${leftSide}z`;
}

/** One stroke. */
export function upright(x: number, { top, height }: Upright): string {
  return `M${px(x - strokePx / 2)} ${px(top)}h${strokePx}v${px(height)}h-${strokePx}z`;
}

export function diamond(x: number, y: number, r: number): string {
  const side = px(r);
  return `M${px(x)} ${px(y - r)}l${side} ${side}-${side} ${side}-${side}-${side}z`;
}

/** Its edge alone, as a filled shape: to have a hundred edges drawn as lines was measured to take three times as long. */
export function hollowDiamond(x: number, y: number, r: number, edge: number): string {
  return diamond(x, y, r + edge / 2) + diamond(x, y, r - edge / 2);
}

export function xMark(x: number, y: number, r: number): string {
  const [side, whole] = [px(r), px(2 * r)];
  return `M${px(x - Number(side))} ${px(y - r)}l${whole} ${whole}m0-${whole}-${whole} ${whole}`;
}

export function hollowSquare(x: number, y: number, side: number): string {
  return `M${px(x - side / 2)} ${px(y - side / 2)}h${px(side)}v${px(side)}h${px(-side)}z`;
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
