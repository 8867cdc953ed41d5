import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instantMs, isoInstant } from '../../src/core/iso-instant.ts';

it('gives what the platform gives, for any whole millisecond from the year 0 to 9999', () => {
  const span = { min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') };
  fc.assert(
    fc.property(fc.integer(span), (ms) => {
      expect(isoInstant(ms)).toBe(new Date(ms).toISOString());
    }),
    { numRuns: 2000 },
  );
});

it('is read back as the same millisecond, also outside of those years', () => {
  const span = { min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 };
  fc.assert(
    fc.property(fc.integer(span), (ms) => {
      expect(instantMs(new Date(ms).toISOString())).toBe(ms);
    }),
    { numRuns: 2000 },
  );
});
