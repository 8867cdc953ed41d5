/** A text as JavaScript and Python read it back: in single quotes where it needs nothing else. */
export function textLiteral(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/**
 * A word of a systemd unit's command line, whatever is in it.
 *
 * In single quotes a backslash still escapes, `%` begins a specifier and `$` a variable (systemd.service(5), “Command
 * lines”). A line break would end the setting.
 */
export function unitWord(word: string): string {
  const escaped = word
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')
    .replace(
      /[\u0001-\u001f\u007f]/g,
      (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  return `'${escaped}'`;
}

/**
 * A path in a setting of a unit that takes nothing but a path; null where none can be written there.
 *
 * Such a setting knows no quotes: a line break or a last backslash would make something else of the next line, and a last
 * blank is left out.
 */
export function unitPath(path: string): string | null {
  return /[\u0001-\u001f\u007f]|[\\ ]$/.test(path) ? null : path.replaceAll('%', '%%');
}
