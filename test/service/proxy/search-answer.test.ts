import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { searchedBody } from '../../../src/service/proxy/search-answer.ts';

/** What arrives of a body in parts of this many bytes. */
async function searched(body: string, { size, isHeld }: { readonly size: number; readonly isHeld: boolean }) {
  const bytes = Buffer.from(body);
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return text(searchedBody(Readable.from(parts), 'any', isHeld));
}

/** The shortest of several: the machine does other things, too. */
async function shortestMs(run: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const before = performance.now();
    await run();
    all.push(performance.now() - before);
  }
  return Math.min(...all);
}

describe('the search of an answer', () => {
  it.each([
    ['a text that is held', 'x', true],
    ['a stream without spaces', 'x', false],
    ['a stream of spaces', ' ', false],
    ['a stream of words', 'word ', false],
    ['a stream of beginnings', '"token" : ', false],
  ])('takes time that grows with the bytes, in parts of one byte: %s', async (_name, repeated, isHeld) => {
    const of = (bytes: number) => repeated.repeat(bytes / repeated.length);
    const [short, long] = [of(2_000), of(40_000)];
    expect(await searched(long, { size: 1, isHeld })).toBe(long);
    const few = await shortestMs(() => searched(short, { size: 1, isHeld }));
    const many = await shortestMs(() => searched(long, { size: 1, isHeld }));
    // Twenty times as many bytes; four hundred times as long where all of it is searched for each.
    expect(many / few).toBeLessThan(100);
  });

  it.each([1, 7, 4_096, 100_000])('finds a token in parts of %i bytes', async (size) => {
    for (const isHeld of [true, false])
      for (const filler of ['x ', ' ', 'x,']) {
        const before = filler.repeat(40_000);
        const leaking = searched(`${before}"glpat-${'a'.repeat(20)}" and more`, { size, isHeld });
        await expect(leaking).rejects.toThrow(expect.objectContaining({ name: 'TokenFound' }));
        const harmless = `${before}"glpat-" and more`;
        expect(await searched(harmless, { size, isHeld })).toBe(harmless);
      }
  });
});
