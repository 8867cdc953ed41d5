import { expect, it } from 'vitest';
import type { Schedule, ScheduleId } from '../../src/contract/menu/schedule.ts';
import { ToldSwitches } from '../../src/calls/told-switches.ts';

function schedule(id: string, to: 'open' | 'closed' | 'schedule'): Schedule {
  const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
  return {
    ...{ id: id as ScheduleId, name: id, time_zone: 'UTC', weekly: closed, exceptions: [], version: 1 },
    ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
    switch: { to, until: null, set_by: null, set_at: null },
  };
}

it('what a telephone system did not take is told again, and keeps nothing else from being told', async () => {
  let schedules = [schedule('a', 'closed'), schedule('b', 'open')];
  const told = new ToldSwitches(() => schedules);
  const sent: string[] = [];
  let isLost = true;
  told.connected((name, value) => {
    if (isLost && name.includes('hours_a')) return Promise.reject(new Error('lost'));
    sent.push(`${name}=${value}`);
    return Promise.resolve();
  });
  await expect(told.tell()).rejects.toThrow('lost');
  expect(sent).toEqual(['DB(rotavox/hours_b)=open:0']);
  isLost = false;
  await told.tell();
  await told.tell();
  expect(sent).toEqual(['DB(rotavox/hours_b)=open:0', 'DB(rotavox/hours_a)=closed:0']);

  // One that is deleted is taken back; another connection is told everything.
  schedules = [schedule('b', 'open')];
  await told.tell();
  expect(sent.at(-1)).toBe('DB(rotavox/hours_a)=');
  const again: string[] = [];
  told.connected((name) => Promise.resolve(void again.push(name)));
  await told.tell();
  expect(again).toEqual(['DB(rotavox/hours_b)']);
});
