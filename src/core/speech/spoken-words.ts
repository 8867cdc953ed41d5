/** Plain words of what a person typed, for every engine: no markup, no control characters, no letters that the voice cannot read. */

/** How the signs of a telephone and `&` are said, by language. Of these voices are unsure, and callers have to press them. */
const signs: Readonly<Record<string, Readonly<Record<'*' | '#' | '&', string>>>> = {
  en: { '*': 'star', '#': 'pound', '&': 'and' },
  'en-au': { '*': 'star', '#': 'hash', '&': 'and' },
  'en-gb': { '*': 'star', '#': 'hash', '&': 'and' },
  'en-in': { '*': 'star', '#': 'hash', '&': 'and' },
  de: { '*': 'Stern', '#': 'Raute', '&': 'und' },
  es: { '*': 'asterisco', '#': 'almohadilla', '&': 'y' },
  fr: { '*': 'étoile', '#': 'dièse', '&': 'et' },
  hi: { '*': 'स्टार', '#': 'हैश', '&': 'और' },
  it: { '*': 'asterisco', '#': 'cancelletto', '&': 'e' },
  pt: { '*': 'asterisco', '#': 'cerquilha', '&': 'e' },
};

/** The word for `*`, `#` or `&` in a language; null for any other character, and where the language is not known here. */
export function signWord(character: string, language: string): string | null {
  if (character !== '*' && character !== '#' && character !== '&') return null;
  const wide = language.toLowerCase();
  const words = signs[wide] ?? signs[wide.split('-')[0] ?? ''];
  return words?.[character] ?? null;
}

/**
 * As an engine gets it: `*` and `#` that stand alone or end a number, `*` before a digit and every `&` as words; quotes, dashes and digits
 * in their plain form; spaces in place of what an engine could take for a command (`<`, `[[`), of control characters, pictures, and
 * letters of other scripts. What engines read out or fail at is made shorter: dots and marks in a row, and numbers without an end.
 */
export function plainWords(text: string, language: string): string {
  const known = scriptOf(language);
  return (
    text
      .normalize('NFC')
      // As people write who know that SSML is XML.
      .replace(/&(?:amp|quot|apos|nbsp|lt|gt|#39);/g, (entity) => entities[entity] ?? ' ')
      .replace(/\p{Nd}/gu, plainDigit)
      .replace(plainForms, (form) => form.normalize('NFKC'))
      .replace(/[‘’‚‛′]/g, "'")
      .replace(/[“”„‟″«»]/g, '"')
      .replace(/[‐‑−]|(?<=\d) ?[‒–] ?(?=\d)/g, '-')
      .replace(/[‒–—―]/g, ', ')
      .replace(/…|\.{2,}/g, '. ')
      .replace(/([!?])[!?]+/g, '$1')
      .replace(/\d{20}(?=\d)/g, '$& ')
      .replace(spokenSigns, (found) =>
        Array.from(found, (sign) => ` ${signWord(sign, language) ?? ''} `).join(''),
      )
      // Invisible characters, such as those that change the direction of writing; but the joiners that some scripts need.
      .replace(/(?![\u200C\u200D])\p{Cf}/gu, '')
      .replace(/[<>|]|\[\[|\]\]|[\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Z}]/gu, ' ')
      .replace(/[\p{Extended_Pictographic}\p{RI}\p{Emoji_Modifier}\u{20E3}\u{FE0F}]/gu, ' ')
      .replace(/\p{L}\p{M}*/gu, (letter) => (known === null || known.test(letter) ? letter : ' '))
      .replace(/ {2,}/g, ' ')
      .replace(/ (?=[.,;:!?])/g, '')
      .trim()
  );
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
};

/** Letters and digits of full width or in a circle, ligatures, and Roman numerals that are one character. */
const plainForms = /[\u{FF01}-\u{FF5E}\u{FB00}-\u{FB06}\u{2460}-\u{2473}\p{Nl}]/gu;

const spokenSigns =
  /(?<![\p{L}\p{N}*#])(?:[*#]+(?![\p{L}\p{N}*#])|\*(?=\d))|(?<=\d)[*#](?![\p{L}\p{N}*#])|&/gu;

/** A digit of any script as one from 0 to 9, which every voice reads. Each script has its ten in a row. */
function plainDigit(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0;
  if (zero < 0x80) return digit;
  const from = zero;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((from - zero) % 10);
}

/** Whether there is anything that is said: a letter, a digit, or a sign that has a word. */
export function readableLetters(plain: string): boolean {
  return /[\p{L}\p{N}$€£%@+=]/u.test(plain);
}

/** The letters of a text that its language does not write with, each once, in the order of the text. */
export function unreadableLetters(text: string, language: string): readonly string[] {
  const known = scriptOf(language);
  if (known === null) return [];
  const letters = text.normalize('NFC').match(/\p{L}/gu) ?? [];
  return [...new Set(letters)].filter((letter) => !known.test(letter));
}

/** Of scripts that are used together, by their ISO 15924 code. */
const partsOfScripts: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Hira', 'Kana', 'Hani'],
  Kore: ['Hang', 'Hani'],
  Hans: ['Hani'],
  Hant: ['Hani'],
};

/** Finds a letter of the script of a language. Null where that is not known: then every letter may be read. Latin letters always may. */
function scriptOf(language: string): RegExp | null {
  try {
    const { script } = new Intl.Locale(language).maximize();
    if (script === undefined) return null;
    const codes = ['Latn', ...(partsOfScripts[script] ?? [script])];
    return new RegExp(codes.map((code) => `\\p{Script_Extensions=${code}}`).join('|'), 'u');
  } catch {
    return null; // no language tag, or a script that this runtime does not know
  }
}
