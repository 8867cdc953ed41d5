import type { Quote } from './quote-value.ts';
import { VariableRefused } from './variable-refused.ts';

/** Where a dotenv text gives a variable its value. */
export interface Assignment {
  readonly variable: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** Where its line begins. */
  readonly from: number;
  /** The value with its quotes is `text.slice(start, end)`. */
  readonly start: number;
  readonly end: number;
  readonly quote: Quote;
  /** The value as it is written, without its quotes. */
  readonly written: string;
}

/** How many assignments are read, and shown by a preview: a megabyte can hold 350,000, which took over a second. */
export const mostAssignments = 10_000;

const byteOrderMark = '\xEF\xBB\xBF';
/** `export NAME =`, or `NAME: ` as the dotenv of npm also reads it. */
const head = /[ \t]*(?:export[ \t]+)?([\w.-]+)(?:[ \t]*=|:[ \t])/y;
const blanks = /[ \t]*/y;
const restOfLine = /[^\r\n]*/y;
const lineBreak = /\r\n|\n|\r/y;
/** What may follow a closing quote. */
const tail = /[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)/y;

/**
 * Finds the assignments of a dotenv text, from top to bottom.
 *
 * The text has one character for each byte (latin1), so that bytes of any encoding stay what they are. Blanks are
 * spaces and tabs only for the same reason: the other ones may be parts of UTF-8 characters. What is inside a
 * quoted value that goes over several lines is not looked at; a line that assigns nothing is passed over. Throws
 * `VariableRefused` where there are more than `mostAssignments`.
 */
export function readAssignments(text: string): Assignment[] {
  const found: Assignment[] = [];
  let line = 1;
  let at = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  while (at < text.length) {
    const [, variable] = matchAt(head, text, at) ?? [];
    let end = at;
    if (variable !== undefined) {
      const value = readValue(text, head.lastIndex);
      if (found.length === mostAssignments) throw new VariableRefused('TOO_MANY');
      found.push({ variable, line, from: at, ...value });
      end = value.end;
    }
    line += countLineBreaks(text.slice(at, end));
    at = endOf(restOfLine, text, end);
    if (matchAt(lineBreak, text, at) === null) break;
    at = lineBreak.lastIndex;
    line += 1;
  }
  return found;
}

export function countLineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function readValue(text: string, from: number): Pick<Assignment, 'start' | 'end' | 'quote' | 'written'> {
  const start = endOf(blanks, text, from);
  const quote = text[start];
  if (quote === "'" || quote === '"' || quote === '`') {
    const close = findClosingQuote(text, start, quote);
    if (close !== null) return { start, end: close + 1, quote, written: text.slice(start + 1, close) };
  }
  return readBareValue(text, from, start);
}

/** To the end of the line or to a `#` that begins a word: one inside a word is a part of it for a shell. */
function readBareValue(text: string, from: number, start: number): ReturnType<typeof readValue> {
  const rest = text.slice(from, endOf(restOfLine, text, from));
  const comment = /(?:^|[ \t])#/.exec(rest);
  let end = from + (comment?.index ?? rest.length);
  while (end > from && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  // An empty value stands right after its sign, not where a comment begins.
  if (end <= start) return { start: from, end: from, quote: '', written: '' };
  return { start, end, quote: '', written: text.slice(start, end) };
}

/**
 * The quote that ends a value, or null: then it is no quoted value.
 *
 * A quote after a backslash belongs to the value where a later one can end it, and ends it otherwise: a shell and the
 * usual readers differ on `'C:\'`, and what follows tells what was meant.
 */
function findClosingQuote(text: string, open: number, quote: Quote): number | null {
  const escaped: number[] = [];
  let at = text.indexOf(quote, open + 1);
  while (at !== -1 && text[at - 1] === '\\') {
    escaped.push(at);
    at = text.indexOf(quote, at + 1);
  }
  const candidates = at === -1 ? escaped : [...escaped, at];
  return candidates.findLast((close) => matchAt(tail, text, close + 1) !== null) ?? null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where the match of a pattern that always matches ends. */
function endOf(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0);
}
