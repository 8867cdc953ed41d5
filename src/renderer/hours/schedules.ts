import type { FlowPart, ScheduleHours, ScheduleView } from '../../contract/menu/schedule.ts';
import { hoursNow } from '../../core/schedule/hours-at.ts';
import { hoursText } from '../../text/menu/schedule-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { useMinute } from '../kit/use-minute.ts';

/** All opening hours by name. A change of a call flow changes where they are used. */
export const allSchedules: Resource<readonly ScheduleView[]> = {
  key: ['schedules'],
  about: ['schedule.', 'draft.', 'ivr.'],
  read: async (signal) => {
    const reply = await askPortal('listSchedules', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.schedules } : reply;
  },
};

/** What they say now: nothing is announced when hours begin or the switch ends. */
export function presentHours(schedule: ScheduleView, nowMs: number) {
  return hoursNow(schedule, schedule.switch, nowMs);
}

/** What callers of parts that ask schedules meet now, by the ids of the parts: “Open until 17:00”. */
export function useHoursTexts(parts: readonly FlowPart[]): ReadonlyMap<string, string> {
  const schedules = useLive(allSchedules).known?.value;
  const nowMs = useMinute();
  return new Map(
    parts.flatMap((part): [string, string][] => {
      const schedule = part.kind === 'hours' ? schedules?.find(({ id }) => id === part.hours) : undefined;
      if (schedule === undefined) return [];
      return [[part.id, hoursText(presentHours(schedule, nowMs), { timeZone: schedule.time_zone, nowMs })]];
    }),
  );
}

/** What a person can change of a schedule. */
export type EditedHours = Pick<ScheduleHours, 'name' | 'time_zone' | 'weekly' | 'exceptions'>;

/** Zones that a browser knows, for suggestions. */
export const timeZones: readonly string[] = Intl.supportedValuesOf('timeZone');

export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
