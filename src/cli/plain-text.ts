/**
 * What moves a terminal or misleads who reads it: control characters (C0, DEL, C1), the marks that turn the direction of a
 * text, and the line breaks of Unicode.
 */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * A text as a terminal may show it, on one line; `terminal.ts` puts everything through it that a command prints.
 *
 * Names, reasons and user agents come from whoever calls the service: an escape sequence in one of them must not move
 * the cursor, hide a line or set a title. What JSON leaves as it is in its texts, this escapes as JSON does.
 */
export function plainText(text: string): string {
  return plainDocument(text.replace(/[\n\t]/g, ' '));
}

/** The same for a text of several lines, which keeps its line breaks and tabs. */
export function plainDocument(text: string): string {
  return text.replace(unprintable, (character, place: number) => {
    if (character === '\n' || character === '\t') return character;
    if (character === '\r' && text[place + 1] === '\n') return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
