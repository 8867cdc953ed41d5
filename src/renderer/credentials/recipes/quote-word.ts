/** A word as `sh` reads it back, whatever is in it. */
export function shellWord(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A text as JavaScript and Python read it back: in single quotes where it needs nothing else. */
export function textLiteral(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/**
 * A word of a systemd unit's command line.
 *
 * In single quotes a backslash still escapes, `%` begins a specifier and `$` a variable (systemd.service(5), “Command
 * lines”).
 */
export function unitWord(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('%', '%%').replaceAll('$', '$$$$')}'`;
}

/** A path in a setting of a unit that takes nothing but a path. */
export function unitPath(path: string): string {
  return path.replaceAll('%', '%%');
}
