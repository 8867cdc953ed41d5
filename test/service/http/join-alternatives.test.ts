import fastJson from 'fast-json-stringify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../../src/contract/routes.ts';
import { joinAlternatives, type ReplySchema } from '../../../src/service/http/join-alternatives.ts';

/** The value after it was serialized by this schema and parsed. */
function sent(promise: z.ZodType, value: unknown): unknown {
  const schema = joinAlternatives(schemaOf(promise));
  expect(alternativesIn(schema), 'nothing is left to ask a validator for').toEqual([]);
  return JSON.parse(fastJson(schema as fastJson.Schema)(value));
}

function schemaOf(promise: z.ZodType): ReplySchema {
  return z.toJSONSchema(promise, { target: 'draft-7', io: 'output' }) as ReplySchema;
}

/** Where a schema has alternatives, as paths. */
function alternativesIn(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(Array.isArray(value) && ['anyOf', 'oneOf', 'allOf'].includes(name) ? [`${path}/${name}`] : []),
    ...(name === '$ref' && typeof value === 'string' ? [`${path}/${name}`] : []),
    ...alternativesIn(value, `${path}/${name}`),
  ]);
}

const shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), radius: z.number(), note: z.string().nullable() }),
  z.object({ kind: z.literal('box'), size: z.object({ w: z.number(), h: z.number() }), note: z.string() }),
  z.object({
    kind: z.literal('file'),
    size: z.object({ bytes: z.int() }),
    mode: z.enum(['r', 'w']).default('r'),
  }),
]);

describe('a reply with alternatives', () => {
  it('may be null where that is one of them', () => {
    const promise = z.object({
      hours: z.object({ from: z.string() }).nullable(),
      share: z.number().nullable(),
    });
    expect(sent(promise, { hours: null, share: null })).toEqual({ hours: null, share: null });
    expect(sent(promise, { hours: { from: '22:00' }, share: 0.5 })).toEqual({
      hours: { from: '22:00' },
      share: 0.5,
    });
  });

  it.each([
    { kind: 'circle', radius: 2, note: null },
    { kind: 'box', size: { w: 1, h: 2 }, note: 'a “box”' },
    { kind: 'file', size: { bytes: 3 }, mode: 'w' },
  ])('goes out as it is: $kind', (value) => {
    expect(sent(shape, value)).toEqual(value);
    expect(sent(z.array(shape.nullable()), [value, null])).toEqual([value, null]);
    expect(sent(z.record(z.string(), shape), { one: value })).toEqual({ one: value });
  });

  it('loses what none of them promises, at any depth', () => {
    const value = { kind: 'box', size: { w: 1, h: 2, secret: 'no' }, note: '', digest: 'no' };
    expect(sent(shape, value)).toEqual({ kind: 'box', size: { w: 1, h: 2 }, note: '' });
  });

  it('gets no field of another by its default', () => {
    expect(sent(shape, { kind: 'circle', radius: 1, note: 'n' })).not.toHaveProperty('mode');
  });

  it('keeps those of different types', () => {
    const promise = z.union([z.string(), z.object({ a: z.number() })]).nullable();
    const serialize = fastJson(joinAlternatives(schemaOf(promise)) as fastJson.Schema);
    expect(serialize(null)).toBe('null');
    expect(serialize('s')).toBe('"s"');
    expect(serialize({ a: 1 })).toBe('{"a":1}');
  });

  it('are written as they are where none has fields', () => {
    const promise = z.object({ numbers: z.union([z.literal('all'), z.array(z.string())]) });
    const joined = joinAlternatives(schemaOf(promise));
    expect(alternativesIn(joined, '')).toEqual([]);
    const serialize = fastJson(joined as fastJson.Schema);
    expect(serialize({ numbers: 'all' })).toBe('{"numbers":"all"}');
    expect(serialize({ numbers: ['1XX', '2"X'] })).toBe('{"numbers":["1XX","2\\"X"]}');
  });
});

it('no promise of the contract is left with alternatives', () => {
  const left = Object.entries(routes).flatMap(([name, { reply }]) =>
    alternativesIn(joinAlternatives(schemaOf(reply)), name),
  );
  expect(left).toEqual([]);
});
