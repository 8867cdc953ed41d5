import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RotationPolicy, CredentialId } from '../../../src/contract/credential/credential.ts';
import {
  dueAt,
  preferredSpans,
  type TokenLifetime,
  type ZoneOffset,
} from '../../../src/core/rotation/due-at.ts';
import {
  anyFraction,
  anyHours,
  countsByTenth,
  dayMs,
  hourMs,
  lifetimeOf,
  thousandSeeds,
  unevenTenths,
  zoneOf,
} from './lifetimes.ts';
import { addCredential } from '../../../src/core/credential/store-token.ts';
import { State } from '../../../src/core/state.ts';
import { noon } from '../../fixtures/make-events.ts';

type Hours = NonNullable<RotationPolicy['preferred_hours']>;

const minuteMs = 60_000;
const fraction = 2 / 3;
const utc = () => 0;
const berlin = zoneOf('Europe/Berlin');
const newYork = zoneOf('America/New_York');

function hoursNamed(name: string): Hours {
  const [from = '', to = ''] = name.split('-');
  return { from, to };
}

function dueWithin(hours: string, lifetime: TokenLifetime, zone: ZoneOffset = utc, seed = 'crd_a:1'): number {
  return dueAt({ lifetime, policy: { fraction, preferred_hours: hoursNamed(hours) }, seed }, zone);
}

function idealOf(lifetime: TokenLifetime, seed = 'crd_a:1'): number {
  return dueAt({ lifetime, policy: { fraction, preferred_hours: null }, seed }, utc);
}

/** A lifetime of a week whose ideal instant is within six hours of the given one. */
function weekWithIdealAround(instant: string): TokenLifetime {
  return lifetimeOf(7 * dayMs, Date.parse(instant) - 7 * dayMs * fraction);
}

/** Whether local time is in one of the hours: the rule itself, minute by minute, without its arithmetic. */
function isPreferred(hours: Hours, atMs: number, zone: ZoneOffset): boolean {
  const shown = new Date(atMs + zone(atMs) * minuteMs).toISOString().slice(11, 16);
  if (hours.from === hours.to) return true;
  return hours.from < hours.to
    ? hours.from <= shown && shown < hours.to
    : hours.from <= shown || shown < hours.to;
}

describe('preferred hours', () => {
  const lifetime = lifetimeOf(7 * dayMs, Date.parse('2026-06-01T13:00:00Z'));

  it('move a rotation to the first of them after the ideal instant', () => {
    // Ideal: 6 June 05:00, 5.6 hours earlier or later.
    for (const seed of thousandSeeds) {
      const at = new Date(dueWithin('12:00-14:00', lifetime, utc, seed)).toISOString();
      expect(at).toMatch(/^2026-06-06T1[23]:/);
    }
  });

  it('leave it alone when it falls into them anyway', () => {
    for (const hours of ['20:00-19:00', '00:00-23:59', '22:00-12:00']) {
      expect(dueWithin(hours, lifetime)).toBe(idealOf(lifetime));
    }
  });

  it('that begin and end at the same time mean the whole day', () => {
    for (const time of ['00:00', '09:30', '23:59']) {
      for (const seed of thousandSeeds.slice(0, 50)) {
        expect(dueWithin(`${time}-${time}`, lifetime, berlin, seed)).toBe(idealOf(lifetime, seed));
      }
    }
  });

  it('are used in all their length: credentials do not meet at their first minute', () => {
    const dues = thousandSeeds.map((seed) => dueWithin('12:00-14:00', lifetime, utc, seed));
    const opening = Date.parse('2026-06-06T12:00:00Z');
    expect(unevenTenths(countsByTenth(dues, opening, opening + 2 * hourMs))).toEqual([]);
  });

  it('are used in all their length also by those alone whose jitter was early', () => {
    // Half of the ideal instants are before 05:00 and move, the others are already preferred.
    const moved = thousandSeeds.filter(
      (seed) => dueWithin('05:00-12:00', lifetime, utc, seed) !== idealOf(lifetime, seed),
    );
    const middle = Date.parse('2026-06-06T08:30:00Z');
    const late = moved.filter((seed) => dueWithin('05:00-12:00', lifetime, utc, seed) > middle);
    expect(moved.length).toBeGreaterThan(400);
    expect(late.length / moved.length).toBeGreaterThan(0.4);
    expect(late.length / moved.length).toBeLessThan(0.6);
  });

  it('may cross midnight, and are used on both sides of it', () => {
    const dues = thousandSeeds.map((seed) =>
      dueWithin('23:00-01:00', weekWithIdealAround('2026-06-10T15:00:00Z'), utc, seed),
    );
    const opening = Date.parse('2026-06-10T23:00:00Z');
    expect(unevenTenths(countsByTenth(dues, opening, opening + 2 * hourMs))).toEqual([]);
  });

  it('make a rotation earlier when the next ones begin too late in the lifetime', () => {
    // A day from 16:00: ideal around 08:00, the next 02:00 is after the end, the one before is 10 hours in.
    const day = lifetimeOf(dayMs, Date.parse('2026-06-01T16:00:00Z'));
    const dues = thousandSeeds.map((seed) => dueWithin('02:00-04:00', day, utc, seed));
    const opening = Date.parse('2026-06-02T02:00:00Z');
    expect(unevenTenths(countsByTenth(dues, opening, opening + 2 * hourMs))).toEqual([]);
  });

  it('never make it earlier by more than half of the wait', () => {
    // The hours end after half of the wait, but begin before it.
    const day = lifetimeOf(dayMs, Date.parse('2026-06-01T18:30:00Z'));
    for (const seed of thousandSeeds) {
      const wait = idealOf(day, seed) - day.obtainedAtMs;
      expect(dueWithin('02:00-04:00', day, utc, seed) - day.obtainedAtMs).toBeGreaterThanOrEqual(
        Math.floor(wait / 2),
      );
    }
  });

  it.each([
    [
      'begin too late and ended too early',
      '02:00-04:00',
      lifetimeOf(dayMs, Date.parse('2026-06-01T03:00:00Z')),
    ],
    [
      'are nowhere near in ten seconds',
      '02:00-04:00',
      lifetimeOf(10_000, Date.parse('2026-06-01T12:00:00Z')),
    ],
  ])('that %s give way to the ideal instant', (_name, hours, short) => {
    for (const seed of thousandSeeds) expect(dueWithin(hours, short, utc, seed)).toBe(idealOf(short, seed));
  });
});

describe('where the clock changes, preferred hours', () => {
  // One minute wide, so that there is one answer.
  it.each([
    // Berlin, 29 March 2026: 02:00 becomes 03:00.
    [
      'Berlin in March, the last minute before',
      berlin,
      '2026-03-28T12:00Z',
      '01:59-02:00',
      '2026-03-29T00:59',
    ],
    [
      'Berlin in March, the skipped hour: next day',
      berlin,
      '2026-03-28T12:00Z',
      '02:30-02:31',
      '2026-03-30T00:30',
    ],
    [
      'Berlin in March, the first minute after',
      berlin,
      '2026-03-28T12:00Z',
      '03:00-03:01',
      '2026-03-29T01:00',
    ],
    ['Berlin in March, the evening after', berlin, '2026-03-29T12:00Z', '23:00-23:01', '2026-03-29T21:00'],
    // Berlin, 25 October 2026: 03:00 becomes 02:00.
    [
      'Berlin in October, the last minute before',
      berlin,
      '2026-10-24T12:00Z',
      '01:59-02:00',
      '2026-10-24T23:59',
    ],
    [
      'Berlin in October, the double hour: its first',
      berlin,
      '2026-10-24T12:00Z',
      '02:30-02:31',
      '2026-10-25T00:30',
    ],
    [
      'Berlin in October, the first minute after',
      berlin,
      '2026-10-24T12:00Z',
      '03:00-03:01',
      '2026-10-25T02:00',
    ],
    ['Berlin in October, the evening after', berlin, '2026-10-25T12:00Z', '23:00-23:01', '2026-10-25T22:00'],
    // New York, 8 March 2026: 02:00 becomes 03:00.
    [
      'New York in March, the last minute before',
      newYork,
      '2026-03-07T18:00Z',
      '01:59-02:00',
      '2026-03-08T06:59',
    ],
    [
      'New York in March, the skipped hour: next day',
      newYork,
      '2026-03-07T18:00Z',
      '02:30-02:31',
      '2026-03-09T06:30',
    ],
    [
      'New York in March, the first minute after',
      newYork,
      '2026-03-07T18:00Z',
      '03:00-03:01',
      '2026-03-08T07:00',
    ],
    // New York, 1 November 2026: 02:00 becomes 01:00.
    [
      'New York in November, the double hour: its first',
      newYork,
      '2026-10-31T18:00Z',
      '01:30-01:31',
      '2026-11-01T05:30',
    ],
    [
      'New York in November, the first minute after',
      newYork,
      '2026-10-31T18:00Z',
      '02:00-02:01',
      '2026-11-01T07:00',
    ],
  ])('hold: %s', (_name, zone, around, hours, minute) => {
    for (const seed of thousandSeeds.slice(0, 100)) {
      const at = dueWithin(hours, weekWithIdealAround(around), zone, seed);
      expect(new Date(at).toISOString().slice(0, 16)).toBe(minute);
    }
  });

  it.each([
    ['a night that is an hour shorter', '2026-03-28T12:00Z', '2026-03-28T22:00Z', 7],
    ['a night that is an hour longer', '2026-10-24T12:00Z', '2026-10-24T21:00Z', 9],
  ])('spread over %s', (_name, around, opening, lengthHours) => {
    const lifetime = weekWithIdealAround(around);
    const dues = thousandSeeds.map((seed) => dueWithin('23:00-07:00', lifetime, berlin, seed));
    const from = Date.parse(opening);
    expect(unevenTenths(countsByTenth(dues, from, from + lengthHours * hourMs))).toEqual([]);
  });
});

/** A lifetime whose ideal instant comes near one of the clock changes, or anywhere else in the year. */
const lifetimeNearChange = fc
  .record({
    change: fc.constantFrom(
      '2026-03-08T07:00Z',
      '2026-03-29T01:00Z',
      '2026-10-25T01:00Z',
      '2026-11-01T06:00Z',
    ),
    awayMs: fc.integer({ min: -3 * dayMs, max: 3 * dayMs }),
    lifetimeMs: fc.oneof(
      fc.integer({ min: 10_000, max: 2 * dayMs }),
      fc.integer({ min: 2 * dayMs, max: 90 * dayMs }),
    ),
  })
  .map(({ change, awayMs, lifetimeMs }) =>
    lifetimeOf(lifetimeMs, Math.round(Date.parse(change) + awayMs - lifetimeMs * fraction)),
  );

/** The first instant of a span in or out of the hours. Membership changes on full minutes only, so none is missed. */
function firstInstant(
  wanted: 'in' | 'out',
  hours: Hours,
  span: [number, number],
  zone: ZoneOffset,
): number | null {
  const [fromMs, untilMs] = span;
  for (let at = fromMs; at < untilMs; at = (Math.floor(at / minuteMs) + 1) * minuteMs) {
    if (isPreferred(hours, at, zone) === (wanted === 'in')) return at;
  }
  return null;
}

it.each([
  ['Europe/Berlin', berlin],
  ['America/New_York', newYork],
  // Half an hour of summer time, and a quarter of an hour from the full hour.
  ['Australia/Lord_Howe', zoneOf('Australia/Lord_Howe')],
  ['Asia/Kathmandu', zoneOf('Asia/Kathmandu')],
])(
  'a rotation comes in the nearest preferred hours, or there are none from half of the wait to nine tenths of the lifetime: %s',
  (_name, zone) => {
    fc.assert(
      fc.property(lifetimeNearChange, anyFraction, anyHours, fc.string(), (lifetime, share, hours, seed) => {
        const ideal = dueAt({ lifetime, policy: { fraction: share, preferred_hours: null }, seed }, zone);
        const at = dueAt({ lifetime, policy: { fraction: share, preferred_hours: hours }, seed }, zone);
        const latest = lifetime.obtainedAtMs + (lifetime.expiresAtMs - lifetime.obtainedAtMs) * 0.9;
        const earliest = lifetime.obtainedAtMs + (ideal - lifetime.obtainedAtMs) / 2;

        const next = firstInstant('in', hours, [ideal, latest], zone);
        if (next === ideal) {
          expect(at).toBe(ideal);
        } else if (next !== null) {
          expect(at).toBeGreaterThanOrEqual(next);
          expect(at).toBeLessThan(latest);
          expect(firstInstant('out', hours, [next, at + 1], zone)).toBeNull();
        } else if (at < ideal) {
          expect(at).toBeGreaterThanOrEqual(Math.floor(earliest));
          expect(isPreferred(hours, at, zone)).toBe(true);
          const closing = firstInstant('out', hours, [at, ideal], zone) ?? ideal;
          expect(firstInstant('in', hours, [closing, ideal], zone)).toBeNull();
        } else {
          expect(at).toBe(ideal);
          expect(firstInstant('in', hours, [earliest, ideal], zone)).toBeNull();
        }
      }),
      { numRuns: 300 },
    );
  },
);

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

function policyOfAdded(state: State, policy?: Parameters<typeof addCredential>[1]['policy']) {
  const stored = {
    fingerprint: 'print',
    lifetime: { obtainedAtMs: noon, expiresAtMs: noon + 1000 },
    validityDays: null,
  };
  const id = 'cred_a' as CredentialId;
  const [event] = addCredential(state, { id, name: 'a', baseUrl: null, policy, stored }).events;
  return event?.kind === 'credential.added' ? event.data.policy : undefined;
}

describe('the policy of a credential that is added', () => {
  const byNight = { from: '02:00', to: '05:00' };

  it('is two thirds of its lifetime, at any hour, when nothing is set', () => {
    expect(policyOfAdded(new State())).toEqual({ fraction: 2 / 3, preferred_hours: null });
  });

  it('is the one of the settings, but for what it is added with', () => {
    const state = new State();
    state.setSettings({ ...state.settings, rotation_fraction: 0.5, rotation_preferred_hours: byNight });
    expect(policyOfAdded(state)).toEqual({ fraction: 0.5, preferred_hours: byNight });
    expect(policyOfAdded(state, { fraction: 0.8 })).toEqual({ fraction: 0.8, preferred_hours: byNight });
    expect(policyOfAdded(state, { preferred_hours: null })).toEqual({ fraction: 0.5, preferred_hours: null });
  });
});
