import type { Temporal } from 'temporal-polyfill';
import type {
  HoursNow,
  HoursReason,
  HoursState,
  ScheduleHours,
  ScheduleSwitch,
} from '../../contract/menu/schedule.ts';
import { instantMs, isoInstant } from '../iso-instant.ts';
import { invariant } from '../unreachable.ts';
import { DayHours, type DayPart } from './day-hours.ts';
import { localTimeAt } from './time-zone.ts';

/** What a caller meets at an instant. The switch goes before the hours, before holidays too. */
export function hoursAt(hours: ScheduleHours, by: ScheduleSwitch, at: number): HoursState {
  return explainHours(hours, by, at).state;
}

/** The same with its reason. */
export function explainHours(
  hours: ScheduleHours,
  by: ScheduleSwitch,
  at: number,
): { readonly state: HoursState; readonly reason: HoursReason } {
  const { to, until } = switchAt(by, at);
  if (to !== 'schedule') return { state: to, reason: { kind: 'by_hand', until } };
  const { state, reason } = partAt(new DayHours(hours), localTimeAt(hours.time_zone, at));
  return { state, reason };
}

/** A switch whose end is over, or is no instant, counts as `schedule`. */
export function switchAt({ to, until }: ScheduleSwitch, at: number): ScheduleSwitch {
  const isOn = to !== 'schedule' && (until === null || at < instantMs(until));
  return isOn ? { to, until } : { to: 'schedule', until: null };
}

export interface HoursChange {
  readonly at: number;
  readonly to: HoursState;
}

/** How far a change is looked for: over a year, so that a yearly exception is found. */
const searchedDays = 370;
const dayMs = 86_400_000;

/**
 * The first instant after `at` at which a caller meets something else, if nobody sets the switch; null: none within 370 days after `at`
 * or after the end of the switch.
 */
export function nextChange(hours: ScheduleHours, by: ScheduleSwitch, at: number): HoursChange | null {
  const { to, until } = switchAt(by, at);
  if (to === 'schedule') return changeByHours(hours, hoursAt(hours, scheduled, at), at);
  if (until === null) return null;
  const end = instantMs(until);
  const after = hoursAt(hours, scheduled, end);
  return after === to ? changeByHours(hours, to, end) : { at: end, to: after };
}

/** What a schedule says at an instant, and what comes next. */
export function hoursNow(hours: ScheduleHours, by: ScheduleSwitch, at: number): HoursNow {
  const { state, reason } = explainHours(hours, by, at);
  const next = nextChange(hours, by, at);
  let opening = state === 'open' ? null : next;
  // From closed to a holiday, and back.
  while (opening !== null && opening.to !== 'open' && opening.at - at < searchedDays * dayMs)
    opening = nextChange(hours, by, opening.at);
  return {
    state,
    reason,
    next_change: next === null ? null : { at: isoInstant(next.at), to: next.to },
    opens_at: opening?.to === 'open' ? isoInstant(opening.at) : null,
  };
}

const scheduled: ScheduleSwitch = { to: 'schedule', until: null };

function changeByHours(hours: ScheduleHours, state: HoursState, at: number): HoursChange | null {
  const byDay = new DayHours(hours);
  const begin = localTimeAt(hours.time_zone, at);
  const today = begin.toPlainDate();
  // Most schedules that never change are found without asking the time zone anything.
  if (!changesOnAnyDay(byDay, today, state)) return null;
  let day = begin.startOfDay();
  for (let count = 0; count <= searchedDays; count += 1) {
    const next = day.toPlainDate().add({ days: 1 }).toZonedDateTime(day.timeZoneId);
    const found = instantsOfDay(byDay, day, next)
      .filter((ms) => ms > at)
      .map((ms) => ({ at: ms, to: partAt(byDay, localTimeAt(hours.time_zone, ms)).state }))
      .find(({ to }) => to !== state);
    if (found !== undefined) return found;
    day = next;
  }
  return null;
}

function changesOnAnyDay(byDay: DayHours, today: Temporal.PlainDate, state: HoursState): boolean {
  for (let count = 0; count <= searchedDays; count += 1) {
    const parts = byDay.partsOf(today.add({ days: count }));
    if (parts.some((part) => part.state !== state)) return true;
  }
  return false;
}

/** When the state may change on a day, in order: where a part begins, and where the clock on the wall is put forward or back. */
function instantsOfDay(byDay: DayHours, day: Temporal.ZonedDateTime, next: Temporal.ZonedDateTime): number[] {
  const date = day.toPlainDate();
  const instantsOf = (of: Temporal.PlainDate, disambiguation: 'compatible' | 'earlier' | 'later'): number[] =>
    byDay.partsOf(of).map(({ from }) => {
      const local = of.toPlainDateTime({ hour: Math.floor(from / 60), minute: from % 60 });
      return local.toZonedDateTime(day.timeZoneId, { disambiguation }).epochMilliseconds;
    });
  if (day.offsetNanoseconds === next.offsetNanoseconds) return instantsOf(date, 'compatible');
  // The clock may be put back to the day before (St. John's until 2011: at 00:01).
  const days = [date.subtract({ days: 1 }), date];
  const instants = days.flatMap((of) => [...instantsOf(of, 'earlier'), ...instantsOf(of, 'later')]);
  let shift = day.subtract({ seconds: 1 }).getTimeZoneTransition('next');
  while (shift !== null && shift.epochMilliseconds <= next.epochMilliseconds) {
    instants.push(shift.epochMilliseconds);
    shift = shift.getTimeZoneTransition('next');
  }
  return instants.sort((one, other) => one - other);
}

function partAt(byDay: DayHours, local: Temporal.ZonedDateTime): DayPart {
  const minute = local.hour * 60 + local.minute;
  const part = byDay.partsOf(local.toPlainDate()).find(({ to }) => minute < to);
  invariant(part !== undefined, 'the parts of a day reach to midnight');
  return part;
}
