import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it, vi } from 'vitest';
import { ScheduleException } from '../../../src/contract/menu/schedule.ts';
import { planImport } from '../../../src/core/schedule/change-schedule.ts';
import { readCalendar } from '../../../src/core/schedule/read-calendar.ts';

const options = { zone: 'Europe/Berlin', nowMs: Date.parse('2026-11-27T12:00:00Z') };

const calendarOf = (...events: (readonly string[])[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

function read(text: string) {
  const calendar = readCalendar(text, options);
  if (!calendar.ok) return calendar.refusal;
  const { days, leftOut } = calendar.value;
  return [
    ...days.map(({ date, name }) => `${date} ${name}`),
    ...leftOut.map(({ date, name, why }) => `${why}: ${date} ${name}`),
  ];
}

const eventOf = (...lines: string[]) => read(calendarOf([...lines, 'SUMMARY:Day off']));

describe('an event of whole days', () => {
  it.each([
    // The end is the day after the last (RFC 5545 section 3.6.1), which many programs read as the last:
    // github.com/nextcloud/calendar/issues/888, formax68/memoChron/issues/26, danielegobbetti/ICSImport/issues/14.
    [
      'one day with its end',
      ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261226'],
      ['2026-12-25 Day off'],
    ],
    [
      'several days',
      ['DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270103'],
      ['2026-12-31 Day off', '2027-01-01 Day off', '2027-01-02 Day off'],
    ],
    // etalab/jours-feries-france-data/pull/5.
    ['no end', ['DTSTART;VALUE=DATE:20261225'], ['2026-12-25 Day off']],
    // The last day where the day after it belongs: home-assistant/core/issues/87390.
    [
      'an end on its first day',
      ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261225'],
      ['2026-12-25 Day off'],
    ],
    [
      'a duration',
      ['DTSTART;VALUE=DATE:20261225', 'DURATION:P2D'],
      ['2026-12-25 Day off', '2026-12-26 Day off'],
    ],
    ['a duration in minutes', ['DTSTART:20261225T000000', 'DURATION:PT1440M'], ['2026-12-25 Day off']],
    // With zeros for what it has not.
    ['a duration in full', ['DTSTART:20261225T000000', 'DURATION:P1DT0H0M0S'], ['2026-12-25 Day off']],
    ['a duration in hours', ['DTSTART;VALUE=DATE:20261225', 'DURATION:PT24H'], ['2026-12-25 Day off']],
    // As an end on its first day.
    ['a duration of no days', ['DTSTART;VALUE=DATE:20261225', 'DURATION:P0D'], ['2026-12-25 Day off']],
    ['a duration of no hours', ['DTSTART;VALUE=DATE:20261225', 'DURATION:PT0H'], ['2026-12-25 Day off']],
    // AnandChowdhary/calendar-link writes no VALUE=DATE.
    ['a date that is not said to be one', ['DTSTART:20261225', 'DTEND:20261226'], ['2026-12-25 Day off']],
    // insanum/gcalcli/issues/328.
    [
      'a date with a time of no meaning',
      ['DTSTART;VALUE=DATE:20261227T000000Z', 'DTEND;VALUE=DATE:20261229T000000Z'],
      ['2026-12-27 Day off', '2026-12-28 Day off'],
    ],
    // Outlook; the names of its zones are its own, and may be German: nextcloud/calendar/issues/1176.
    [
      'midnight to midnight in a zone of Outlook',
      [
        'DTSTART;TZID="Mitteleuropäische Zeit":20261225T000000',
        'DTEND;TZID="Mitteleuropäische Zeit":20261227T000000',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ],
      ['2026-12-25 Day off', '2026-12-26 Day off'],
    ],
    [
      'midnight to midnight in the zone of nobody',
      ['DTSTART:20261225T000000', 'DTEND:20261226T000000'],
      ['2026-12-25 Day off'],
    ],
    [
      'midnight to a minute before midnight',
      ['DTSTART:20261225T000000', 'DTEND:20261225T235959'],
      ['2026-12-25 Day off'],
    ],
    // Midnight in Berlin, written in UTC.
    [
      'midnight in UTC of the own zone',
      ['DTSTART:20261224T230000Z', 'DTEND:20261225T230000Z'],
      ['2026-12-25 Day off'],
    ],
    // Calendars of holidays are marked as free time.
    ['free time', ['DTSTART;VALUE=DATE:20261225', 'TRANSP:TRANSPARENT'], ['2026-12-25 Day off']],
    ['today', ['DTSTART;VALUE=DATE:20261127'], ['2026-11-27 Day off']],
    [
      'the last year that can be written',
      ['DTSTART;VALUE=DATE:99991231', 'DURATION:P2D'],
      ['9999-12-31 Day off'],
    ],
    [
      'a span that began before today',
      ['DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261129'],
      ['2026-11-27 Day off', '2026-11-28 Day off'],
    ],
  ])('with %s', (_what, lines, expected) => {
    expect(eventOf(...lines)).toEqual(expected);
  });

  it.each([
    ['not_all_day', ['DTSTART:20261225T100000', 'DTEND:20261225T120000']],
    ['not_all_day', ['DTSTART:20261225T000000']],
    ['not_all_day', ['DTSTART:20261225T000000Z', 'DTEND:20261226T000000Z']],
    ['not_all_day', ['DTSTART;VALUE=DATE:20261225', 'DURATION:PT4H']],
    ['not_all_day', ['DTSTART;VALUE=DATE:20261225', 'DURATION:P1DT1M']],
    ['not_all_day', ['DTSTART:20261225T000000', 'DURATION:PT0S']],
    ['too_long', ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20280101']],
    ['past', ['DTSTART;VALUE=DATE:20261126']],
    ['cancelled', ['DTSTART;VALUE=DATE:20261225', 'STATUS:CANCELLED']],
    [
      'observance',
      ['DTSTART;VALUE=DATE:20270214', 'DESCRIPTION:Observance\\nTo hide observances\\, go to Settings'],
    ],
    ['too_often', ['DTSTART;VALUE=DATE:20261125', 'RRULE:FREQ=WEEKLY;BYDAY=WE']],
    ['past', ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30']],
    ['too_often', ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1']],
    ['too_often', ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;BYDAY=MO']],
    // The iterator of the library does not come back from these.
    ['too_often', ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=SECONDLY;BYMONTH=6']],
    ['too_often', ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30']],
    ['past', ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-30;BYDAY=MO']],
    ['past', ['DTSTART;VALUE=DATE:20000101', 'RRULE:FREQ=DAILY;COUNT=5000']],
    ['damaged', ['DTSTART;VALUE=DATE:20269999']],
    ['damaged', ['DTSTART;VALUE=DATE:20260230']],
    ['damaged', ['DTSTART;VALUE=DATE:soon']],
    ['damaged', ['LOCATION:nowhere']],
    ['damaged', ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261201']],
    ['damaged', ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=SOMETIMES']],
  ])('is left out as %s: %o', (why, lines) => {
    expect(eventOf(...lines)).toEqual([expect.stringMatching(new RegExp(`^${why}: .* Day off$`))]);
  });
});

describe('an event of every year', () => {
  it('is a yearly exception where its date is the same each year', () => {
    // MagicMirrorOrg/MagicMirror/issues/2118: it began years ago.
    expect(eventOf('DTSTART;VALUE=DATE:20120831', 'DTEND;VALUE=DATE:20120901', 'RRULE:FREQ=YEARLY')).toEqual([
      '08-31 Day off',
    ]);
    expect(
      eventOf(
        'DTSTART;VALUE=DATE:20001225',
        'DTEND;VALUE=DATE:20001227',
        'RRULE:FREQ=YEARLY;INTERVAL=1;BYMONTH=12;BYMONTHDAY=25',
      ),
    ).toEqual(['12-25 Day off', '12-26 Day off']);
    expect(eventOf('DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY')).toEqual(['02-29 Day off']);
  });

  it('has the dates of the coming five years where they differ', () => {
    // The fourth Thursday of November.
    expect(eventOf('DTSTART;VALUE=DATE:20101125', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH')).toEqual([
      '2027-11-25 Day off',
      '2028-11-23 Day off',
      '2029-11-22 Day off',
      '2030-11-28 Day off',
      '2031-11-27 Day off',
    ]);
    // Outlook writes the first Monday of September so.
    const labourDay = [
      'DTSTART;VALUE=DATE:20100906',
      'RRULE:FREQ=YEARLY;BYDAY=MO;BYMONTH=9;BYSETPOS=1;COUNT=19',
    ];
    expect(eventOf(...labourDay)).toEqual(['2027-09-06 Day off', '2028-09-04 Day off']);
    expect(
      eventOf('DTSTART;VALUE=DATE:20250526', 'RRULE:FREQ=YEARLY;INTERVAL=2;BYMONTH=5;BYDAY=-1MO'),
    ).toEqual(['2027-05-31 Day off', '2029-05-28 Day off', '2031-05-26 Day off']);
    expect(eventOf('DTSTART;VALUE=DATE:20261228', 'RRULE:FREQ=DAILY;COUNT=3')).toEqual([
      '2026-12-28 Day off',
      '2026-12-29 Day off',
      '2026-12-30 Day off',
    ]);
    expect(eventOf('DTSTART;VALUE=DATE:20251225', 'RRULE:FREQ=YEARLY;UNTIL=20271231')).toEqual([
      '2026-12-25 Day off',
      '2027-12-25 Day off',
    ]);
    expect(eventOf('DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;COUNT=2')).toEqual([
      '2026-12-25 Day off',
      '2027-12-25 Day off',
    ]);
    expect(eventOf('DTSTART;VALUE=DATE:20001225', 'RRULE:FREQ=YEARLY;COUNT=2')).toEqual([
      'past: 2000-12-25 Day off',
    ]);
  });

  it('leaves out the dates that were taken out or moved', () => {
    const master = ['UID:one', 'DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;COUNT=3', 'SUMMARY:Party'];
    expect(read(calendarOf([...master, 'EXDATE;VALUE=DATE:20271225', 'RDATE;VALUE=DATE:20270101']))).toEqual([
      '2026-12-25 Party',
      '2028-12-25 Party',
      '2027-01-01 Party',
    ]);
    const moved = [
      'UID:one',
      'RECURRENCE-ID;VALUE=DATE:20271225',
      'DTSTART;VALUE=DATE:20271227',
      'SUMMARY:Party, later',
    ];
    expect(read(calendarOf(master, moved))).toEqual([
      '2026-12-25 Party',
      '2028-12-25 Party',
      '2027-12-27 Party, later',
    ]);
  });

  // Exchange and Outlook write them as instants: jens-maus/node-ical#456, tutao/tutanota#5318.
  it.each([
    ['an instant in UTC', 'EXDATE:20271224T230000Z'],
    ['a midnight in UTC', 'EXDATE:20271225T000000Z'],
    ['a local time', 'EXDATE;TZID="W. Europe Standard Time":20271225T000000'],
    ['a local time without a zone', 'EXDATE:20271225T000000'],
  ])('leaves out a date that was taken out as %s', (_what, line) => {
    const master = ['DTSTART;TZID=Europe/Berlin:20261225T000000', 'DTEND;TZID=Europe/Berlin:20261226T000000'];
    expect(eventOf(...master, 'RRULE:FREQ=YEARLY;COUNT=3', line)).toEqual([
      '2026-12-25 Day off',
      '2028-12-25 Day off',
    ]);
    const days = ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;COUNT=3', line];
    expect(eventOf(...days)).toEqual(['2026-12-25 Day off', '2028-12-25 Day off']);
  });

  it.each([
    ['Asia/Tokyo', '20261223T150000Z'],
    ['America/New_York', '20261224T050000Z'],
    // One that is not known here: that of the schedule.
    ['Tokyo Standard Time of nobody', '20261223T230000Z'],
  ])('leaves out a date that was taken out in UTC, of the zone of its event: %s', (zone, instant) => {
    const days = [`DTSTART;TZID=${zone}:20261223T000000`, 'DURATION:P1D', 'RRULE:FREQ=DAILY;COUNT=3'];
    expect(eventOf(...days, `EXDATE:${instant}`)).toEqual(['2026-12-23 Day off', '2026-12-25 Day off']);
  });

  it('leaves out a date that was moved, which is named in UTC', () => {
    const master = [
      'UID:one',
      'DTSTART:20261224T230000Z',
      'DTEND:20261225T230000Z',
      'RRULE:FREQ=YEARLY;COUNT=2',
    ];
    const moved = ['UID:one', 'RECURRENCE-ID:20271224T230000Z', 'DTSTART;VALUE=DATE:20271227'];
    expect(read(calendarOf(master, moved))).toEqual(['2026-12-25 ', '2027-12-27 ']);
  });
});

describe('a calendar file that is not whole', () => {
  const day = (date: string) => ['BEGIN:VEVENT', `DTSTART;VALUE=DATE:${date}`, `SUMMARY:${date}`];
  const lines = ['BEGIN:VCALENDAR', ...day('20261224'), ...day('20261225'), ...day('20261226')];

  // As Outlook has published them: pimutils/vdirsyncer#1102, derekantrican/GAS-ICS-Sync#386.
  it('is read where only the last event ends, or only the calendar', () => {
    const days = ['2026-12-24 20261224', '2026-12-25 20261225', '2026-12-26 20261226'];
    expect(read([...lines, 'END:VEVENT'].join('\r\n'))).toEqual(days);
    expect(read([...lines, 'END:VCALENDAR'].join('\r\n'))).toEqual(days);
  });

  it('says of an event that it is cut off', () => {
    expect(read(lines.join('\r\n'))).toEqual([
      '2026-12-24 20261224',
      '2026-12-25 20261225',
      'damaged: null 20261226',
    ]);
  });
});

describe('a calendar file', () => {
  const plain = calendarOf(['DTSTART;VALUE=DATE:20261225', 'SUMMARY;LANGUAGE=de:1. Weihnachtstag']);

  it.each([
    // franc6/ics_calendar/issues/75: the holidays of New South Wales begin with a byte order mark.
    ['a byte order mark', `\ufeff${plain}`],
    ['line feeds only', plain.replaceAll('\r\n', '\n')],
    ['lower case', plain.replace('BEGIN:VEVENT', 'begin:vevent').replace('END:VEVENT', 'end:vevent')],
    [
      'folded lines',
      plain.replace('Weihnachtstag', 'Weihnachts\r\n tag').replace('VALUE=DATE:', 'VALUE=D\r\n\tATE:'),
    ],
    // tritech/node-icalendar/issues/6: Outlook 2010.
    ['blank lines', plain.replaceAll('\r\n', '\r\n\r\n')],
    // tutao/tutanota/issues/3379.
    [
      'a continued line that is not indented',
      plain.replace('SUMMARY', 'LOCATION: this is\r\nnot indented\r\nSUMMARY'),
    ],
    ['a damaged reminder', plain.replace('SUMMARY', 'BEGIN:VALARM\r\nTRIGGER;=:-P\r\nEND:VALARM\r\nSUMMARY')],
    ['several calendars', calendarOf() + plain],
    [
      'a time zone of 1601',
      plain.replace(
        'BEGIN:VEVENT',
        'BEGIN:VTIMEZONE\r\nTZID:X\r\nBEGIN:STANDARD\r\nDTSTART:16011028T030000\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT',
      ),
    ],
  ])('with %s is read', (_what, text) => {
    expect(read(text)).toEqual(['2026-12-25 1. Weihnachtstag']);
  });

  it('joins the names of events on one day, without what no name may have', () => {
    const on = (name: string) => ['DTSTART;VALUE=DATE:20261225', `SUMMARY:${name}`];
    expect(
      read(calendarOf(on('Christmas\\, first'), on(''), on('Day\\nof\u200b rest'), on('Day of rest'))),
    ).toEqual(['2026-12-25 Christmas, first, Day of rest']);
    expect(read(calendarOf(on('\u{1f384}'.repeat(80))))).toEqual([`2026-12-25 ${'\u{1f384}'.repeat(49)}…`]);
  });

  it.each(['', 'BEGIN:VCARD\r\nEND:VCARD', '<html>404</html>', 'BEGIN:VEVENT\r\nEND:VEVENT'])(
    'is not %o',
    (text) => {
      expect(read(text)).toBe('not_a_calendar');
    },
  );

  it('leaves out a damaged event under its name, and reads the others', () => {
    const damaged = ['DTSTART;VALUE=DATE:20261224', 'RRULE:FREQ=SOMETIMES', 'SUMMARY:Eve'];
    expect(
      read(plain.replace('END:VCALENDAR', calendarOf(damaged).split('\r\n').slice(2).join('\r\n'))),
    ).toEqual(['2026-12-25 1. Weihnachtstag', 'damaged: null Eve']);
  });

  it('is read with bounded work, whatever its rules and dates are', () => {
    const rule = ['DTSTART;VALUE=DATE:19000101', 'RRULE:FREQ=YEARLY;BYMONTHDAY=-1;BYDAY=TH;COUNT=9999'];
    const rdate = ['DTSTART;VALUE=DATE:20261225', `RDATE;VALUE=DATE:${'20261226,'.repeat(20_000)}20261226`];
    const found = read(calendarOf(...Array.from({ length: 2000 }, () => rule), rdate));
    // The first of them are followed.
    expect(found).toContain('2026-12-31 ');
    expect(found).toContain('too_often: 1900-01-01 ');
    expect(found).toContain('too_often: 2026-12-25 ');
    expect(found.length).toBeGreaterThan(1990);
  });

  it('leaves out rules of endless days and of endless intervals, and reads the others', () => {
    const endless = [
      'DTSTART;VALUE=DATE:00010101',
      'RRULE:FREQ=YEARLY;COUNT=999999;BYDAY=MO,TU,WE,TH,FR,SA,SU',
      'SUMMARY:Endless',
    ];
    const rare = ['DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=DAILY;INTERVAL=999999999999', 'SUMMARY:Rare'];
    const holiday = [
      'DTSTART;VALUE=DATE:20261126',
      'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2',
      'SUMMARY:Thanks',
    ];
    expect(read(calendarOf(endless, endless, endless, rare, holiday))).toEqual([
      '2027-11-25 Thanks',
      'too_often: 0001-01-01 Endless',
      'too_often: 0001-01-01 Endless',
      'too_often: 0001-01-01 Endless',
      'too_often: 2026-01-01 Rare',
    ]);
  });

  it('follows the first of very many events that recur, and leaves out the others', () => {
    const long = [
      'DTSTART;VALUE=DATE:20261201',
      'DTEND;VALUE=DATE:20270201',
      'RRULE:FREQ=DAILY;INTERVAL=40;COUNT=5',
      'SUMMARY:Long',
    ];
    const found = read(calendarOf(...Array.from({ length: 100 }, () => long)));
    expect(found).toContain('2026-12-01 Long');
    expect(found.slice(-60)).toEqual(Array(60).fill('too_often: 2026-12-01 Long'));
  });

  it('has room for a hundred holidays on other dates each year', () => {
    const holiday = (_: unknown, at: number) => [
      'DTSTART;VALUE=DATE:19700101',
      'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
      `SUMMARY:${at}`,
    ];
    expect(read(calendarOf(...Array.from({ length: 100 }, holiday)))).toHaveLength(5);
  });

  it('remembers the replaced dates of an event once, however many events have its id', () => {
    const text = calendarOf(
      ...Array.from({ length: 200 }, () => [
        'UID:one',
        'DTSTART;VALUE=DATE:20261225',
        'RECURRENCE-ID;VALUE=DATE:20261224',
        'RDATE;VALUE=DATE:20261226',
      ]),
    );
    const remembered = vi.spyOn(Set.prototype, 'add');
    try {
      expect(read(text)).toEqual(['2026-12-25 ', '2026-12-26 ']);
      expect(remembered.mock.calls.filter(([date]) => date === '2026-12-24').length).toBeLessThanOrEqual(200);
    } finally {
      remembered.mockRestore();
    }
  });

  it('has a limit of events, which is looked at before any is parsed', () => {
    const one = ['DTSTART;VALUE=DATE:20261225'];
    const parsed = vi.spyOn(ICAL, 'parse');
    try {
      expect(read(calendarOf(...Array.from({ length: 5001 }, () => one)))).toBe('too_many_events');
      expect(parsed).not.toHaveBeenCalled();
    } finally {
      parsed.mockRestore();
    }
  });

  it('never crashes, and what it reads can be stored', () => {
    const value = fc.oneof(
      fc.constantFrom(
        '20261225',
        '20261225T000000',
        '20261225T000000Z',
        '99999999',
        'P1D',
        'FREQ=YEARLY',
        'FREQ=DAILY;COUNT=3',
      ),
      fc.string({ maxLength: 12 }),
    );
    const line = fc
      .tuple(
        fc.constantFrom(
          'DTSTART',
          'DTEND',
          'DURATION',
          'RRULE',
          'RDATE',
          'EXDATE',
          'RECURRENCE-ID',
          'UID',
          'SUMMARY',
          'STATUS',
          'BEGIN',
          'END',
        ),
        fc.constantFrom('', ';VALUE=DATE', ';TZID=Europe/Berlin', ';X'),
        value,
      )
      .map(([name, parameter, text]) => `${name}${parameter}:${text}`);
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 6 }), { maxLength: 4 }), (events) => {
        const calendar = readCalendar(calendarOf(...events), options);
        if (!calendar.ok) return;
        for (const { date, name } of calendar.value.days)
          expect(ScheduleException.safeParse({ date, name, ranges: [] }).success, `${date} ${name}`).toBe(
            true,
          );
      }),
      { numRuns: 500 },
    );
  });
});

describe('planImport', () => {
  it('adds days, renames those that are closed already, and never takes hours away', () => {
    const exceptions = [
      { date: '12-25', name: 'Christmas', ranges: [] },
      { date: '2026-12-24', name: 'Eve', ranges: [] },
      { date: '2026-12-31', name: 'Short day', ranges: [{ from: '08:00', to: '12:00' }] },
      { date: '2020-01-01', name: 'Old', ranges: [] },
    ];
    const days = [
      { date: '2027-01-01', name: 'New Year' },
      { date: '2026-12-24', name: 'Christmas Eve' },
      { date: '2026-12-25', name: 'Christmas' },
      { date: '2026-12-31', name: 'New Year’s Eve' },
    ];
    const calendar = { days: [...days, { date: '2026-11-26', name: 'Over' }], leftOut: [] };
    const planned = planImport({ exceptions }, calendar, '2026-11-27');
    expect(planned).toMatchObject({
      added: [{ date: '2027-01-01', name: 'New Year' }],
      changed: [{ date: '2026-12-24', name: 'Christmas Eve', before: 'Eve' }],
      unchanged: 1,
      left_out: [
        { date: '2026-11-26', name: 'Over', why: 'past' },
        { date: '2026-12-31', name: 'New Year’s Eve', why: 'has_hours' },
      ],
    });
    expect(planned.exceptions).toHaveLength(5);
    expect(planImport(planned, calendar, '2026-11-27')).toMatchObject({
      added: [],
      changed: [],
      unchanged: 3,
    });
  });
});
