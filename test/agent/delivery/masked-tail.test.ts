import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MaskedTail } from '../../../src/agent/delivery/deliver-to-hook.ts';

const value = 'rvx_secret-value';

function tailOf(pieces: readonly string[], limitBytes = 2048, secret = value): string {
  const tail = new MaskedTail([secret], limitBytes);
  for (const piece of pieces) tail.add('stdout', Buffer.from(piece));
  return tail.end();
}

describe('the tail of an output', () => {
  it('has a mask wherever the value stood', () => {
    expect(tailOf([`a ${value} b\n${value}${value}\n`])).toBe('a •••• b\n••••••••');
  });

  it('masks a value that arrives in any pieces, and changes nothing else', () => {
    const text = fc
      .array(fc.constantFrom('ab', 'a', 'b', 'abcab', 'abcabd', 'x', 'é'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 6 }), (printed, cuts) => {
        const bytes = Buffer.from(printed);
        const tail = new MaskedTail(['abcabd'], 2048);
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ];
        for (const [index, place] of places.entries()) {
          tail.add('stdout', bytes.subarray(place, places[index + 1] ?? place));
        }
        expect(tail.end()).toBe(printed.replaceAll('abcabd', '••••'));
      }),
    );
  });

  it('masks a value in each of two streams that come in turns', () => {
    const tail = new MaskedTail([value], 2048);
    const [first, second] = [Buffer.from(value.slice(0, 7)), Buffer.from(value.slice(7))];
    for (const piece of [first, second]) {
      tail.add('stdout', piece);
      tail.add('stderr', piece);
    }
    expect(tail.end()).toBe('••••••••');
  });

  it('keeps the last bytes only, and never a part of a value that was cut through', () => {
    for (let before = 0; before < 40; before += 1) {
      const kept = tailOf([`${'x'.repeat(50)}${value}${'y'.repeat(before)}`], 30);
      expect(kept).toMatch(/^x*•*y*$/);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(30);
    }
  });

  it('masks what looks like an incompletely printed value', () => {
    expect(tailOf([`now ${value.slice(0, -1)}`])).toBe('now ••••');
  });

  it('keeps a beginning that is too short to be recognised', () => {
    expect(tailOf(['what is rvx_'])).toBe('what is rvx_');
  });

  it('leaves everything when there is no value', () => {
    expect(tailOf(['as it is'], 2048, '')).toBe('as it is');
  });
});
