import { describe, expect, test } from 'vitest';
import type { CallDetail } from '../../../src/contract/calls/call.ts';
import { callRecord, noonMs } from '../../fixtures/call-records.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { OpenService } from '../open-service.ts';

const hourMs = 3_600_000;
const time = `since=${isoInstant(noonMs - hourMs)}&until=${isoInstant(noonMs + hourMs)}`;

async function serviceWith(...calls: readonly CallDetail[]): Promise<OpenService> {
  const opened = await OpenService.start();
  const records = await opened.callRecords();
  for (const call of calls) records.save(call);
  return opened;
}

describe('/portal/calls', () => {
  test('lists records page by page and reads one with everything that happened', async () => {
    const [older, newer] = [callRecord(), callRecord({ startedMs: noonMs + 1_000 })];
    const service = await serviceWith(older, newer);
    const { body } = await service.owner('GET', '/portal/calls?limit=1');
    expect(body).toMatchObject({ total: 2, calls: [{ id: newer.id, end: { kind: 'destination' } }] });
    const next = await service.owner('GET', `/portal/calls?limit=1&after=${body['next'] as string}`);
    expect(next.body).toMatchObject({ total: 2, next: null, calls: [{ id: older.id }] });
    expect((await service.owner('GET', `/portal/calls/${older.id}`)).body).toEqual(older);
  });

  test('answers 404 for a call that is not recorded', async () => {
    const service = await serviceWith();
    expect((await service.owner('GET', '/portal/calls/call_x')).status).toBe(404);
  });

  test.each([
    ['since=yesterday', 'since'],
    ['end=gone', 'end'],
    ['limit=0', 'limit'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['after=x', 'after'],
  ])('refuses %s and names the field', async (query, field) => {
    const service = await serviceWith();
    const { status, body } = await service.owner('GET', `/portal/calls?${query}`);
    expect([status, (body['errors'] as { field: string }[])[0]?.field]).toEqual([400, field]);
  });

  test('deletes the records of a caller, and the history says how many, not whose', async () => {
    const service = await serviceWith(callRecord(), callRecord(), callRecord({ caller: '+1' }));
    const forget = (caller: string) => service.owner('POST', '/portal/calls/forget', { caller });
    expect((await forget('+4930123456')).body).toEqual({ deleted: 2 });
    expect((await forget('+4930123456')).body).toEqual({ deleted: 0 });
    expect((await service.owner('GET', '/portal/calls')).body).toMatchObject({ total: 1 });
    const { body } = await service.owner('GET', '/portal/history');
    const events = (body['events'] as { kind: string }[]).filter(({ kind }) => kind === 'calls.forgotten');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ data: { deleted: 2 } });
    expect(JSON.stringify(body)).not.toContain('4930123456');
  });

  test('exports what matches as CSV, which no spreadsheet runs', async () => {
    const service = await serviceWith(
      callRecord({ caller: '+49', keys: ['-', '1'], menu_names: { ivr_a: '=HYPERLINK("x")' } }),
      callRecord({ pbx: 'branch', menu_names: {} }),
    );
    const { headers, body } = await service.owner('GET', '/portal/calls/export?pbx=office');
    expect(headers['content-disposition']).toContain('attachment; filename="rotavox-calls-');
    const [head, line, ...more] = String(body['text']).split('\r\n');
    expect(head).toBe('started_at,ended_at,caller,pbx,ivr,ivr_name,keys,end,end_detail,draft,id');
    expect(line).toMatch(
      /^2026-03-02T12:00:00.000Z,2026-03-02T12:00:05.000Z,"'\+49",office,ivr_a,"'=HYPERLINK\(""x""\)","'- 1",destination,"extension\|\|101",,call_/,
    );
    expect(more).toEqual(['']);
  });

  test('is for the owner only', async () => {
    const service = await serviceWith(callRecord());
    for (const url of ['/portal/calls', '/portal/calls/export', `/portal/traffic?${time}`]) {
      expect((await service.call({ method: 'GET', url })).status, url).toBe(401);
    }
  });
});

describe('/portal/traffic', () => {
  test('says what callers did within a time', async () => {
    const service = await serviceWith(callRecord());
    const { body } = await service.owner('GET', `/portal/traffic?${time}`);
    expect(body).toMatchObject({
      calls: 1,
      reached: 1,
      menus: [{ menu: 'ivr_a', entered: 1, keys: { '1': 1 } }],
    });
  });

  test('refuses a time without an end', async () => {
    const service = await serviceWith();
    const { status } = await service.owner('GET', `/portal/traffic?since=${isoInstant(noonMs)}`);
    expect(status).toBe(400);
  });
});
