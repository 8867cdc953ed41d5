import { xmlText } from './xml-text.ts';

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly anchor?: 'start' | 'middle';
}

/** A line of text at a place, cut off where it would be wider than `width`; nothing is measured, widths are estimated. */
export function svgText(
  text: string,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
  { size, bold = false, colour = ink, anchor = 'start' }: TextStyle,
): string {
  const weight = bold ? ' font-weight="600"' : '';
  const middle = anchor === 'middle' ? ' text-anchor="middle"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}"${weight}${middle}>${xmlText(cut(text, width / size))}</text>`;
}

export const ink = '#1f2933';
export const faint = '#52606d';

/** `room` is in widths of the letter M, of which most letters take a little more than half. */
function cut(text: string, room: number): string {
  const units = Array.from(text.replace(/\s+/g, ' ').trim());
  let taken = 0;
  for (const [place, unit] of units.entries()) {
    taken += wide.test(unit) ? 1.05 : 0.58;
    if (taken > room) return `${units.slice(0, Math.max(0, place - 1)).join('')}…`;
  }
  return units.join('');
}

const wide =
  /[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{Emoji_Presentation}MW\uff01-\uff60]/u;
