import { plainText } from './terminal.ts';

/** Made when it is needed: the first use of `Intl` takes a third of what starting Node takes. */
let graphemes: Intl.Segmenter | undefined;
const plain = /^[\x20-\x7e]*$/;
// By script extensions: marks that several East Asian scripts share (ー, 、, ！) belong to none of them alone.
const wide =
  /^(?:\p{Emoji_Presentation}|\p{scx=Han}|\p{scx=Hangul}|\p{scx=Hiragana}|\p{scx=Katakana}|[\u3000\uff01-\uff60])/u;
const gap = '  ';

/** Rows as aligned columns, one line each, under a head if there is one. */
export function formatTable(rows: readonly (readonly string[])[], head?: readonly string[]): string[] {
  const lines = [...(head === undefined ? [] : [head.map((title) => title.toUpperCase())]), ...rows].map(
    (row) => row.map(plainText),
  );
  const widths: number[] = [];
  for (const line of lines) {
    for (const [column, cell] of line.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    }
  }
  return lines.map((line) =>
    line
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join(gap)
      .trimEnd(),
  );
}

/** How many places a terminal gives to a text: East Asian characters and emoji take two. */
function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}
