const spoken: Readonly<Record<string, string>> = { '*': 'star', '#': 'hash' };

/** A key as it is read out. */
export function keyWord(key: string): string {
  return `Key ${spoken[key] ?? key}`;
}
