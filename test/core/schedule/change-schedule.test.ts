import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import {
  ChangeSchedule,
  CreateSchedule,
  type ScheduleId,
  SetSwitch,
} from '../../../src/contract/menu/schedule.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import type { Decision } from '../../../src/core/ledger.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  scheduleUses,
  setSwitch,
  viewSchedule,
} from '../../../src/core/schedule/change-schedule.ts';
import { State } from '../../../src/core/state.ts';

const nowMs = Date.parse('2026-11-27T12:00:00.000Z');
const machineZone = 'Europe/Berlin';
const office = {
  name: 'Office',
  time_zone: 'europe/berlin',
  weekly: { mon: [{ from: '08:00', to: '17:00' }], fri: [{ from: '08:00', to: '17:00' }] },
  exceptions: [
    { date: '2026-12-24', name: 'Christmas Eve', ranges: [] },
    { date: '12-25', name: 'Christmas', ranges: [] },
  ],
};

/** A state with the decisions that were made on it, each at the next second. */
class Decided {
  readonly state = new State();
  readonly kinds: string[] = [];

  carryOut<T>({ events, value }: Decision<T>, name?: string): T {
    for (const event of events) {
      this.kinds.push(event.kind);
      const at = new Date(nowMs + this.kinds.length * 1000).toISOString();
      applyEvent(this.state, { ...withName(event, name), seq: this.kinds.length, at });
    }
    return value;
  }

  get schedule() {
    const [first] = this.state.schedules.values();
    if (first === undefined) throw new Error('There is no schedule');
    return first;
  }
}

function withName(event: EventDraft, name: string | undefined): EventDraft {
  return name === undefined ? event : { ...event, actor: { kind: 'owner', name } };
}

function decided(): Decided {
  const all = new Decided();
  all.carryOut(createSchedule(all.state, 'hours_1' as ScheduleId, CreateSchedule.parse(office), nowMs));
  return all;
}

describe('createSchedule', () => {
  it('writes the zone as IANA does, all days, and yearly exceptions first', () => {
    const { schedule } = decided();
    expect(schedule).toMatchObject({
      time_zone: 'Europe/Berlin',
      version: 1,
      switch: { to: 'schedule', until: null, set_by: null, set_at: null },
      created_at: '2026-11-27T12:00:00.000Z',
    });
    expect(schedule.weekly.sun).toEqual([]);
    expect(schedule.exceptions.map(({ date }) => date)).toEqual(['12-25', '2026-12-24']);
  });

  it('names each date that does not exist or is there twice, and a zone that is not known', () => {
    const all = new Decided();
    const dates = ['02-29', '02-30', '2026-02-29', '2028-02-29', '02-29'];
    const wanted = CreateSchedule.parse({
      ...office,
      time_zone: 'Europe/Atlantis',
      exceptions: dates.map((date) => ({ date, name: '', ranges: [] })),
    });
    const refused = all.carryOut(createSchedule(all.state, 'hours_1' as ScheduleId, wanted, nowMs));
    expect(refused).toEqual({
      ok: false,
      refusal: {
        problem: 'bad_request',
        found: {
          kind: 'fields',
          errors: [
            { field: 'time_zone', code: 'unknown_zone', params: { zone: 'Europe/Atlantis' } },
            { field: 'exceptions[1].date', code: 'no_such_date', params: { date: '02-30' } },
            { field: 'exceptions[2].date', code: 'no_such_date', params: { date: '2026-02-29' } },
            { field: 'exceptions[4].date', code: 'date_twice', params: { date: '02-29' } },
          ],
        },
      },
    });
  });

  it('refuses a name that another has, whatever its case', () => {
    const all = decided();
    const wanted = CreateSchedule.parse({ ...office, name: 'OFFICE' });
    expect(all.carryOut(createSchedule(all.state, 'hours_2' as ScheduleId, wanted, nowMs))).toMatchObject({
      refusal: { problem: 'conflict', found: { kind: 'name_taken', name: 'Office' } },
    });
  });
});

describe('changeSchedule', () => {
  it('replaces the hours of the version that was read, and refuses an older one', () => {
    const all = decided();
    const change = ChangeSchedule.parse({ ...office, name: 'Front desk', version: 1 });
    expect(all.carryOut(changeSchedule(all.state, 'office', change))).toEqual({ ok: true, value: 'hours_1' });
    expect(all.schedule).toMatchObject({
      name: 'Front desk',
      version: 2,
      updated_at: '2026-11-27T12:00:02.000Z',
    });
    expect(all.carryOut(changeSchedule(all.state, 'hours_1', change))).toMatchObject({
      refusal: { problem: 'conflict', found: { kind: 'changed_since', version: 2 } },
    });
    // The same again is no change.
    all.carryOut(changeSchedule(all.state, 'hours_1', { ...change, version: 2 }));
    expect(all.kinds).toEqual(['schedule.created', 'schedule.changed']);
  });
});

describe('setSwitch', () => {
  const set = (all: Decided, wanted: unknown, name?: string) =>
    all.carryOut(setSwitch(all.state, 'Office', SetSwitch.parse(wanted), nowMs), name);

  it('keeps who set it, until when in the zone of the schedule, and does not change the version', () => {
    const all = decided();
    expect(set(all, { to: 'closed', until: 'tomorrow 08:00' }, 'Ada')).toEqual({
      ok: true,
      value: 'hours_1',
    });
    expect(all.schedule.switch).toEqual({
      to: 'closed',
      until: '2026-11-28T07:00:00.000Z',
      set_by: 'Ada',
      set_at: '2026-11-27T12:00:02.000Z',
    });
    expect(all.schedule.version).toBe(1);
    const view = viewSchedule(all.schedule, { nowMs, machineZone, uses: [] });
    expect(view).toMatchObject({
      state: 'closed',
      reason: { kind: 'by_hand', until: '2026-11-28T07:00:00.000Z' },
      // The switch ends on Saturday, which is closed too.
      next_change: { at: '2026-11-30T07:00:00.000Z', to: 'open' },
      opens_at: '2026-11-30T07:00:00.000Z',
    });
    set(all, { to: 'closed', until: '2026-11-28T08:00:00+01:00' });
    expect(all.kinds).toEqual(['schedule.created', 'schedule.switched']);
  });

  it('reads a switch whose end is over as the schedule', () => {
    const all = decided();
    set(all, { to: 'closed', until: '2026-11-27T13:00:00Z' });
    const view = viewSchedule(all.schedule, { nowMs: nowMs + 3_600_000, machineZone, uses: [] });
    expect(view).toMatchObject({ state: 'open', switch: { to: 'schedule', until: null } });
  });

  it.each([
    [{ to: 'closed', until: 'soon' }, 'not_a_time'],
    [{ to: 'closed', until: '' }, 'not_a_time'],
    [{ to: 'closed', until: '2026-02-30' }, 'no_such_date'],
    [{ to: 'open', until: '2026-11-27T12:00:00Z' }, 'over'],
    [{ to: 'schedule', until: '17:00' }, 'not_with_schedule'],
  ])('refuses %o', (wanted, fault) => {
    const all = decided();
    expect(set(all, wanted)).toMatchObject({
      refusal: { problem: 'bad_request', found: { kind: 'until', fault } },
    });
    expect(all.kinds).toEqual(['schedule.created']);
  });
});

describe('deleteSchedule', () => {
  it('refuses while a draft asks it, and names the draft', () => {
    const all = decided();
    const node = { kind: 'hours', id: 'h', hours: 'hours_1' };
    const document = { name: 'Front desk', nodes: { h: node } };
    all.state.drafts.set('drf_1' as never, { id: 'drf_1', document } as never);
    const uses = [{ kind: 'draft', id: 'drf_1', name: 'Front desk' }];
    expect(scheduleUses(all.state).get('hours_1')).toEqual(uses);
    expect(all.carryOut(deleteSchedule(all.state, 'hours_1'))).toMatchObject({
      refusal: { problem: 'conflict', found: { kind: 'used', name: 'Office', uses } },
    });
    all.state.drafts.delete('drf_1' as never);
    expect(all.carryOut(deleteSchedule(all.state, 'hours_1'))).toEqual({ ok: true, value: 'hours_1' });
    expect(all.state.schedules.size).toBe(0);
  });
});
