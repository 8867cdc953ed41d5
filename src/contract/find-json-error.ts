/** What a text must have at a place to be JSON. */
export type JsonExpectation =
  | 'value'
  | 'name'
  | 'colon'
  | 'comma_or_brace'
  | 'comma_or_bracket'
  | 'string_end'
  | 'end';

/** What stands there instead: a kind of sign and never the text itself, which may be a secret. */
export type JsonFound =
  | 'end'
  | 'comma'
  | 'colon'
  | 'opening'
  | 'closing'
  | 'text'
  | 'number'
  | 'word'
  | 'single_quote'
  | 'curly_quote'
  | 'comment'
  | 'mark'
  | 'sign'
  /* Within a text. */
  | 'line_break'
  | 'control'
  | 'backslash';

/** Where a text stops being JSON, counted from 1, what is expected there and what is found. */
export interface JsonError {
  readonly line: number;
  readonly column: number;
  readonly expected: JsonExpectation;
  readonly found: JsonFound;
}

type Expecting = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'next' | 'end';

/**
 * Finds the first position at which a text is not JSON (RFC 8259), or null if it is valid.
 *
 * Runtimes report the position in different ways or not at all. Parses without recursion, so deep nesting is safe.
 */
export function findJsonError(text: string): JsonError | null {
  const open: ('{' | '[')[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  for (;;) {
    at = afterMatch(/[ \t\n\r]*/y, text, at) ?? at;
    const sign = text[at];
    if (sign === undefined) return expecting === 'end' ? null : error(wanted(expecting, open));
    if (expecting === 'end') return error('end');
    if (expecting === 'colon') {
      if (sign !== ':') return error('colon');
      expecting = 'value';
      at += 1;
    } else if (expecting === 'next') {
      if (sign === ',') expecting = open.at(-1) === '{' ? 'key' : 'value';
      else if (sign === closing(open)) expecting = afterClosing();
      else return error(wanted(expecting, open));
      at += 1;
    } else if ((expecting === 'value or ]' && sign === ']') || (expecting === 'key or }' && sign === '}')) {
      expecting = afterClosing();
      at += 1;
    } else if (expecting === 'key' || expecting === 'key or }') {
      if (sign !== '"') return error('name');
      const string = readString(text, at);
      if (!string.isWhole) return error('string_end', string.found);
      expecting = 'colon';
      at = string.end;
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      expecting = sign === '{' ? 'key or }' : 'value or ]';
      at += 1;
    } else {
      const string = sign === '"' ? readString(text, at) : null;
      if (string?.isWhole === false) return error('string_end', string.found);
      const after = string?.end ?? afterMatch(plainValue, text, at);
      if (after === null) return error('value');
      expecting = open.length === 0 ? 'end' : 'next';
      at = after;
    }
  }

  function afterClosing(): Expecting {
    open.pop();
    return open.length === 0 ? 'end' : 'next';
  }
  function error(expected: JsonExpectation, found: JsonFound = foundAt(text, at)): JsonError {
    let line = 1;
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return { line, column: at - start + 1, expected, found };
  }
}

const plainValue = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function wanted(expecting: Expecting, open: readonly ('{' | '[')[]): JsonExpectation {
  if (expecting === 'next') return closing(open) === '}' ? 'comma_or_brace' : 'comma_or_bracket';
  if (expecting === 'colon') return 'colon';
  return expecting.startsWith('key') ? 'name' : 'value';
}

function closing(open: readonly ('{' | '[')[]): '}' | ']' {
  return open.at(-1) === '{' ? '}' : ']';
}

type StringRead =
  | { readonly isWhole: true; readonly end: number }
  | { readonly isWhole: false; readonly found: JsonFound };

function readString(text: string, start: number): StringRead {
  for (let at = start + 1; ; at += 1) {
    const sign = text[at];
    if (sign === '"') return { isWhole: true, end: at + 1 };
    if (sign === undefined || sign < ' ') return { isWhole: false, found: foundInString(sign) };
    if (sign !== '\\') continue;
    const after = afterMatch(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y, text, at);
    if (after === null) return { isWhole: false, found: 'backslash' };
    at = after - 1;
  }
}

function foundInString(sign: string | undefined): JsonFound {
  if (sign === undefined) return 'end';
  return sign === '\n' || sign === '\r' ? 'line_break' : 'control';
}

const signs: readonly (readonly [pattern: RegExp, found: JsonFound])[] = [
  [/,/y, 'comma'],
  [/:/y, 'colon'],
  [/[[{]/y, 'opening'],
  [/[\]}]/y, 'closing'],
  [/"/y, 'text'],
  [/[-+.]?\d/y, 'number'],
  [/'/y, 'single_quote'],
  [/[\u2018-\u201f\u00ab\u00bb]/y, 'curly_quote'],
  [/\/[/*]|#/y, 'comment'],
  [/\ufeff/y, 'mark'],
  [/[\p{L}_$]/uy, 'word'],
];

function foundAt(text: string, at: number): JsonFound {
  if (at >= text.length) return 'end';
  return signs.find(([pattern]) => afterMatch(pattern, text, at) !== null)?.[1] ?? 'sign';
}

function afterMatch(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
