const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text as XML may hold it, between tags and in attributes.
 *
 * What XML 1.0 (2.2, "Characters") does not allow at all, not even escaped, is shown as U+FFFD; line breaks and tabs
 * become blanks, as an attribute would have them anyway.
 */
export function xmlText(text: string): string {
  return text
    .replace(/[\t\n\r\u0085\u2028\u2029]/g, ' ')
    .replace(/[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
