import { describe, expect, it } from 'vitest';
import { HolidayCountries, ScheduleList, ScheduleView } from '../../../src/contract/menu/schedule.ts';
import { type Answer, OpenService } from '../open-service.ts';

const path = '/portal/schedules';
const office = {
  name: 'Office',
  time_zone: 'Europe/Berlin',
  weekly: { mon: [{ from: '08:00', to: '17:00' }] },
  exceptions: [{ date: '12-25', name: 'Christmas', ranges: [] }],
};
/** Monday, 09:00 in Berlin. */
const monday = Date.parse('2026-01-12T08:00:00.000Z');

async function openOffice() {
  const clock = { nowMs: monday };
  const service = await OpenService.start({ clock });
  const created = await service.owner('POST', path, office);
  expect(created.status).toBe(200);
  return { service, clock, view: ScheduleView.parse(created.body) };
}

const viewOf = ({ status, body }: Answer): ScheduleView => {
  expect({ status, body }).toMatchObject({ status: 200 });
  return ScheduleView.parse(body);
};

describe('opening hours', () => {
  it('are found by id and by name, with what callers meet now and when that changes', async () => {
    const { service, clock, view } = await openOffice();
    expect(view).toMatchObject({
      name: 'Office',
      version: 1,
      state: 'open',
      reason: { kind: 'weekly' },
      next_change: { at: '2026-01-12T16:00:00.000Z', to: 'closed' },
      opens_at: null,
      used_by: [],
    });
    clock.nowMs = Date.parse('2026-12-24T23:00:00.000Z');
    for (const id of [view.id, 'office']) {
      expect(viewOf(await service.owner('GET', `${path}/${id}`))).toMatchObject({
        id: view.id,
        state: 'holiday',
        next_change: { at: '2026-12-25T23:00:00.000Z', to: 'closed' },
        opens_at: '2026-12-28T07:00:00.000Z',
      });
    }
    expect((await service.owner('GET', '/portal/status')).body['schedules']).toBe(1);
    await service.owner('POST', path, { ...office, name: 'Branch 10' });
    await service.owner('POST', path, { ...office, name: 'branch 9' });
    const { schedules } = ScheduleList.parse((await service.owner('GET', path)).body);
    expect(schedules.map(({ name }) => name)).toEqual(['branch 9', 'Branch 10', 'Office']);
  });

  it('are changed in the version that was read, and only in that', async () => {
    const { service, view } = await openOffice();
    const change = { ...office, exceptions: [], version: 1 };
    expect(viewOf(await service.owner('PUT', `${path}/${view.id}`, change))).toMatchObject({ version: 2 });
    const late = await service.owner('PUT', `${path}/${view.id}`, { ...change, name: 'Mine' });
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(late.body['message']).toBe(
      '“Office” was changed meanwhile, and is version 2 now. Read it again, then change it.',
    );
    expect(viewOf(await service.owner('GET', `${path}/${view.id}`)).name).toBe('Office');
  });

  it('say which field is wrong, and change nothing', async () => {
    const { service } = await openOffice();
    const before = service.store.health().last_seq;
    const bad = {
      ...office,
      name: 'Other',
      time_zone: 'Europe/Atlantis',
      exceptions: [
        { date: '2026-02-30', name: 'Never', ranges: [] },
        { date: '12-25', name: 'One', ranges: [] },
        { date: '12-25', name: 'Two', ranges: [] },
      ],
    };
    expect((await service.owner('POST', path, bad)).body['errors']).toEqual([
      {
        field: 'time_zone',
        message: 'must be a time zone that is known here, such as Europe/Berlin, not “Europe/Atlantis”',
      },
      { field: 'exceptions[0].date', message: 'must be a date that exists, not 2026-02-30' },
      { field: 'exceptions[2].date', message: 'must not be there twice: 12-25' },
    ]);
    for (const weekly of [
      { mon: [{ from: '8:00', to: '17:00' }] },
      { mon: [{ from: '08:00' }] },
      { day: [] },
    ])
      expect((await service.owner('POST', path, { ...office, name: 'Other', weekly })).status).toBe(400);
    expect((await service.owner('POST', path, { ...office, name: 'OFFICE' })).status).toBe(409);
    expect((await service.owner('GET', `${path}/nobody`)).status).toBe(404);
    expect(service.store.health().last_seq).toBe(before);
  });

  it('are switched by hand until a time of their own zone, and who did it is kept', async () => {
    const { service, clock, view } = await openOffice();
    const closed = await service.owner('PUT', `${path}/Office/switch`, { to: 'closed', until: '12:00' });
    expect(viewOf(closed)).toMatchObject({
      version: 1,
      state: 'closed',
      reason: { kind: 'by_hand', until: '2026-01-12T11:00:00.000Z' },
      switch: { to: 'closed', until: '2026-01-12T11:00:00.000Z', set_at: '2026-01-12T08:00:00.000Z' },
      next_change: { at: '2026-01-12T11:00:00.000Z', to: 'open' },
    });
    // Its end is over: nobody has to do anything.
    clock.nowMs = Date.parse('2026-01-12T11:00:00.000Z');
    expect(viewOf(await service.owner('GET', `${path}/${view.id}`))).toMatchObject({
      state: 'open',
      switch: { to: 'schedule', until: null },
    });
    viewOf(await service.owner('PUT', `${path}/Office/switch`, { to: 'open' }));
    viewOf(await service.owner('PUT', `${path}/Office/switch`, { to: 'schedule' }));
    const refused = await service.owner('PUT', `${path}/Office/switch`, { to: 'closed', until: 'soon' });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'until' }] } });
    const events = await service.store.history({ kinds: ['schedule.switched'], limit: 5 });
    expect(events.map(({ data }) => data['to'])).toEqual(['schedule', 'open', 'closed']);
    expect(events.at(-1)).toMatchObject({ subject: view.id, actor: { kind: 'owner' } });
  });

  it('are deleted, and are there again after a restart if not', async () => {
    const { service, clock, view } = await openOffice();
    viewOf(await service.owner('PUT', `${path}/${view.id}/switch`, { to: 'closed' }));
    await service.owner('POST', path, { ...office, name: 'Branch' });
    expect((await service.owner('DELETE', `${path}/Branch`)).status).toBe(200);
    expect((await service.owner('DELETE', `${path}/Branch`)).status).toBe(404);
    await service.stop();
    const again = await OpenService.start({ folder: service.folder, clock });
    const { schedules } = ScheduleList.parse((await again.owner('GET', path)).body);
    expect(schedules).toMatchObject([{ id: view.id, state: 'closed', version: 1 }]);
  });
});

describe('holidays', () => {
  const calendar = [
    'BEGIN:VCALENDAR',
    ...['BEGIN:VEVENT', 'DTSTART;VALUE=DATE:20260406', 'SUMMARY:Easter Monday', 'END:VEVENT'],
    ...['BEGIN:VEVENT', 'DTSTART:20260407T100000', 'SUMMARY:Meeting', 'END:VEVENT'],
    'END:VCALENDAR',
  ].join('\r\n');
  const importing = (service: OpenService, body: object, id = 'Office') =>
    service.owner('POST', `${path}/${id}/import`, body);

  it('of a calendar are shown before they are imported, with what is left out and why', async () => {
    const { service } = await openOffice();
    const before = service.store.health().last_seq;
    const preview = await importing(service, { calendar, dry_run: true });
    expect(preview).toMatchObject({
      status: 200,
      body: {
        added: [{ date: '2026-04-06', name: 'Easter Monday' }],
        changed: [],
        unchanged: 0,
        left_out: [{ name: 'Meeting', date: '2026-04-07', why: 'not_all_day' }],
        schedule: { version: 1 },
      },
    });
    expect(service.store.health().last_seq).toBe(before);
    const done = await importing(service, { calendar, version: 1 });
    expect(done).toMatchObject({ status: 200, body: { schedule: { version: 2 } } });
    expect(viewOf(await service.owner('GET', `${path}/Office`)).exceptions.map(({ date }) => date)).toEqual([
      '12-25',
      '2026-04-06',
    ]);
    // The same again changes nothing, and an older version is refused.
    expect(await importing(service, { calendar })).toMatchObject({ body: { added: [], unchanged: 1 } });
    expect(service.store.health().last_seq).toBe(before + 1);
    expect((await importing(service, { calendar, version: 1 })).status).toBe(409);
  });

  it('of a country are its public ones, in the years that are asked for', async () => {
    const { service } = await openOffice();
    const bavaria = { country: 'de', state: 'by', years: [2026, 2027] };
    const done = await importing(service, { holidays: bavaria });
    expect(done.status).toBe(200);
    const { exceptions } = viewOf(await service.owner('GET', `${path}/Office`));
    const named = Object.fromEntries(exceptions.map(({ date, name }) => [date, name]));
    expect(named).toMatchObject({
      '2026-04-03': 'Karfreitag',
      '2027-03-26': 'Karfreitag',
      '2027-05-17': 'Pfingstmontag',
    });
    // That is over, and Easter Sunday is no public holiday there.
    expect(named).not.toHaveProperty('2026-01-06');
    expect(named).not.toHaveProperty('2026-04-05');
    const inEnglish = await importing(service, { holidays: { ...bavaria, language: 'en' }, dry_run: true });
    expect(inEnglish.body['changed']).toContainEqual({
      date: '2026-04-03',
      name: 'Good Friday',
      before: 'Karfreitag',
    });
    const { body } = await service.owner('GET', '/portal/holidays');
    const { countries } = HolidayCountries.parse(body);
    const germany = countries.find(({ code }) => code === 'DE');
    expect(germany).toMatchObject({ name: 'Germany' });
    expect(germany?.states.find(({ code }) => code === 'BY')).toMatchObject({
      name: 'Bayern',
      regions: [{ code: 'KATH' }, { code: 'EVANG' }, { code: 'A', name: 'Stadt Augsburg' }],
    });
  });

  it.each([
    [{ calendar: 'not a calendar' }, 'calendar', 'BEGIN:VCALENDAR'],
    [
      { holidays: { country: 'XX', years: [2026] } },
      'holidays.country',
      'No holidays are known for this country',
    ],
    [
      { holidays: { country: 'DE', state: 'XX', years: [2026] } },
      'holidays.state',
      'Known are BB, BE, BW, BY',
    ],
    [{ holidays: { country: 'DE', years: [] } }, 'holidays.years', '1 to 10 years'],
    [{}, '', 'one of calendar and holidays'],
    [{ calendar, holidays: { country: 'DE', years: [2026] } }, '', 'one of calendar and holidays'],
  ])('that cannot be read are refused: %o', async (body, field, message) => {
    const { service } = await openOffice();
    const refused = await importing(service, body);
    expect(refused.status).toBe(400);
    const [error, ...others] = refused.body['errors'] as { field: string; message: string }[];
    expect([error?.field, others]).toEqual([field, []]);
    expect(error?.message).toContain(message);
  });
});
