import { z } from 'zod';
import type { FieldProblem } from '../field-problem.ts';
import { newName } from '../shapes.ts';
import { FlowSpeech } from './speech.ts';
import { bodyProblems, largeBodyProblems, portalProblems, portalRoute, type Route } from '../route.ts';

/** Opening hours, as menus name them (`hours||<id>` leads to a node of a flow that asks a schedule). */
export const ScheduleId = z.string().brand<'ScheduleId'>();
export type ScheduleId = z.infer<typeof ScheduleId>;

export const scheduleBounds = { name: 100, rangesADay: 8, exceptions: 500, schedules: 200 } as const;
const nameError = `must be a text of 1 to ${scheduleBounds.name} characters`;
const zoneError = 'must be a time zone such as Europe/Berlin';

const timeError = 'must be a time of day written HH:MM, from 00:00 to 24:00';
const timeOfDay = z.string({ error: timeError }).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, timeError);

/**
 * From the first minute to before the last, in local time. An end at or before the beginning is on the next day: 22:00 to 06:00 passes
 * midnight, and 00:00 to 24:00 is the whole day.
 */
export const TimeRange = z.strictObject({ from: timeOfDay, to: timeOfDay });
export type TimeRange = z.infer<typeof TimeRange>;

const ranges = z.array(TimeRange).max(scheduleBounds.rangesADay);

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The ranges that begin on each day. A day without any is closed, but for what passes midnight from the day before. */
export const WeeklyHours = z.strictObject({
  mon: ranges,
  tue: ranges,
  wed: ranges,
  thu: ranges,
  fri: ranges,
  sat: ranges,
  sun: ranges,
});
export type WeeklyHours = z.infer<typeof WeeklyHours>;

const dateError = 'must be a date written YYYY-MM-DD, or MM-DD for every year';

/**
 * A day that differs: its ranges replace those of the weekday. Without ranges it is closed. Where both a date and a yearly date apply, the
 * date does. While a day with an exception is not open, it is a holiday (exit `holiday`).
 */
export const ScheduleException = z.strictObject({
  /** `2026-12-25`, or `12-25` for every year. Each date once. */
  date: z
    .string({ error: dateError })
    .regex(/^(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, dateError),
  name: newName(z.string().trim().max(scheduleBounds.name)),
  ranges,
});
export type ScheduleException = z.infer<typeof ScheduleException>;

/** What a person set by hand: it goes before the hours until its end. */
export const ScheduleSwitch = z.strictObject({
  to: z.enum(['schedule', 'open', 'closed']),
  /** An instant, ISO 8601; null: until somebody sets it again. Always null for `schedule`. */
  until: z.string().nullable(),
});
export type ScheduleSwitch = z.infer<typeof ScheduleSwitch>;

/** The part of a schedule that a version of a call flow keeps. The switch is never part of it. */
export const ScheduleHours = z.object({
  id: ScheduleId,
  name: z.string(),
  /** IANA, such as `Europe/Berlin`. It stands in exported dialplans as it is, so it has no other characters, whatever file it comes from. */
  time_zone: z.string().regex(/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/, zoneError),
  weekly: WeeklyHours,
  exceptions: z.array(ScheduleException).max(scheduleBounds.exceptions),
});
export type ScheduleHours = z.infer<typeof ScheduleHours>;

/** A stored schedule. */
export const Schedule = ScheduleHours.extend({
  /** Counts the changes of hours, from 1. The switch does not change it. */
  version: z.int(),
  switch: ScheduleSwitch.extend({
    /** The owner who set it; null: the owner of the machine, or nobody has set it. */
    set_by: z.string().nullable(),
    set_at: z.string().nullable(),
  }),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Schedule = z.infer<typeof Schedule>;

const scheduleName = newName(
  z.string({ error: nameError }).trim().min(1, nameError).max(scheduleBounds.name, nameError),
);
const exceptionList = z.array(ScheduleException).max(scheduleBounds.exceptions, {
  error: `must be at most ${scheduleBounds.exceptions} exceptions`,
});

/** A new schedule. Days that are left out are closed. */
export const CreateSchedule = z.strictObject({
  name: scheduleName,
  time_zone: z.string({ error: zoneError }).min(1, zoneError).max(100, zoneError),
  weekly: WeeklyHours.partial(),
  exceptions: exceptionList.default([]),
});
export type CreateSchedule = z.input<typeof CreateSchedule>;

/** All hours of a schedule, with the version that they are based on: refused when somebody has changed it since. */
export const ChangeSchedule = CreateSchedule.extend({
  version: z.int({ error: 'must be the version of the schedule that is changed' }).min(1),
  exceptions: exceptionList,
});
export type ChangeSchedule = z.input<typeof ChangeSchedule>;

/**
 * `until`: when the hours count again. An instant (ISO 8601), or a local time of the schedule: `17:00` (the next), `tomorrow 08:00`,
 * `2026-12-24`, `2026-12-24 12:00`. Null, or left out: until somebody sets it again.
 */
export const SetSwitch = z.strictObject({
  to: ScheduleSwitch.shape.to,
  until: z.string().max(100).nullable().default(null),
});
export type SetSwitch = z.input<typeof SetSwitch>;

/** What a caller meets at an instant. `holiday`: closed on a day with an exception. */
export const HoursState = z.enum(['open', 'closed', 'holiday']);
export type HoursState = z.infer<typeof HoursState>;

/** Why: by the weekly ranges, by an exception, or by the switch. `until`: of the switch; null, until somebody sets it again. */
export const HoursReason = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('weekly') }),
  z.object({ kind: z.literal('exception'), exception: ScheduleException }),
  z.object({ kind: z.literal('by_hand'), until: z.string().nullable() }),
]);
export type HoursReason = z.infer<typeof HoursReason>;

/**
 * What a person should know of the hours. `zone_unknown` is an error: they count in UTC. `zone_differs` is a note: clocks on this machine
 * show another time. The others are warnings.
 */
export const ScheduleFinding = z.discriminatedUnion('code', [
  z.object({ code: z.literal('zone_unknown'), zone: z.string() }),
  z.object({ code: z.literal('zone_differs'), zone: z.string(), machine: z.string() }),
  z.object({ code: z.literal('never_open') }),
  z.object({ code: z.literal('never_closed') }),
  z.object({ code: z.literal('past_exceptions'), dates: z.array(z.string()) }),
]);
export type ScheduleFinding = z.infer<typeof ScheduleFinding>;

/** Where a schedule is asked: in which draft or stored menu. */
export const ScheduleUse = z.object({ kind: z.enum(['draft', 'ivr']), id: z.string(), name: z.string() });
export type ScheduleUse = z.infer<typeof ScheduleUse>;

/** What a schedule says at an instant, and what comes next if nobody sets the switch. */
export const HoursNow = z.object({
  state: HoursState,
  reason: HoursReason,
  /** When a caller meets something else; null: not within 370 days. */
  next_change: z.object({ at: z.string(), to: HoursState }).nullable(),
  /** When it opens; null: it is open, or does not open within 370 days. */
  opens_at: z.string().nullable(),
});
export type HoursNow = z.infer<typeof HoursNow>;

/** A schedule as it is now. A switch whose end is over reads as `schedule`. */
export const ScheduleView = Schedule.extend({
  ...HoursNow.shape,
  findings: z.array(ScheduleFinding),
  used_by: z.array(ScheduleUse),
});
export type ScheduleView = z.infer<typeof ScheduleView>;

export const ScheduleList = z.object({ schedules: z.array(ScheduleView) });
export type ScheduleList = z.infer<typeof ScheduleList>;

const LeftOutDay = z.object({
  name: z.string(),
  date: z.string().nullable(),
  /**
   * `not_all_day`: it has a time. `too_often`: it recurs, and not as holidays do. `past`: it is over. `has_hours`: the day has hours of its
   * own in the schedule. `observance`: a day that nobody has off.
   */
  why: z.enum([
    'not_all_day',
    'too_often',
    'too_long',
    'past',
    'cancelled',
    'observance',
    'damaged',
    'has_hours',
  ]),
});
export type LeftOutDay = z.infer<typeof LeftOutDay>;

/** What an import adds to the exceptions, or would add. Nothing is removed. */
const ImportedDays = z.object({
  added: z.array(z.object({ date: z.string(), name: z.string() })),
  /** Days that were closed already, under another name. */
  changed: z.array(z.object({ date: z.string(), name: z.string(), before: z.string() })),
  unchanged: z.int(),
  left_out: z.array(LeftOutDay),
});
export type ImportedDays = z.infer<typeof ImportedDays>;

export const ScheduleImported = ImportedDays.extend({ schedule: ScheduleView });
export type ScheduleImported = z.infer<typeof ScheduleImported>;

/** The largest calendar file, in characters: the holidays of a country for ten years have 200,000. */
export const calendarLimit = 1_000_000;

const yearError = 'must be 1 to 10 years, such as 2027';
const code = (what: string, pattern: RegExp) => z.string({ error: what }).max(20, what).regex(pattern, what);

/** The public holidays of a country, or of a state and region of it (ISO 3166-2): `DE`, `BY`. */
export const HolidaysOf = z.strictObject({
  country: code('must be a country, such as DE', /^[A-Za-z]{2}$/),
  state: code('must be a state of the country, such as BY', /^[A-Za-z0-9-]{1,10}$/).optional(),
  region: code('must be a region of the state', /^[A-Za-z0-9-]{1,10}$/).optional(),
  years: z
    .array(z.int({ error: yearError }).min(1970, yearError).max(2100, yearError))
    .min(1, yearError)
    .max(10, yearError),
  /** Of the names, such as `de`. Default: that of the country. */
  language: code('must be a language, such as de', /^[a-z]{2,3}$/).optional(),
});
export type HolidaysOf = z.infer<typeof HolidaysOf>;

/** One of `calendar` (the text of an .ics file) and `holidays`. `dry_run` says what it would change and changes nothing. */
export const ImportSchedule = z
  .strictObject({
    calendar: z.string().max(calendarLimit, `must have at most ${calendarLimit} characters`).optional(),
    holidays: HolidaysOf.optional(),
    /** Refused when somebody has changed the schedule since. */
    version: z.int().min(1).optional(),
    dry_run: z.boolean().default(false),
  })
  .refine(({ calendar, holidays }) => (calendar === undefined) !== (holidays === undefined), {
    error: 'must have one of calendar and holidays',
  });
export type ImportSchedule = z.input<typeof ImportSchedule>;

/** The countries whose holidays are known, with their states and the regions of those. */
export const HolidayCountries = z.object({
  countries: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      states: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          regions: z.array(z.object({ code: z.string(), name: z.string() })),
        }),
      ),
    }),
  ),
});
export type HolidayCountries = z.infer<typeof HolidayCountries>;

/** Why a calendar file cannot be read at all. */
export type CalendarFault = 'not_a_calendar' | 'too_many_events';

const ScheduleDeleted = z.object({ id: ScheduleId });

/** Why a schedule cannot be read, created, changed or deleted. */
export type ScheduleProblem =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'name_taken'; readonly name: string }
  /** Somebody has changed it since. */
  | { readonly kind: 'changed_since'; readonly name: string; readonly version: number }
  | { readonly kind: 'too_many'; readonly most: number }
  | {
      readonly kind: 'too_many_exceptions';
      readonly name: string;
      readonly count: number;
      readonly most: number;
    }
  | { readonly kind: 'used'; readonly name: string; readonly uses: readonly ScheduleUse[] }
  | { readonly kind: 'calendar'; readonly fault: CalendarFault }
  /** `field`: of `holidays`. */
  | {
      readonly kind: 'no_holidays';
      readonly field: 'country' | 'state' | 'region';
      readonly known: readonly string[];
    }
  | { readonly kind: 'until'; readonly fault: UntilFault }
  | { readonly kind: 'fields'; readonly errors: readonly FieldProblem[] };

/** Why no instant can be read: it is written in no known way, it is over, or there is no such time on that day. */
export type UntilFault = 'not_a_time' | 'over' | 'no_such_date' | 'not_with_schedule';

/** The id of opening hours or a message of a published call flow: `hours||<id>` and `message||<id>` in bodies lead there. */
export const FlowPartId = z.string().brand<'FlowPartId'>();
export type FlowPartId = z.infer<typeof FlowPartId>;

/** What a published call flow has beside menus. Its exits are written as destinations of a body. */
export const FlowPart = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('hours'),
    id: FlowPartId,
    /** Of the call flow. */
    name: z.string(),
    hours: ScheduleId,
    open: z.string(),
    closed: z.string(),
    /** Null: as closed. */
    holiday: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('message'),
    id: FlowPartId,
    name: z.string(),
    recording: z.string(),
    then: z.string(),
    /** How its text is spoken; absent: as the settings have it. */
    speech: FlowSpeech.optional(),
  }),
]);
export type FlowPart = z.infer<typeof FlowPart>;

const problems = [...portalProblems, ...bodyProblems] as const;

/** Opening hours. `:id` is the id of a schedule, or its name. */
export const scheduleRoutes = {
  listSchedules: {
    ...portalRoute('GET', '/portal/schedules'),
    title: 'List opening hours',
    summary: 'List the opening hours by name, with what callers meet now and when that changes.',
    reply: ScheduleList,
    problems: portalProblems,
  },
  createSchedule: {
    ...portalRoute('POST', '/portal/schedules'),
    title: 'Create opening hours',
    summary: 'Create opening hours that call flows can ask.',
    body: CreateSchedule,
    reply: ScheduleView,
    problems: [...problems, 'conflict'],
  },
  readSchedule: {
    ...portalRoute('GET', '/portal/schedules/:id'),
    title: 'Read opening hours',
    summary: 'Read opening hours by their id or name, with their version and the call flows that ask them.',
    reply: ScheduleView,
    problems: [...portalProblems, 'not_found'],
  },
  changeSchedule: {
    ...portalRoute('PUT', '/portal/schedules/:id'),
    title: 'Change opening hours',
    summary:
      'Replace the hours. Refused when somebody has changed them since the named version; nothing is lost then. The switch stays.',
    body: ChangeSchedule,
    reply: ScheduleView,
    problems: [...problems, 'not_found', 'conflict'],
  },
  deleteSchedule: {
    ...portalRoute('DELETE', '/portal/schedules/:id'),
    title: 'Delete opening hours',
    summary: 'Delete opening hours. Refused while a call flow or a stored menu asks them.',
    reply: ScheduleDeleted,
    problems: [...problems, 'not_found', 'conflict'],
  },
  importSchedule: {
    ...portalRoute('POST', '/portal/schedules/:id/import'),
    title: 'Import holidays',
    summary:
      'Close on the holidays of an .ics file, or on the public holidays of a country. With dry_run it says what would be added, changed and left out, and changes nothing.',
    body: ImportSchedule,
    limitBytes: 4 * 1024 * 1024,
    reply: ScheduleImported,
    problems: [...portalProblems, ...largeBodyProblems, 'not_found', 'conflict'],
  },
  listHolidayCountries: {
    ...portalRoute('GET', '/portal/holidays'),
    title: 'List countries with holidays',
    summary: 'List the countries, states and regions whose public holidays can be imported.',
    reply: HolidayCountries,
    problems: portalProblems,
  },
  setSwitch: {
    ...portalRoute('PUT', '/portal/schedules/:id/switch'),
    title: 'Switch opening hours',
    summary:
      'Open or close by hand, until a time or until somebody sets it again, or go back to the schedule. It applies to the next caller.',
    body: SetSwitch,
    reply: ScheduleView,
    problems: [...problems, 'not_found'],
  },
} as const satisfies Record<string, Route>;
