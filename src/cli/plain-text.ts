// Control characters (C0, C1) and the marks that turn the direction of a text.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text as a terminal may show it, on one line.
 *
 * Names, reasons and user agents come from whoever calls the service: an escape sequence in one of them must not move
 * the cursor, hide a line or set a title.
 */
export function plainText(text: string): string {
  return text.replace(unprintable, (character) => {
    if (character === '\n' || character === '\t') return ' ';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
