import { maskedValue } from '../../contract/credential/credential-checks.ts';
import type { Quote } from '../../contract/credential/delivery-finding.ts';
import { isEncrypted, isOfSops } from '../../core/credential/judge-value.ts';
import { VariableRefused } from './delivery-outcome.ts';

/** Where a dotenv text sets a variable. */
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

/** How many assignments are read, and shown by a preview: a megabyte can contain 350,000, which took over a second. */
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
 * The text has one character for each byte (latin1), so that bytes of any encoding are preserved. For the same reason only
 * spaces and tabs count as blanks: other blanks may be parts of UTF-8 characters. The inside of a quoted value of
 * several lines is not searched; a line without an assignment is skipped. Throws
 * `VariableRefused` for more than `mostAssignments`.
 */
function readAssignments(text: string): Assignment[] {
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

/** Up to the end of the line or a `#` that begins a word: inside a word, a shell treats it as part of the word. */
function readBareValue(text: string, from: number, start: number): ReturnType<typeof readValue> {
  const rest = text.slice(from, endOf(restOfLine, text, from));
  const comment = /(?:^|[ \t])#/.exec(rest);
  let end = from + (comment?.index ?? rest.length);
  while (end > from && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  // An empty value is directly after its sign, not where a comment begins.
  if (end <= start) return { start: from, end: from, quote: '', written: '' };
  return { start, end, quote: '', written: text.slice(start, end) };
}

/**
 * The quote that ends a value, or null if the value is not quoted.
 *
 * A quote after a backslash belongs to the value if a later quote can end it, and ends it otherwise: a shell and the
 * usual readers differ on `'C:\'`, so the text after it decides.
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

/** The end of the match of a pattern that always matches. */
function endOf(pattern: RegExp, text: string, at: number): number {
  return at + (matchAt(pattern, text, at)?.[0].length ?? 0);
}

/** A line that sets a variable, before and after the change, without any value. */
export interface VariableLine {
  /** Its number now; for a new line, its number after the change. From 1. */
  readonly number: number;
  /** Null for a new line. */
  readonly before: string | null;
  readonly after: string;
  /** The quotes around the old value and around the new one; null for a new line. */
  readonly quotes: { readonly before: Quote; readonly after: Quote } | null;
  readonly isExported: boolean;
  readonly hasComment: boolean;
  /** How many lines the old value has; 1 for a new line. */
  readonly lineCount: number;
  /** False if it already has the new value. */
  readonly isChanged: boolean;
}

/**
 * The lines of a variable in a dotenv file and in the result of `setVariable`; no other line differs.
 *
 * Shown are the variable's name with its prefix, sign and quotes. Everything else on the line, even a comment, may be
 * a secret, and is masked or left out.
 */
export function compareVariable(before: Buffer, after: Buffer, variable: string): VariableLine[] {
  const [oldText, newText] = [before.toString('latin1'), after.toString('latin1')];
  const old = assignmentsOf(oldText, variable);
  return assignmentsOf(newText, variable).map((now, place) => {
    const was = old[place];
    return {
      number: (was ?? now).line,
      before: was === undefined ? null : maskedLine(oldText, was),
      after: maskedLine(newText, now),
      quotes: was === undefined ? null : { before: was.quote, after: now.quote },
      isExported: /^[ \t]*export[ \t]/.test(headOf(newText, now)),
      hasComment: hasComment(newText, now),
      lineCount: was === undefined ? 1 : countLineBreaks(oldText.slice(was.start, was.end)) + 1,
      isChanged: was === undefined || wholeLine(oldText, was) !== wholeLine(newText, now),
    };
  });
}

/** The variables of a dotenv file with their values, in its order. Throws `VariableRefused`. */
export function listVariables(
  content: Buffer,
): { readonly variable: string; readonly line: number; readonly value: string }[] {
  return readAssignments(content.toString('latin1')).map(({ variable, line, written }) => ({
    variable,
    line,
    value: Buffer.from(written, 'latin1').toString(),
  }));
}

function assignmentsOf(text: string, variable: string): Assignment[] {
  return readAssignments(text).filter((assignment) => assignment.variable === variable);
}

function maskedLine(text: string, assignment: Assignment): string {
  const { quote, written } = assignment;
  const value = `${quote}${written === '' ? '' : maskedValue}${quote}`;
  return `${headOf(text, assignment)}${value}${hasComment(text, assignment) ? ' # …' : ''}`;
}

/** The text before the value: blanks, `export`, the name and its sign. */
function headOf(text: string, { from, start }: Assignment): string {
  return text.slice(from, start);
}

function hasComment(text: string, { end }: Assignment): boolean {
  return text.slice(end, endOfLine(text, end)).includes('#');
}

function wholeLine(text: string, { from, end }: Assignment): string {
  return text.slice(from, endOfLine(text, end));
}

function endOfLine(text: string, at: number): number {
  const rest = text.slice(at).search(/[\r\n]/);
  return rest === -1 ? text.length : at + rest;
}

/**
 * The values that each style can contain so that dotenv readers and `sh` read the same.
 *
 * Bare: no character that is special in a shell, such as `~`, nor a `#`. Single: literally, for both. Double: nothing that
 * a shell would replace or unescape, because dotenv readers do neither. Only dotenv readers accept backticks
 * (a shell would run them), so they are kept but never introduced.
 */
const carries: Readonly<Record<Quote, RegExp>> = {
  '': /^(?!=)[A-Za-z0-9_./+=:@%,-]*$/,
  "'": /^[^'\r\n\0]*$/,
  '"': /^[^"$`\\\r\n\0]*$/,
  '`': /^[^`\r\n\0]*$/,
};

/**
 * Writes a value in its previous style if possible, otherwise in quotes that can contain it.
 *
 * A value that ends with a backslash is refused: some readers would treat the closing quote as part of it. Throws
 * `VariableRefused`.
 */
function quoteValue(value: string, before: Quote): string {
  if (value.endsWith('\\')) throw new VariableRefused('VALUE_UNQUOTABLE');
  const quote = ([before, "'", '"'] as const).find((style) => carries[style].test(value));
  if (quote === undefined) throw new VariableRefused('VALUE_UNQUOTABLE');
  return `${quote}${value}${quote}`;
}

/**
 * Sets a variable of a dotenv file; every other byte is preserved.
 *
 * All its assignments are changed: readers use the last one, and an older one would be misleading. Without any, a line
 * is added at the end. The result is read to verify that only this variable has changed. Throws
 * `VariableRefused`.
 */
export function setVariable(content: Buffer, variable: string, value: string): Buffer {
  if (content.includes(0)) throw new VariableRefused('NOT_TEXT');
  const text = content.toString('latin1');
  const bytes = Buffer.from(value).toString('latin1');
  const before = readAssignments(text);
  const mine = before.filter((assignment) => assignment.variable === variable);
  assertIsDotenv(text, before, { adds: mine.length === 0 });
  const encrypted = mine.find(({ written }) => isEncrypted(written)) ?? checkedBySops(before, mine);
  if (encrypted !== undefined) throw new VariableRefused('ENCRYPTED', encrypted.line);
  const more = mine.find((assignment) => hasMore(text, assignment));
  if (more !== undefined) throw new VariableRefused('MORE_ON_LINE', more.line);
  const split = mine.find(goesOn);
  if (split !== undefined) throw new VariableRefused('GOES_ON', split.line);
  const changed =
    mine.length === 0 ? appendLine(text, `${variable}=${quoteValue(bytes, '')}`) : rewrite(text, mine, bytes);

  const expected = before.map((one) =>
    one.variable === variable ? [variable, bytes] : [one.variable, one.written],
  );
  if (mine.length === 0) expected.push([variable, bytes]);
  const after = readAssignments(changed).map((one) => [one.variable, one.written]);
  if (JSON.stringify(after) !== JSON.stringify(expected)) throw new VariableRefused('QUOTES_ENTANGLED');
  return Buffer.from(changed, 'latin1');
}

/**
 * A value that sops has encrypted where it reads the file no longer once the variable has changed: its checksum is over all values, or with
 * `mac_only_encrypted` over those that it has encrypted. An empty one may be one of those, because sops leaves it empty, and so may a new one.
 */
function checkedBySops(all: readonly Assignment[], mine: readonly Assignment[]): Assignment | undefined {
  const arePlain = mine.length > 0 && mine.every(({ written }) => written !== '');
  const isOnlyEncrypted = all.some(
    ({ variable, written }) => variable === 'sops_mac_only_encrypted' && written === 'true',
  );
  return arePlain && isOnlyEncrypted ? undefined : all.find(({ written }) => isOfSops(written));
}

/** What files of other kinds are called. */
const otherEndings =
  /\.(?:jsonc?|json5|ya?ml|toml|ini|xml|plist|ps1|psm1|psd1|bat|cmd|tf|tfvars|hcl|jsx?|[cm]js|tsx?|py|rb|php|pl|go|java|kt|cs)$/i;

/** Whether the name of a file says that it is no dotenv file. */
export function isOtherFormat(path: string): boolean {
  return otherEndings.test(path);
}

/** The head of a section, as in an ini file or TOML. */
const section = /^[ \t]*\[\[?[^[\]\r\n]*\]?\][ \t]*(?:[#;].*)?$/;
/** What a dotenv file may have beside assignments: comments, and `export NAME` without a value. */
const harmless = /^[ \t]*(?:[#;].*|export(?:[ \t]+[\w.-]+)+[ \t]*(?:#.*)?|set[ \t]+[-+]a|)$/;

/**
 * Refuses files of other kinds. A line is added only where every line is an assignment, empty or a comment; a line that sets the variable
 * may also be in a script of a shell.
 */
function assertIsDotenv(
  text: string,
  assignments: readonly Assignment[],
  { adds }: { readonly adds: boolean },
): void {
  const others = otherLines(text, assignments);
  const wrong = others.find(({ content }) => (adds ? !harmless.test(content) : section.test(content)));
  if (wrong !== undefined) throw new VariableRefused('NOT_DOTENV', wrong.line);
  // `name: value` and nothing else is YAML; npm's dotenv reads it too, but a shell and systemd do not.
  const [first] = assignments;
  if (first === undefined || !assignments.every((one) => isColon(text, one))) return;
  const nested = assignments.find(({ from }) => text[from] === ' ' || text[from] === '\t');
  if (adds || nested !== undefined || others.some(({ content }) => !harmless.test(content))) {
    throw new VariableRefused('NOT_DOTENV', (nested ?? first).line);
  }
}

function isColon(text: string, { from, start }: Assignment): boolean {
  return /^[ \t]*(?:export[ \t]+)?[\w.-]+:/.test(text.slice(from, start + 1));
}

/** The lines that are no part of an assignment, with their numbers. */
function otherLines(
  text: string,
  assignments: readonly Assignment[],
): { readonly line: number; readonly content: string }[] {
  const covered = new Set<number>();
  for (const { line, start, end } of assignments) {
    const last = line + countLineBreaks(text.slice(start, end));
    for (let at = line; at <= last; at += 1) covered.add(at);
  }
  const content = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
  return content
    .split(/\r\n|\n|\r/)
    .map((one, at) => ({ line: at + 1, content: one }))
    .filter(({ line }) => !covered.has(line));
}

/** Whether more than a value and a comment is on the line: another command of a shell, or another assignment after `export`. */
function hasMore(text: string, assignment: Assignment): boolean {
  const { quote, written } = assignment;
  if (quote !== '') return false;
  const isExported = /^[ \t]*export[ \t]/.test(headOf(text, assignment));
  if (isExported && /\s[A-Za-z_]\w*(?:=|$)/.test(written)) return true;
  // Without a blank, as profiles of Oracle and others have it: what an old token has there is no command.
  if (/(?:;|&&)(?:export|readonly|declare|typeset)\s|^(?:"[^"]*"|'[^']*')[;&|]/.test(written)) return true;
  return /(?:;|&&?|\|\|?)(?:\s|$)|\s(?:;|&&?|\|\|?)|\s[A-Za-z_]\w*=/.test(written);
}

/** Whether the value goes on in the next line, for a shell and for systemd. */
function goesOn({ quote, written }: Assignment): boolean {
  return quote === '' && written.endsWith('\\');
}

function rewrite(text: string, assignments: readonly Assignment[], bytes: string): string {
  let changed = '';
  let done = 0;
  for (const { start, end, quote } of assignments) {
    changed += text.slice(done, start) + quoteValue(bytes, quote);
    // A shell would treat a `#` directly after the value as part of it.
    if (text[end] === '#') changed += ' ';
    done = end;
  }
  return changed + text.slice(done);
}

function appendLine(text: string, line: string): string {
  const lineBreak = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  return `${text}${endsLine(text) ? '' : lineBreak}${line}${lineBreak}`;
}

/** Whether text that is added at the end begins a line, also after only a byte order mark. */
function endsLine(text: string): boolean {
  return /^(?:\xEF\xBB\xBF)?$|[\r\n]$/.test(text);
}
