/** The whole number that a text is; null while it is none, such as half typed. */
export function readNumber(text: string): number | null {
  const trimmed = text.trim();
  return /^-?\d{1,6}$/.test(trimmed) ? Number(trimmed) : null;
}
