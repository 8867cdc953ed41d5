/*
 * Names in sentences that are shown as plain text: titles, notices, labels, questions. A window isolates a name that is an
 * element of its own with `<bdi>`. Not for what is copied or read by programs: JSON, CSV, logs; the command line removes it.
 */

/** Letters from right to left (Unicode reserves these ranges for them), and characters that change the direction. */
const turning =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A name that leaves the order of the sentence around it alone. One that could not change it stays as it is. */
export function isolated(name: string): string {
  if (!turning.test(name)) return name;
  return `\u2068${name.replace(/[\u2066-\u2069]/g, '')}\u2069`;
}

/** The same in quotation marks. */
export function quotedName(name: string): string {
  return `“${isolated(name)}”`;
}
