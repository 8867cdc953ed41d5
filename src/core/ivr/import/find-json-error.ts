import type { JsonError, JsonExpectation } from '../../../contract/ivr-import.ts';

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
      const after = sign === '"' ? afterString(text, at) : null;
      if (after === null) return error('name');
      expecting = 'colon';
      at = after;
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      expecting = sign === '{' ? 'key or }' : 'value or ]';
      at += 1;
    } else {
      const after = sign === '"' ? afterString(text, at) : afterMatch(plainValue, text, at);
      if (after === null) return error(sign === '"' ? 'string_end' : 'value');
      expecting = open.length === 0 ? 'end' : 'next';
      at = after;
    }
  }

  function afterClosing(): Expecting {
    open.pop();
    return open.length === 0 ? 'end' : 'next';
  }
  function error(expected: JsonExpectation): JsonError {
    const before = text.slice(0, at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected };
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

function afterString(text: string, start: number): number | null {
  for (let at = start + 1; ; at += 1) {
    const sign = text[at];
    if (sign === undefined || sign < ' ') return null;
    if (sign === '"') return at + 1;
    if (sign !== '\\') continue;
    const after = afterMatch(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y, text, at);
    if (after === null) return null;
    at = after - 1;
  }
}

function afterMatch(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
