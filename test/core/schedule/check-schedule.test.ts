import { describe, expect, it } from 'vitest';
import { checkSchedule, pastExceptions } from '../../../src/core/schedule/check-schedule.ts';
import { knownTimeZone } from '../../../src/core/schedule/time-zone.ts';
import { hoursOf } from '../../fixtures/schedules.ts';

const at = Date.parse('2026-11-28T12:00Z');
const machineZone = 'Europe/Berlin';
const day = [{ from: '08:00', to: '17:00' }];
const wholeDay = [{ from: '00:00', to: '24:00' }];
const always = hoursOf({
  mon: wholeDay,
  tue: wholeDay,
  wed: wholeDay,
  thu: wholeDay,
  fri: wholeDay,
  sat: wholeDay,
  sun: wholeDay,
});
const codesOf = (hours: Parameters<typeof checkSchedule>[0], zone = machineZone) =>
  checkSchedule(hours, { at, machineZone: zone }).map(({ code }) => code);

describe('checkSchedule', () => {
  it('finds nothing in ordinary hours', () => {
    expect(codesOf(hoursOf({ mon: day }))).toEqual([]);
  });

  it.each([
    ['never open', hoursOf({}), ['never_open']],
    [
      'open on one later date',
      hoursOf({ exceptions: [{ date: '2031-05-01', name: 'Fair', ranges: day }] }),
      [],
    ],
    ['open on Feb 29 only', hoursOf({ exceptions: [{ date: '02-29', name: 'Leap day', ranges: day }] }), []],
    [
      'open on a past date only',
      hoursOf({ exceptions: [{ date: '2025-05-01', name: 'Fair', ranges: day }] }),
      ['never_open', 'past_exceptions'],
    ],
    ['always open', always, ['never_closed']],
    [
      'closed on one later date',
      { ...always, exceptions: [{ date: '2031-05-01', name: 'Fair', ranges: [] }] },
      [],
    ],
    [
      'an exception that is open all day',
      { ...always, exceptions: [{ date: '12-25', name: 'Christmas', ranges: wholeDay }] },
      ['never_closed'],
    ],
  ])('tells of hours that are %s', (_name, hours, codes) => {
    expect(codesOf(hours)).toEqual(codes);
  });

  it('compares what clocks show, not the names of zones', () => {
    expect(codesOf(hoursOf({ mon: day }), 'Europe/Paris')).toEqual([]);
    expect(codesOf(hoursOf({ mon: day }), 'Europe/London')).toEqual(['zone_differs']);
    // The same in winter: Tunis keeps no summer time.
    expect(codesOf(hoursOf({ mon: day }), 'Africa/Tunis')).toEqual(['zone_differs']);
    expect(codesOf({ ...hoursOf({ mon: day }), time_zone: 'Europe/Atlantis' })).toEqual(['zone_unknown']);
  });

  it('names exceptions that are over, but not one whose night may still go on', () => {
    const dates = ['2026-11-26', '2026-11-27', '2026-11-28', '2020-01-01', '01-01'];
    const exceptions = dates.map((date) => ({ date, name: date, ranges: [] }));
    expect(pastExceptions(hoursOf({ exceptions }), at)).toEqual(['2026-11-26', '2020-01-01']);
  });
});

describe('knownTimeZone', () => {
  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['+01:00', null],
    ['Europe/Berlin ', null],
    ['', null],
    ['toString', null],
  ])('reads %o as %o', (name, known) => {
    expect(knownTimeZone(name)).toBe(known);
    expect(knownTimeZone(name)).toBe(known);
  });
});
