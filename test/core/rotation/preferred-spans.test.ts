import { describe, expect, it } from 'vitest';
import { preferredSpans } from '../../../src/core/rotation/due-at.ts';
import { zoneOf } from './zone-of.ts';

const berlin = zoneOf('Europe/Berlin');

/** The spans of a stretch of time as `day hour:minute` pairs in UTC. */
function spansBetween(from: string, until: string, hours: { from: string; to: string }): string[] {
  const within = { fromMs: Date.parse(from), untilMs: Date.parse(until) };
  const shown = (atMs: number) => new Date(atMs).toISOString().slice(8, 16).replace('T', ' ');
  return preferredSpans(hours, within, berlin).map(
    (span) => `${shown(span.fromMs)} - ${shown(span.untilMs)}`,
  );
}

describe('the preferred parts of a span', () => {
  it.each([
    ['one a day', '02:00', '04:00', ['02 00:00 - 02 02:00', '03 00:00 - 03 02:00']],
    ['a night in one piece', '23:00', '01:00', ['01 21:00 - 01 23:00', '02 21:00 - 02 23:00']],
    [
      'cut at the ends',
      '11:00',
      '13:00',
      ['01 10:00 - 01 11:00', '02 09:00 - 02 11:00', '03 09:00 - 03 10:00'],
    ],
    ['all of it, for the whole day', '09:30', '09:30', ['01 10:00 - 03 10:00']],
  ])('are %s', (_name, from, to, spans) => {
    expect(spansBetween('2026-06-01T10:00Z', '2026-06-03T10:00Z', { from, to })).toEqual(spans);
  });

  it('are two if an hour occurs twice', () => {
    const spans = spansBetween('2026-10-24T12:00Z', '2026-10-25T12:00Z', { from: '02:15', to: '02:45' });
    expect(spans).toEqual(['25 00:15 - 25 00:45', '25 01:15 - 25 01:45']);
  });

  it('are none where the hour is skipped, and what is left of hours that are skipped in part', () => {
    const spring = (from: string, to: string) =>
      spansBetween('2026-03-28T12:00Z', '2026-03-29T12:00Z', { from, to });
    expect(spring('02:15', '02:45')).toEqual([]);
    expect(spring('02:30', '04:00')).toEqual(['29 01:00 - 29 02:00']);
    expect(spring('01:30', '02:30')).toEqual(['29 00:30 - 29 01:00']);
  });

  it('are none of an empty span', () => {
    expect(spansBetween('2026-06-01T10:00Z', '2026-06-01T10:00Z', { from: '00:00', to: '00:00' })).toEqual(
      [],
    );
  });
});
