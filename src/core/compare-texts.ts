/** Below 0, 0 or above 0 for `sort`: by UTF-16 code units, the same in every language. */
export function compareTexts(one: string, other: string): number {
  if (one < other) return -1;
  return one > other ? 1 : 0;
}
