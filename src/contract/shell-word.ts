/** A text as one word that a POSIX shell reads back as it is, in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : quotedShellWord(text);
}

/** The same, always in single quotes. */
export function quotedShellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
