import type { TextFault } from '../contract/decode-text.ts';
import type { JsonError, JsonExpectation, JsonFound } from '../contract/find-json-error.ts';

/** What is said of a text file or a text that a person gives us: how it was read, and why it cannot be read. */

/** Of a file that does not say its encoding. */
export function readAsText(name: string, encoding: 'utf-16' | 'windows-1252'): string {
  const label = encoding === 'utf-16' ? 'UTF-16' : 'Windows-1252';
  return `Read as ${label}: ${name} does not say its encoding. Check letters such as ä and é.`;
}

/** Before it is read. */
export function fileTooLargeText(name: string, mostMib: number): string {
  return `${name} is larger than ${mostMib} MiB. Import it in parts.`;
}

/** A sentence about a file that is not read. */
export function textFaultText(name: string, fault: TextFault): string {
  switch (fault.code) {
    case 'workbook':
      return `${name} is a workbook or an archive, not text. In the spreadsheet, save it as “CSV UTF-8” and take that file.`;
    case 'binary':
      return `${name} is not a text file.`;
    case 'unknown_encoding':
      return `${name} is not UTF-8, UTF-16 or Windows-1252 (line ${fault.line}), so letters would be lost. Save it as UTF-8; in Excel that is “CSV UTF-8”.`;
    case 'replaced':
      return `${name} has � in line ${fault.line}: another program has lost a letter there. Save it as UTF-8 from where it comes, or type the letter again.`;
  }
}

/** The end of a sentence that begins with what was read. Null: the place is not known. */
export function notJsonText(error: JsonError | null): string {
  return error === null ? 'is not JSON' : `is not JSON: ${jsonErrorText(error)}`;
}

/** `line 3, column 1 must be a value, not a comma`. It quotes nothing of the text, which may have a secret in it. */
export function jsonErrorText({ line, column, expected, found }: JsonError): string {
  // `+1` and `.5` are no numbers of JSON; elsewhere any number is out of place.
  const instead = found === 'number' && expected !== 'value' ? 'not a number' : foundTexts[found];
  return `line ${line}, column ${column} must be ${expectations[expected]}, ${instead}`;
}

const expectations: Readonly<Record<JsonExpectation, string>> = {
  value: 'a value',
  name: 'a name in double quotes',
  colon: 'a colon',
  comma_or_brace: 'a comma or }',
  comma_or_bracket: 'a comma or ]',
  string_end: 'a text that ends with a double quote on its line',
  end: 'nothing more',
};

const foundTexts: Readonly<Record<JsonFound, string>> = {
  end: 'but all of it ends there',
  comma: 'not a comma',
  colon: 'not a colon',
  opening: 'not an opening bracket',
  closing: 'not a closing bracket',
  text: 'not a text',
  number: 'not a number like this',
  word: 'not a word without double quotes',
  single_quote: 'not a single quote',
  curly_quote: 'not a curly quote',
  comment: 'not a comment',
  mark: 'not a byte order mark',
  sign: 'not this character',
  line_break: 'but a line break is in it; write \\n',
  control: 'but a tab or another control character is in it; write \\t',
  backslash: 'but a backslash is in it that begins no escape; double it',
};
