import { Temporal } from 'temporal-polyfill';
import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { FieldProblem } from '../../contract/field-problem.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import {
  type ChangeSchedule,
  type CreateSchedule,
  type ImportSchedule,
  type Schedule,
  scheduleBounds,
  type ScheduleHours,
  type ScheduleId,
  type ScheduleProblem,
  type ScheduleUse,
  type ScheduleView,
  type SetSwitch,
  type WeeklyHours,
  weekdays,
  type ImportedDays,
  type LeftOutDay,
  type ScheduleException,
} from '../../contract/menu/schedule.ts';
import type { z } from 'zod';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { checkSchedule, isYearly } from './check-schedule.ts';
import { hoursNow, switchAt } from './hours-at.ts';
import type { ReadCalendar, ClosedDay } from './read-calendar.ts';
import { readUntil } from './read-until.ts';
import { knownTimeZone, localTimeAt } from './time-zone.ts';

/** Why an owner's request about a schedule is refused. */
export interface ScheduleRefusal {
  readonly problem: Extract<ProblemCode, 'not_found' | 'conflict' | 'bad_request'>;
  readonly found: ScheduleProblem;
}

type ScheduleOutcome = Decision<Result<ScheduleId, ScheduleRefusal>>;

export function createSchedule(
  state: State,
  id: ScheduleId,
  wanted: z.output<typeof CreateSchedule>,
  nowMs: number,
): ScheduleOutcome {
  if (state.schedules.size >= scheduleBounds.schedules) {
    return refuse({ problem: 'conflict', found: { kind: 'too_many', most: scheduleBounds.schedules } });
  }
  const hours = checkHours(state, id, wanted);
  if (!hours.ok) return refuse(hours.refusal);
  const now = isoInstant(nowMs);
  const schedule: Schedule = {
    ...hours.value,
    version: 1,
    switch: { to: 'schedule', until: null, set_by: null, set_at: null },
    created_at: now,
    updated_at: now,
  };
  return {
    events: [{ kind: 'schedule.created', ...byOwner(id), data: { schedule } }],
    value: done(id),
  };
}

/** Replaces the hours of a schedule. The switch stays. The same hours are no change. */
export function changeSchedule(
  state: State,
  idOrName: string,
  { version, ...wanted }: z.output<typeof ChangeSchedule>,
): ScheduleOutcome {
  const found = findSchedule(state, idOrName);
  if (!found.ok) return refuse(found.refusal);
  const { id, name } = found.value;
  if (found.value.version !== version) {
    return refuse({
      problem: 'conflict',
      found: { kind: 'changed_since', name, version: found.value.version },
    });
  }
  const hours = checkHours(state, id, wanted);
  if (!hours.ok) return refuse(hours.refusal);
  if (isSameHours(found.value, hours.value)) return { events: [], value: done(id) };
  const data = { hours: hours.value, version: version + 1 };
  return { events: [{ kind: 'schedule.changed', ...byOwner(id), data }], value: done(id) };
}

/** Adds days on which it is closed; with `dry_run` only says what that would change. */
export function importDays(
  state: State,
  id: ScheduleId,
  { days, leftOut }: ReadCalendar,
  { version, dry_run: isDryRun }: Pick<z.output<typeof ImportSchedule>, 'version' | 'dry_run'>,
  nowMs: number,
): Decision<Result<PlannedImport, ScheduleRefusal>> {
  const found = findSchedule(state, id);
  if (!found.ok) return { events: [], value: found };
  const { name, version: present } = found.value;
  const today = localTimeAt(found.value.time_zone, nowMs).toPlainDate().toString();
  const planned = planImport(found.value, { days, leftOut }, today);
  const count = planned.exceptions.length;
  const most = scheduleBounds.exceptions;
  if (count > most) {
    return {
      events: [],
      value: refused({ problem: 'conflict', found: { kind: 'too_many_exceptions', name, count, most } }),
    };
  }
  const change = { ...found.value, exceptions: [...planned.exceptions], version: version ?? present };
  const { events, value } = changeSchedule(state, id, change);
  if (!value.ok) return { events: [], value };
  return { events: isDryRun ? [] : events, value: done(planned) };
}

/** Sets the switch. `until` may be a local time of the schedule. Who sets it to what it is sets nothing. */
export function setSwitch(
  state: State,
  idOrName: string,
  { to, until }: z.output<typeof SetSwitch>,
  nowMs: number,
): ScheduleOutcome {
  const found = findSchedule(state, idOrName);
  if (!found.ok) return refuse(found.refusal);
  const { id, name, time_zone: zone } = found.value;
  if (to === 'schedule' && until !== null) return refuse(badUntil('not_with_schedule'));
  const read = until === null ? done(null) : readUntil(until, zone, nowMs);
  if (!read.ok) return refuse(badUntil(read.refusal));
  const end = isoInstantOrNull(read.value);
  const now = switchAt(found.value.switch, nowMs);
  if (now.to === to && now.until === end) return { events: [], value: done(id) };
  const data = { schedule_id: id, name, to, until: end };
  return { events: [{ kind: 'schedule.switched', ...byOwner(id), data }], value: done(id) };
}

function badUntil(fault: Extract<ScheduleProblem, { kind: 'until' }>['fault']): ScheduleRefusal {
  return { problem: 'bad_request', found: { kind: 'until', fault } };
}

/** Deletes a schedule that no menu asks: a caller must not meet hours that nobody can see. */
export function deleteSchedule(state: State, idOrName: string): ScheduleOutcome {
  const found = findSchedule(state, idOrName);
  if (!found.ok) return refuse(found.refusal);
  const { id, name } = found.value;
  const uses = scheduleUses(state).get(id) ?? [];
  if (uses.length > 0) return refuse({ problem: 'conflict', found: { kind: 'used', name, uses } });
  const data = { schedule_id: id, name };
  return { events: [{ kind: 'schedule.deleted', ...byOwner(id), data }], value: done(id) };
}

/** By its id or its name, which comes from the request and may have any length. */
export function findSchedule({ schedules }: State, idOrName: string): Result<Schedule, ScheduleRefusal> {
  const byId = schedules.get(idOrName as ScheduleId);
  if (byId !== undefined) return done(byId);
  for (const schedule of schedules.values()) if (isSameName(schedule.name, idOrName)) return done(schedule);
  return refused({ problem: 'not_found', found: { kind: 'not_found' } });
}

/** A schedule with what it means at an instant, on a machine with a time zone. */
export function viewSchedule(
  schedule: Schedule,
  {
    nowMs,
    machineZone,
    uses,
  }: { readonly nowMs: number; readonly machineZone: string; readonly uses: readonly ScheduleUse[] },
): ScheduleView {
  const by = switchAt(schedule.switch, nowMs);
  return {
    ...schedule,
    switch: { ...schedule.switch, ...by },
    ...hoursNow(schedule, by, nowMs),
    findings: checkSchedule(schedule, { at: nowMs, machineZone }),
    used_by: [...uses],
  };
}

/** Which drafts and published call flows ask each schedule: a part of theirs names it as its `hours`. */
export function scheduleUses({
  drafts,
  ivrs,
  flowParts,
}: State): ReadonlyMap<string, readonly ScheduleUse[]> {
  const uses = new Map<string, ScheduleUse[]>();
  const note = (document: unknown, use: ScheduleUse): void => {
    for (const id of new Set(hoursNamedIn(document))) uses.set(id, [...(uses.get(id) ?? []), use]);
  };
  for (const { id, document } of drafts.values())
    note(document.nodes, { kind: 'draft', id, name: document.name });
  for (const ivr of ivrs.values()) note(ivr, { kind: 'ivr', id: ivr.id, name: ivr.name });
  for (const part of flowParts.values()) note(part, { kind: 'ivr', id: part.id, name: part.name });
  return uses;
}

function* hoursNamedIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('hours' in value && typeof value.hours === 'string') yield value.hours;
  for (const part of Object.values(value)) yield* hoursNamedIn(part);
}

/** The hours as they are stored: the zone as IANA writes it, all days, exceptions by their date. */
function checkHours(
  state: State,
  id: ScheduleId,
  { name, time_zone, weekly, exceptions }: z.output<typeof CreateSchedule>,
): Result<ScheduleHours, ScheduleRefusal> {
  for (const other of state.schedules.values()) {
    if (other.id !== id && isSameName(other.name, name))
      return refused({ problem: 'conflict', found: { kind: 'name_taken', name: other.name } });
  }
  const errors: FieldProblem[] = [];
  const zone = knownTimeZone(time_zone);
  if (zone === null)
    errors.push({ field: 'time_zone', code: 'unknown_zone', params: { zone: time_zone.slice(0, 100) } });
  const seen = new Set<string>();
  for (const [place, { date }] of exceptions.entries()) {
    const field = `exceptions[${place}].date`;
    if (!isDate(date)) errors.push({ field, code: 'no_such_date', params: { date } });
    if (seen.has(date)) errors.push({ field, code: 'date_twice', params: { date } });
    seen.add(date);
  }
  if (errors.length > 0 || zone === null)
    return refused({ problem: 'bad_request', found: { kind: 'fields', errors } });
  const days = weekdays.map((day) => [day, weekly[day] ?? []]);
  return done({
    id,
    name,
    time_zone: zone,
    weekly: Object.fromEntries(days) as WeeklyHours,
    exceptions: [...exceptions].sort((one, other) => compareDates(one.date, other.date)),
  });
}

/** `02-29` is a day of some years, `02-30` of none. */
function isDate(date: string): boolean {
  try {
    Temporal.PlainDate.from(isYearly(date) ? `2000-${date}` : date);
    return true;
  } catch {
    return false;
  }
}

/** Those of every year first. */
function compareDates(one: string, other: string): number {
  if (isYearly(one) !== isYearly(other)) return isYearly(one) ? -1 : 1;
  return one < other ? -1 : 1;
}

/** Both are written with the fields in one order. */
function isSameHours(one: ScheduleHours, other: ScheduleHours): boolean {
  const text = ({ name, time_zone, weekly, exceptions }: ScheduleHours) =>
    JSON.stringify([name, time_zone, weekly, exceptions]);
  return text(one) === text(other);
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function refuse(refusal: ScheduleRefusal): ScheduleOutcome {
  return { events: [], value: refused(refusal) };
}

function byOwner(subject: string): Pick<EventDraft, 'subject' | 'actor'> {
  return { subject, actor: { kind: 'owner' } };
}

/** What the import of days would make of the exceptions of a schedule. Nothing is ever removed. */
interface PlannedImport extends ImportedDays {
  readonly exceptions: readonly ScheduleException[];
}

/**
 * Adds days on which a schedule is closed.
 *
 * A day that is closed already gets the imported name; one with hours of its own keeps them, because a person has entered those. A date
 * whose yearly exception has the same name is there already. Days before `today` are over.
 */
export function planImport(
  { exceptions }: { readonly exceptions: readonly ScheduleException[] },
  { days, leftOut }: ReadCalendar,
  today: string,
): PlannedImport {
  const known = new Map(exceptions.map((exception) => [exception.date, exception]));
  const planned: Omit<PlannedImport, 'exceptions' | 'unchanged'> & {
    added: ClosedDay[];
    changed: (ClosedDay & { before: string })[];
    left_out: LeftOutDay[];
  } = { added: [], changed: [], left_out: [...leftOut] };
  let unchanged = 0;
  for (const { date, name } of [...days].sort((one, other) => (one.date < other.date ? -1 : 1))) {
    if (!isYearly(date) && date < today) {
      planned.left_out.push({ name, date, why: 'past' });
      continue;
    }
    const before = known.get(date);
    const ofEachYear = isYearly(date) ? undefined : known.get(date.slice(5));
    if (before?.name === name || (before === undefined && ofEachYear?.name === name)) unchanged += 1;
    else if (before === undefined) {
      planned.added.push({ date, name });
      known.set(date, { date, name, ranges: [] });
    } else if (before.ranges.length > 0) {
      planned.left_out.push({ name, date, why: 'has_hours' });
    } else {
      planned.changed.push({ date, name, before: before.name });
      known.set(date, { ...before, name });
    }
  }
  return { ...planned, unchanged, exceptions: [...known.values()] };
}
