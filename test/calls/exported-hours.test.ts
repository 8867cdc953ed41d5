import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type {
  HoursState,
  ScheduleHours,
  ScheduleId,
  ScheduleSwitch,
  WeeklyHours,
} from '../../src/contract/menu/schedule.ts';
import { hoursContext, switchFunction, switchValue } from '../../src/core/ivr/export/dialplan-hours.ts';
import { hoursAt } from '../../src/core/schedule/hours-at.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';

/**
 * The context of exported opening hours on a real Asterisk, which is told the time: `${EPOCH}` is replaced by an instant of the test, so
 * that one call asks thousands of instants. What Asterisk does at its own time is in `office-menus.test.ts`.
 */
let asterisk: Asterisk;
let callers: AsteriskCallers;

beforeAll(async () => {
  asterisk = await startAsterisk({ modules: ['func_db'] });
  callers = await AsteriskCallers.connect(asterisk);
});
afterAll(async () => {
  await callers.close();
  await asterisk.close();
});

const closed: WeeklyHours = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
const day = [{ from: '08:00', to: '17:00' }];
const office: ScheduleHours = {
  id: 'hrs_office' as ScheduleId,
  name: 'Office; [x] ${SHELL(id)}',
  time_zone: 'Europe/Berlin',
  weekly: {
    ...closed,
    mon: day,
    tue: [
      { from: '08:00', to: '12:00' },
      { from: '13:00', to: '17:00' },
    ],
    wed: day,
    thu: day,
    fri: day,
  },
  exceptions: [
    { date: '12-25', name: 'Christmas', ranges: [] },
    { date: '2026-12-25', name: 'Open once', ranges: [{ from: '10:00', to: '11:30' }] },
    { date: '2026-12-24', name: 'Half a day', ranges: [{ from: '08:00', to: '12:00' }] },
    { date: '02-29', name: 'Leap day', ranges: [] },
  ],
};
/** Open at night, through the hours in which clocks are put forward and back. */
const night: ScheduleHours = {
  id: 'hrs_night' as ScheduleId,
  name: 'Night',
  time_zone: 'America/New_York',
  weekly: {
    ...closed,
    fri: [{ from: '22:00', to: '06:00' }],
    sat: [{ from: '22:00', to: '02:30' }],
    sun: [{ from: '00:00', to: '24:00' }],
  },
  exceptions: [{ date: '2026-03-08', name: 'Clocks forward', ranges: [{ from: '01:00', to: '03:30' }] }],
};
const halfHour: ScheduleHours = {
  ...night,
  id: 'hrs_island' as ScheduleId,
  time_zone: 'Australia/Lord_Howe',
  exceptions: [{ date: '10-04', name: '', ranges: [{ from: '23:00', to: '01:45' }] }],
};

const noSwitch: ScheduleSwitch = { to: 'schedule', until: null };

it.each([office, night, halfHour])('opening hours $time_zone mean the same on Asterisk', async (hours) => {
  const around = [
    ...[
      '2026-03-08T06:30Z',
      '2026-03-29T00:30Z',
      '2026-10-25T00:30Z',
      '2026-11-01T05:30Z',
      '2026-10-03T15:00Z',
      '2026-04-04T14:30Z',
      '2028-02-28T20:00Z',
      '2026-12-23T20:00Z',
    ],
  ].flatMap((start) => Array.from({ length: 60 }, (_, step) => Date.parse(start) + step * 17 * 60_000));
  const seconds = {
    min: Date.parse('2026-01-01T00:00Z') / 1000,
    max: Date.parse('2029-01-01T00:00Z') / 1000,
  };
  const anywhere = fc.sample(fc.integer(seconds), { seed: 7, numRuns: 500 }).map((second) => second * 1000);
  const instants = [...around, ...anywhere];
  expect(await asked(hours, noSwitch, instants)).toEqual(instants.map((at) => hoursAt(hours, noSwitch, at)));
});

it.each<ScheduleSwitch>([
  { to: 'open', until: null },
  { to: 'closed', until: null },
  { to: 'open', until: '2026-12-24T13:00:00.000Z' },
  { to: 'closed', until: '2026-12-24T08:00:00.000Z' },
])('what was set by hand goes before them until its end: $to until $until', async (by) => {
  const instants = Array.from(
    { length: 48 },
    (_, step) => Date.parse('2026-12-24T00:00Z') + step * 1_800_000,
  );
  expect(await asked(office, by, instants)).toEqual(instants.map((at) => hoursAt(office, by, at)));
});

const everyDay = (range: { from: string; to: string }): WeeklyHours => ({
  ...{ mon: [range], tue: [range], wed: [range], thu: [range], fri: [range], sat: [range], sun: [range] },
});
const inBerlin = (weekly: WeeklyHours, exceptions: ScheduleHours['exceptions'] = []): ScheduleHours => ({
  ...{ id: 'hrs_reported' as ScheduleId, name: 'Reported', time_zone: 'Europe/Berlin', weekly, exceptions },
});
const late = { from: '07:00', to: '04:00' };
const lateDays = { ...everyDay({ from: '09:00', to: '17:00' }), mon: [{ from: '06:00', to: '15:00' }] };
const evenings = inBerlin(everyDay({ from: '15:00', to: '03:00' }), [
  { date: '2027-03-26', name: 'Good Friday', ranges: [{ from: '15:00', to: '24:00' }] },
  { date: '12-25', name: 'Christmas', ranges: [] },
]);

/** Where programs for opening hours were wrong in public: the hours, local times in Berlin, and what is right. */
it.each<[string, ScheduleHours, Record<string, HoursState>]>([
  [
    'the night after the last of several late days (opening-hours/opening_hours.js#261)',
    inBerlin({ ...lateDays, tue: [late], wed: [late], thu: [late] }),
    {
      ...{ '2026-12-01T02:00+01:00': 'closed', '2026-12-02T03:59+01:00': 'open' },
      ...{ '2026-12-04T03:59+01:00': 'open', '2026-12-04T04:00+01:00': 'closed' },
      ...{ '2026-12-04T08:59+01:00': 'closed', '2026-12-04T09:00+01:00': 'open' },
    },
  ],
  [
    'the night into a day that has no hours (spatie/opening-hours#72, mozilla-mobile/prox#124)',
    inBerlin({ ...closed, mon: [{ from: '19:00', to: '04:00' }] }),
    {
      ...{ '2026-12-01T02:00+01:00': 'open', '2026-12-01T04:00+01:00': 'closed' },
      ...{ '2026-12-02T02:00+01:00': 'closed', '2026-11-30T03:00+01:00': 'closed' },
    },
  ],
  [
    'between two nights (spatie/opening-hours#258)',
    inBerlin({ ...closed, mon: [{ from: '18:00', to: '05:00' }], tue: [{ from: '17:00', to: '06:00' }] }),
    {
      ...{ '2026-12-01T04:00+01:00': 'open', '2026-12-01T05:30+01:00': 'closed' },
      ...{ '2026-12-01T17:00+01:00': 'open', '2026-12-02T05:59+01:00': 'open' },
    },
  ],
  [
    'nights before and after a holiday (opening-hours/opening_hours.js#87)',
    evenings,
    {
      ...{ '2027-03-26T02:00+01:00': 'open', '2027-03-26T14:00+01:00': 'holiday' },
      ...{ '2027-03-26T23:59+01:00': 'open', '2027-03-27T02:00+01:00': 'closed' },
      ...{ '2026-12-25T02:59+01:00': 'open', '2026-12-25T03:00+01:00': 'holiday' },
      ...{ '2026-12-25T20:00+01:00': 'holiday', '2026-12-26T02:00+01:00': 'closed' },
    },
  ],
  [
    'the same hours in summer and in winter, while the server is in another zone (fusionpbx/fusionpbx#1055)',
    inBerlin(everyDay({ from: '09:00', to: '17:00' })),
    {
      ...{ '2026-10-24T07:00Z': 'open', '2026-10-24T06:59Z': 'closed', '2026-10-24T15:00Z': 'closed' },
      ...{ '2026-10-25T07:59Z': 'closed', '2026-10-25T08:00Z': 'open', '2026-10-25T15:59Z': 'open' },
    },
  ],
])('are right in %s', async (_, hours, states) => {
  const instants = Object.keys(states).map((text) => Date.parse(text));
  expect(instants.map((at) => hoursAt(hours, noSwitch, at))).toEqual(Object.values(states));
  expect(await asked(hours, noSwitch, instants)).toEqual(Object.values(states));
});

/**
 * One call that asks the context at each instant.
 *
 * It collects the answers, a letter each, in one line: the console drops lines beyond 64 KB while nobody reads for a tenth of a second.
 */
async function asked(
  hours: ScheduleHours,
  by: ScheduleSwitch,
  instants: readonly number[],
): Promise<(HoursState | undefined)[]> {
  const exits = {
    open: 'Goto(asked,open,1)',
    closed: 'Goto(asked,closed,1)',
    holiday: 'Goto(asked,holiday,1)',
  };
  const context = hoursContext('hours', hours, exits).join('\n').replaceAll('${EPOCH}', '${AT}');
  await asterisk.configure(
    'extensions.conf',
    [
      context,
      '[asked]',
      'exten => s,1,Set(PLACE=0)',
      ' same => n,Set(STATES=)',
      ' same => n,Goto(${PLACE},1)',
      ...instants.flatMap((at, place) => [
        `exten => ${place},1,Set(AT=${at / 1000})`,
        ' same => n,Goto(hours,s,1)',
      ]),
      `exten => ${instants.length},1,Set(DB(asked/states)=\${STATES})`,
      ' same => n,Wait(30)',
      ...Object.entries(letters).flatMap(([letter, state]) => [
        `exten => ${state},1,Set(STATES=\${STATES}${letter})`,
        ' same => n,Set(PLACE=$[${PLACE} + 1])',
        ' same => n,Goto(${PLACE},1)',
      ]),
    ].join('\n'),
  );
  await asterisk.console('dialplan reload');
  await asterisk.ari('POST', '/asterisk/variable', {
    query: { variable: switchFunction(hours.id), value: switchValue(by) },
  });
  const caller = await callers.call('s@asked');
  await caller.begins('Wait');
  await caller.hangUp();
  const [, states = ''] = /Value: (\w+)/.exec(await asterisk.console('database get asked states')) ?? [];
  await asterisk.console('database del asked states');
  return states.split('').map((letter) => letters[letter]);
}

const letters: Readonly<Record<string, HoursState>> = { o: 'open', c: 'closed', h: 'holiday' };
