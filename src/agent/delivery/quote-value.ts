import { VariableRefused } from './variable-refused.ts';

/** What stands around a value in a dotenv file; empty: nothing. */
export type Quote = '' | "'" | '"' | '`';

/**
 * What each style carries so that dotenv readers and `sh` read the same.
 *
 * Bare: no character that means something to a shell, such as `~`, nor a `#`. Single: literally, for both. Double: what
 * a shell would replace or unescape is out, since dotenv readers do neither. Backticks are read by dotenv readers only
 * (a shell would run them), so they are kept where they are and never begun.
 */
const carries: Readonly<Record<Quote, RegExp>> = {
  '': /^(?!=)[A-Za-z0-9_.\/+=:@%,-]*$/,
  "'": /^[^'\r\n\0]*$/,
  '"': /^[^"$`\\\r\n\0]*$/,
  '`': /^[^`\r\n\0]*$/,
};

/**
 * Writes a value in the style that stood there before if that can carry it, else in quotes that can.
 *
 * A backslash before the closing quote is refused: some readers would take that quote for a part of the value. Throws
 * `VariableRefused`.
 */
export function quoteValue(value: string, before: Quote): string {
  if (value.endsWith('\\')) throw new VariableRefused('VALUE_UNQUOTABLE');
  const quote = ([before, "'", '"'] as const).find((style) => carries[style].test(value));
  if (quote === undefined) throw new VariableRefused('VALUE_UNQUOTABLE');
  return `${quote}${value}${quote}`;
}
