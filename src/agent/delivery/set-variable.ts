import { quoteValue } from './quote-value.ts';
import { type Assignment, readAssignments } from './read-assignments.ts';
import { VariableRefused } from './variable-refused.ts';

/**
 * Gives a variable of a dotenv file a value; every other byte stays as it is.
 *
 * Every assignment of it is changed: readers take the last one, and an old one left would mislead. Without any, a line
 * is added at the end. Proves by reading that this variable has the value and the others have theirs. Throws
 * `VariableRefused`.
 */
export function setVariable(content: Buffer, variable: string, value: string): Buffer {
  if (content.includes(0)) throw new VariableRefused('NOT_TEXT');
  const text = content.toString('latin1');
  const bytes = Buffer.from(value).toString('latin1');
  const before = readAssignments(text);
  const mine = before.filter((assignment) => assignment.variable === variable);
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

function rewrite(text: string, assignments: readonly Assignment[], bytes: string): string {
  let changed = '';
  let done = 0;
  for (const { start, end, quote } of assignments) {
    changed += text.slice(done, start) + quoteValue(bytes, quote);
    // For a shell, a `#` that touches the value would be a part of it.
    if (text[end] === '#') changed += ' ';
    done = end;
  }
  return changed + text.slice(done);
}

function appendLine(text: string, line: string): string {
  const lineBreak = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  return `${text}${endsLine(text) ? '' : lineBreak}${line}${lineBreak}`;
}

/** Whether what is added at the end begins a line: also after nothing but a byte order mark. */
function endsLine(text: string): boolean {
  return /^(?:\xEF\xBB\xBF)?$|[\r\n]$/.test(text);
}
