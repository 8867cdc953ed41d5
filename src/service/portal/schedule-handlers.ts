import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import type {
  ImportSchedule,
  ScheduleId,
  ScheduleProblem,
  ScheduleView,
} from '../../contract/menu/schedule.ts';
import { readState } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { ReadCalendar } from '../../core/schedule/read-calendar.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  findSchedule,
  importDays,
  type ScheduleRefusal,
  scheduleUses,
  setSwitch,
  viewSchedule,
} from '../../core/schedule/change-schedule.ts';
import { scheduleProblemText } from '../../text/menu/schedule-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/schedules*`: opening hours and their switch. */
export function addScheduleRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, clock } = context;

  addRoute(app, context, 'listSchedules', () =>
    readState(ledger, (state, nowMs) => {
      const uses = scheduleUses(state);
      const machineZone = zoneOfMachine();
      const schedules = [...state.schedules.values()]
        .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
        .map((one) => viewSchedule(one, { nowMs, machineZone, uses: uses.get(one.id) ?? [] }));
      return { schedules };
    }),
  );

  addRoute(app, context, 'createSchedule', async ({ body, reply }) => {
    const id = mintId('hrs_') as ScheduleId;
    return show(await ledger.transact((state, nowMs) => createSchedule(state, id, body, nowMs)), reply);
  });

  addRoute(app, context, 'readSchedule', async ({ params, reply }) =>
    show(
      await readState(ledger, (state) => {
        const found = findSchedule(state, params.id);
        return found.ok ? done(found.value.id) : found;
      }),
      reply,
    ),
  );

  addRoute(app, context, 'changeSchedule', async ({ params, body, reply }) =>
    show(await ledger.transact((state) => changeSchedule(state, params.id, body)), reply),
  );

  addRoute(app, context, 'deleteSchedule', async ({ params, reply }) => {
    const deleted = await ledger.transact((state) => deleteSchedule(state, params.id));
    return deleted.ok ? { id: deleted.value } : refuseSchedule(reply, deleted.refusal);
  });

  addRoute(app, context, 'importSchedule', async ({ params, body, reply }) => {
    const schedule = findSchedule(ledger.state, params.id);
    if (!schedule.ok) return refuseSchedule(reply, schedule.refusal);
    const { id, time_zone: zone } = schedule.value;
    const read = await readDays(body, zone);
    if (!read.ok) return refuseSchedule(reply, { problem: 'bad_request', found: read.refusal });
    const imported = await ledger.transact((state, nowMs) => importDays(state, id, read.value, body, nowMs));
    if (!imported.ok) return refuseSchedule(reply, imported.refusal);
    const { exceptions: _all, ...days } = imported.value;
    const view = show(done(id), reply);
    return view === null ? null : { ...days, schedule: view };
  });

  addRoute(app, context, 'listHolidayCountries', async () => {
    const { holidayCountries } = await import('../holiday-calendar.ts');
    return { countries: holidayCountries() };
  });

  /** What reads calendars and knows holidays is loaded when it is needed: both are large. */
  async function readDays(
    { calendar, holidays }: z.output<typeof ImportSchedule>,
    zone: string,
  ): Promise<Result<ReadCalendar, ScheduleProblem>> {
    if (holidays !== undefined) {
      const { publicHolidays } = await import('../holiday-calendar.ts');
      return publicHolidays(holidays);
    }
    const { readCalendar } = await import('../../core/schedule/read-calendar.ts');
    const read = readCalendar(calendar ?? '', { zone, nowMs: clock() });
    return read.ok ? read : refused({ kind: 'calendar', fault: read.refusal });
  }

  addRoute(app, context, 'setSwitch', async ({ params, body, reply }) =>
    show(await ledger.transact((state, nowMs) => setSwitch(state, params.id, body, nowMs)), reply),
  );

  /** As it is after the change: the event has the owner who made it. */
  function show(outcome: Result<ScheduleId, ScheduleRefusal>, reply: FastifyReply): ScheduleView | null {
    if (!outcome.ok) return refuseSchedule(reply, outcome.refusal);
    const found = findSchedule(ledger.state, outcome.value);
    // Deleted by another request in between.
    if (!found.ok) return refuseSchedule(reply, found.refusal);
    const uses = scheduleUses(ledger.state).get(outcome.value) ?? [];
    return viewSchedule(found.value, { nowMs: clock(), machineZone: zoneOfMachine(), uses });
  }
}

/** Read each time: it may be changed while the program runs. */
function zoneOfMachine(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function refuseSchedule(reply: FastifyReply, { problem, found }: ScheduleRefusal): null {
  if (found.kind === 'fields') refuse(reply, problem, { errors: found.errors });
  else if (found.kind === 'until' || found.kind === 'calendar' || found.kind === 'no_holidays') {
    const field = found.kind === 'no_holidays' ? `holidays.${found.field}` : found.kind;
    const rule = scheduleProblemText(found);
    refuse(reply, problem, { errors: [{ field, code: 'rule', params: { rule } }] });
  } else refuse(reply, problem, { message: scheduleProblemText(found) });
  return null;
}
