import { expect, it } from 'vitest';
import type { ScheduleHours, ScheduleId, ScheduleView } from '../../../../src/contract/menu/schedule.ts';
import {
  hoursToRestore,
  othersThatAsk,
} from '../../../../src/renderer/ivr/designer/versions/hours-to-restore.ts';

const day = [{ from: '08:00', to: '17:00' }];
const office: ScheduleHours = {
  id: 'hrs_1' as ScheduleId,
  name: 'Office',
  time_zone: 'Europe/Berlin',
  weekly: { mon: day, tue: day, wed: [], thu: [], fri: [], sat: [], sun: [] },
  exceptions: [],
};
const stored = (change: Partial<ScheduleHours> = {}) =>
  ({ ...office, ...change, version: 3 }) as ScheduleView;

it('hours of a version are changed where times differ, not where only the name or the switch does', () => {
  const same = {
    ...stored({ name: 'Shop' }),
    switch: { to: 'closed', until: null, set_by: null, set_at: '' },
  };
  expect(hoursToRestore({ schedules: [office] }, [same as ScheduleView])).toEqual({
    changed: [],
    missing: [],
    again: new Map(),
  });
  for (const change of [
    { time_zone: 'UTC' },
    { weekly: { ...office.weekly, mon: [] } },
    { exceptions: [{ date: '12-25', name: '', ranges: [] }] },
  ]) {
    const present = stored(change);
    expect(hoursToRestore({ schedules: [office] }, [present])).toEqual({
      changed: [{ hours: office, present }],
      missing: [],
      again: new Map(),
    });
  }
});

it('hours of a version that are stored no more are missing; a version without any has nothing to restore', () => {
  expect(hoursToRestore({ schedules: [office] }, [])).toEqual({
    changed: [],
    missing: [office],
    again: new Map(),
  });
  expect(hoursToRestore({}, [stored()])).toEqual({ changed: [], missing: [], again: new Map() });
});

it('hours that were deleted and are there again, with the same name and times, are not added twice', () => {
  const twin = stored({ id: 'hrs_2' as ScheduleId });
  expect(hoursToRestore({ schedules: [office] }, [twin])).toEqual({
    changed: [],
    missing: [],
    again: new Map([[office.id, twin.id]]),
  });
  const other = stored({ id: 'hrs_2' as ScheduleId, time_zone: 'UTC' });
  expect(hoursToRestore({ schedules: [office] }, [other])).toMatchObject({ missing: [office] });
});

it('names the call flows and the stored menus that ask changed hours, too, each once, and nothing of the draft itself', () => {
  const present: ScheduleView = {
    ...stored(),
    used_by: [
      { kind: 'draft', id: 'dft_1', name: 'Ours' },
      { kind: 'ivr', id: 'ivr_1', name: 'Our menu' },
      { kind: 'draft', id: 'dft_2', name: 'Shop' },
      { kind: 'ivr', id: 'hrs_flow_2', name: 'Shop' },
      { kind: 'ivr', id: 'ivr_3', name: 'Made by an app' },
    ],
  };
  const versions = [{ menus: {} }, { menus: { node_1: 'ivr_1' } }];
  expect(othersThatAsk([{ hours: office, present }], { draftId: 'dft_1', versions })).toEqual([
    'Shop',
    'Made by an app',
  ]);
});
