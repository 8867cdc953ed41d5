import Holidays from 'date-holidays';
import { Temporal } from 'temporal-polyfill';
import type { HolidayCountries, HolidaysOf, LeftOutDay, ScheduleProblem } from '../contract/menu/schedule.ts';
import { fitForName } from '../contract/shapes.ts';
import { done, refused, type Result } from '../core/result.ts';
import type { ClosedDay, ReadCalendar } from '../core/schedule/read-calendar.ts';

/** The language of the names of countries and states. */
const inEnglish = 'en';
const hourMs = 3_600_000;

/** The public holidays of a country in some years, by date-holidays: its rules are code, its data CC BY-SA 3.0. */
// see decisions/opening-hours.md
export function publicHolidays({
  country,
  state,
  region,
  years,
  language,
}: HolidaysOf): Result<ReadCalendar, ScheduleProblem> {
  const all = new Holidays();
  const known = [
    { field: 'country', codes: all.getCountries(inEnglish), wanted: country.toUpperCase() },
    { field: 'state', codes: statesOf(all, country), wanted: state?.toUpperCase() },
    { field: 'region', codes: regionsOf(all, country, state), wanted: region?.toUpperCase() },
  ] as const;
  for (const { field, codes, wanted } of known) {
    const names = Object.keys(codes).sort();
    if (wanted !== undefined && !names.some((code) => code.toUpperCase() === wanted))
      return refused({ kind: 'no_holidays', field, known: names });
  }
  const calendar = new Holidays(
    { country, ...(state === undefined ? {} : { state }), ...(region === undefined ? {} : { region }) },
    { types: ['public'] },
  );
  const days = new Map<string, string>();
  const leftOut: LeftOutDay[] = [];
  for (const year of new Set(years)) {
    for (const { date, start, end, name } of calendar.getHolidays(year, language)) {
      const closed = fitForName(name).trim().slice(0, 100);
      const day = date.slice(0, 10);
      if (!date.startsWith('00:00:00', 11)) leftOut.push({ name: closed, date: day, why: 'not_all_day' });
      else for (const one of daysOf(day, start, end)) days.set(one, joined(days.get(one), closed));
    }
  }
  return done({ days: Array.from(days, ([date, name]): ClosedDay => ({ date, name })), leftOut });
}

/** Where a clock is put forward a day has 23 hours; an eve that counts from noon makes the days a half more. */
function daysOf(day: string, start: Date, end: Date): string[] {
  const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / hourMs / 24));
  const first = Temporal.PlainDate.from(day);
  return Array.from({ length: count }, (_, days) => first.add({ days }).toString());
}

function joined(before: string | undefined, name: string): string {
  return before === undefined || before === name ? name : `${before}, ${name}`.slice(0, 100);
}

export function holidayCountries(): HolidayCountries['countries'] {
  const all = new Holidays();
  return listed(all.getCountries(inEnglish)).map((country) => ({
    ...country,
    states: listed(statesOf(all, country.code)).map((state) => ({
      ...state,
      regions: listed(regionsOf(all, country.code, state.code)),
    })),
  }));
}

type Names = Readonly<Record<string, string>>;

function statesOf(all: Holidays, country: string): Names {
  return orNone(all.getStates(country, inEnglish));
}

function regionsOf(all: Holidays, country: string, state: string | undefined): Names {
  return state === undefined ? {} : orNone(all.getRegions(country, state, inEnglish));
}

/** The library has undefined where there are none, which its types do not say. */
function orNone(names: Names | undefined): Names {
  return names ?? {};
}

function listed(names: Names): { code: string; name: string }[] {
  return Object.entries(names)
    .map(([code, name]) => ({ code, name }))
    .sort((one, other) => one.name.localeCompare(other.name, inEnglish));
}
