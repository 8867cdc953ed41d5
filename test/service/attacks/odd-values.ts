/** What a caller may send in place of a value: everything JSON can express, and the most common mistakes. */
import fc from 'fast-check';

const texts = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '0x10',
    'NaN',
    'null',
    'true',
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\ud800',
    '\udc00\ud800',
    '\u202e',
    '\r\n',
    '../../etc/passwd',
    '${1+1}',
    '%s%n',
    'recording||1',
    'extension||',
    'hangup',
    'ivr:read',
    '127.0.0.1',
    '::ffff:127.0.0.1/96',
    '10.0.0.0/33',
    'fe80::1%lo',
    '0.0.0.0/0',
    '::/0',
    '2026-02-30T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '+275760-09-13T00:00:00Z',
    '9999-12-31T23:59:59+23:59',
    'Active',
  ),
  fc.integer({ min: 90, max: 2000 }).map((length) => 'x'.repeat(length)),
);

const numbers = fc.oneof(
  fc.integer({ min: -2, max: 130 }),
  fc.constantFrom(0, -0, 1.5, 1e21, -1e21, 1e308, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, 2 ** 53),
);

/** An object that cannot be converted to a text or a number, and other misleading objects. */
const impostors = fc.constantFrom<unknown>(
  { toString: null },
  { toString: 1, valueOf: 1 },
  { valueOf: 'x' },
  { length: 3 },
  { then: 1 },
  { toJSON: 'x' },
  { constructor: { prototype: {} } },
  { hasOwnProperty: 1 },
  [[[[[[]]]]]],
  [null],
  [[1], [2]],
);

export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 3, arbitrary: numbers },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 3, arbitrary: impostors },
  { weight: 1, arbitrary: fc.array(texts, { maxLength: 20 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map(nested) },
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** A valid body with some of it replaced, removed, doubled or added; sometimes something completely different. */
export function mutationsOf(valid: unknown): fc.Arbitrary<unknown> {
  if (typeof valid !== 'object' || valid === null) return oddValues;
  const fields = Object.keys(valid);
  const anyField = fields.length === 0 ? fc.constant('x') : fc.constantFrom(...fields);
  const change = fc.oneof(
    { weight: 5, arbitrary: fc.record({ field: anyField, value: oddValues }) },
    { weight: 1, arbitrary: fc.record({ field: fc.string({ maxLength: 10 }), value: oddValues }) },
    { weight: 2, arbitrary: fc.record({ field: anyField, value: fc.constant(undefined) }) },
  );
  const changed = fc.array(change, { maxLength: 3 }).map((changes) => {
    const body = new Map<string, unknown>(Object.entries(structuredClone(valid)));
    for (const { field, value } of changes) {
      const old = body.get(field);
      // Half of the time a list stays a list and gets an odd member.
      if (Array.isArray(old) && fields.indexOf(field) % 2 === 0)
        body.set(field, [...(old as unknown[]), value]);
      else body.set(field, value);
    }
    return Object.fromEntries(body);
  });
  return fc.oneof({ weight: 6, arbitrary: changed }, { weight: 1, arbitrary: oddValues });
}
