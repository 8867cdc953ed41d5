import fc from 'fast-check';
import { expect, it } from 'vitest';
import { instantMs, isoInstant, outsideInstantMs } from '../../src/core/iso-instant.ts';

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

it('is written for any number, also one that no date can name', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (ms) => {
      const written = isoInstant(ms);
      expect(new Date(written).toISOString()).toBe(written);
    }),
  );
  expect(isoInstant(Infinity)).toBe('+275760-09-13T00:00:00.000Z');
  expect(isoInstant(1.9)).toBe('1970-01-01T00:00:00.001Z');
  expect(() => isoInstant(NaN)).toThrow('an instant is a number');
});

it('is taken from outside from 1970 to 9999, and is none before and after that', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.string(), fc.date().map(String)), (said) => {
      const ms = outsideInstantMs(said);
      if (ms === null) return;
      expect(isoInstant(ms)).toHaveLength(24);
      expect(ms).toBeGreaterThanOrEqual(0);
    }),
  );
  expect(outsideInstantMs('1970-01-01T00:00:00Z')).toBe(0);
  expect(outsideInstantMs('9999-12-31T23:59:59.999Z')).toBe(253_402_300_799_999);
  expect(outsideInstantMs('9999-12-31T23:59:59.999-00:01')).toBeNull();
  expect(outsideInstantMs(-1)).toBeNull();
});
