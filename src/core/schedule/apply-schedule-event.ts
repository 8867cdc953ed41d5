import type { AuditEvent } from '../../contract/history/audit-event.ts';
import type { Schedule, ScheduleId } from '../../contract/menu/schedule.ts';
import type { State } from '../state.ts';
import { invariant, unreachable } from '../unreachable.ts';

type ScheduleEvent = Extract<AuditEvent, { kind: `schedule.${string}` }>;

/** Applies an event of opening hours to the state. */
export function applyScheduleEvent({ schedules }: State, event: ScheduleEvent): void {
  const known = (id: ScheduleId): Schedule => {
    const schedule = schedules.get(id);
    invariant(schedule !== undefined, `schedule ${id} is known`);
    return schedule;
  };
  switch (event.kind) {
    case 'schedule.created':
      schedules.set(event.data.schedule.id, event.data.schedule);
      return;
    case 'schedule.changed': {
      const { hours, version } = event.data;
      schedules.set(hours.id, { ...known(hours.id), ...hours, version, updated_at: event.at });
      return;
    }
    case 'schedule.switched': {
      const { schedule_id: id, to, until } = event.data;
      const { actor, at } = event;
      const set_by = actor.kind === 'owner' ? (actor.name ?? null) : null;
      schedules.set(id, { ...known(id), switch: { to, until, set_by, set_at: at } });
      return;
    }
    case 'schedule.deleted':
      schedules.delete(event.data.schedule_id);
      return;
    default:
      unreachable(event);
  }
}
