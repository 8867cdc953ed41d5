import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputMask } from '../../src/cli/mask-output.ts';

const mask = '••••';

/** The output for each chunk of input. */
async function passed(values: readonly string[], chunks: readonly Buffer[]): Promise<Buffer[]> {
  const output = new OutputMask();
  for (const value of values) output.hide(value);
  async function* given() {
    yield* chunks;
  }
  const out: Buffer[] = [];
  for await (const chunk of output.pass(given())) out.push(chunk);
  return out;
}

/** The plain replacement on the whole text: leftmost first, and the longest of those that begin at the same place. */
function replaced(text: string, values: readonly string[]): string {
  const longestFirst = values.filter((value) => value !== '').sort((a, b) => b.length - a.length);
  let out = '';
  for (let at = 0; at < text.length;) {
    const value = longestFirst.find((one) => text.startsWith(one, at));
    out += value === undefined ? text.charAt(at) : mask;
    at += value?.length ?? 1;
  }
  return out;
}

/** Bytes cut at places, each a share of the whole. */
function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = [
    0,
    ...shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

// Few letters, so that tokens overlap themselves and each other.
const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 });
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe('masked output', () => {
  it('is the plain replacement of the whole text, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'b', '•'), maxLength: 40 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        shares,
        async (text, values, places) => {
          const out = await passed(values, cut(Buffer.from(text), places));
          expect(Buffer.concat(out).toString()).toBe(replaced(text, values));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is the same for values as long as tokens, between any other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[ABab01._~+/-]{20,300}$/),
        fc.array(fc.oneof(fc.constant('value'), fc.constant('beginning'), fc.uint8Array({ maxLength: 50 })), {
          maxLength: 8,
        }),
        shares,
        async (value, parts, places) => {
          const beginning = value.slice(0, value.length / 2);
          const bytesOf = (part: (typeof parts)[number]): Uint8Array =>
            typeof part === 'string' ? Buffer.from(part === 'value' ? value : beginning) : part;
          const bytes = Buffer.concat(parts.map(bytesOf));
          const out = await passed([value], cut(bytes, places));
          // latin1: every byte is one character, so that no byte is changed by the comparison.
          const maskBytes = Buffer.from(mask).toString('latin1');
          expect(Buffer.concat(out).toString('latin1')).toBe(
            bytes.toString('latin1').replaceAll(value, maskBytes),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['aab', ['aa', 'ab'], `a${mask}`],
    ['aab', ['a', 'a', 'a', 'b'], `a${mask}`],
    ['abab', ['aba', 'bab'], `${mask}ab`],
    ['abac', ['ab', 'abac'], `ab${mask}`],
    ['aa', ['a', 'a', 'a'], `${mask}a`],
  ])('replaces %s in the chunks %o', async (value, chunks, expected) => {
    const out = await passed(
      [value],
      chunks.map((chunk) => Buffer.from(chunk)),
    );
    expect(Buffer.concat(out).toString()).toBe(expected);
  });

  it('holds nothing back but an end that may be the beginning of a value', async () => {
    const chunks = ['no ', 'rvx_', 'no rv', 'rvx_12', '34 ', 'rvx_'].map((chunk) => Buffer.from(chunk));
    const out = await passed(['rvx_1234'], chunks);
    expect(out.map(String)).toEqual(['no ', 'rvx_no ', 'rv', `${mask} `, 'rvx_']);
  });

  it('passes a chunk without a value on as it is, not as a copy', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const [out] = await passed(['rvx_1234'], [chunk]);
    expect(out?.buffer).toBe(chunk.buffer);
    expect(out).toHaveLength(chunk.length);
  });

  it('hides a token as soon as it is passed on, and the earlier ones still', async () => {
    const output = new OutputMask();
    output.hide('first');
    async function* given() {
      yield Buffer.from('first second|');
      output.hide('second');
      yield Buffer.from('first sec');
      yield Buffer.from('ond');
    }
    let out = '';
    for await (const chunk of output.pass(given())) out += chunk.toString();
    expect(out).toBe(`${mask} second|${mask} ${mask}`);
  });

  it('hides nothing for a value that is empty', async () => {
    expect((await passed([''], [Buffer.from('all of it')])).map(String)).toEqual(['all of it']);
  });
});
