import { describe, expect, it, test } from 'vitest';
import { OpenService } from '../open-service.ts';
import type { CallDetail } from '../../../src/contract/calls/call.ts';
import { callRecord, noonMs } from '../../fixtures/call-records.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';

/** Nothing listens there. */
const office = {
  name: 'office',
  url: 'http://127.0.0.1:9',
  user: 'rotavox',
  password: 'a secret of the PBX',
};

describe('telephone systems', () => {
  it('are added, listed, changed and removed, and their password is shown and logged nowhere', async () => {
    const service = await OpenService.start();
    const added = await service.owner('POST', '/portal/pbxs', office);
    expect(added).toMatchObject({ status: 200, body: { name: 'office', calls: 0 } });
    const list = await service.owner('GET', '/portal/pbxs');
    expect(list.body['pbxs']).toHaveLength(1);
    const voicemail = { context: 'vm', extension: '{id}' };
    const changed = await service.owner('PATCH', '/portal/pbxs/office', { destinations: { voicemail } });
    expect(changed.body['destinations']).toMatchObject({ voicemail });
    const history = await service.owner('GET', '/portal/history');
    expect(JSON.stringify([added, list, changed, history])).not.toContain(office.password);
    expect(JSON.stringify(history.body)).toContain('pbx.changed');
    expect((await service.owner('DELETE', '/portal/pbxs/office')).body).toEqual({ name: 'office' });
    expect(await service.vault.read({ service: 'rotavox', account: 'office (telephone system)' })).toBeNull();
  });

  it('are refused with a sentence', async () => {
    const service = await OpenService.start();
    await service.owner('POST', '/portal/pbxs', office);
    const refused = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const { status, body: answer } = await service.owner(method, `/portal/pbxs${path}`, body);
      return [status, answer['code']];
    };
    expect(await refused('POST', '', office)).toEqual([409, 'conflict']);
    expect(await refused('POST', '', { ...office, name: 'b' })).toEqual([409, 'conflict']);
    expect(await refused('POST', '', { ...office, name: 'b', url: 'http://192.168.1.2' })).toEqual([
      400,
      'bad_request',
    ]);
    expect(await refused('PATCH', '/office', { url: 'https://elsewhere' })).toEqual([400, 'bad_request']);
    expect(await refused('PATCH', '/other', { user: 'x' })).toEqual([404, 'not_found']);
    const menu = { ivr: 'ivr_unknown' };
    expect(await refused('POST', '/office/ring', { endpoint: 'PJSIP/101', menu })).toEqual([
      404,
      'not_found',
    ]);
    expect(await refused('POST', '/office/ring', { endpoint: 'PJSIP/101&Local/1', menu })).toEqual([
      400,
      'bad_request',
    ]);
  });

  it('add nothing when the password cannot be stored', async () => {
    const service = await OpenService.start();
    const vault = service.vault as unknown as { fail(code: 'locked'): void };
    vault.fail('locked');
    const { status, body } = await service.owner('POST', '/portal/pbxs', office);
    expect([status, body['code']]).toEqual([503, 'vault_unavailable']);
    expect(service.store.state.pbxs.size).toBe(0);
  });

  it('are tested: what does not answer says so, with the lines that are missing', async () => {
    const service = await OpenService.start();
    await service.owner('POST', '/portal/pbxs', office);
    const { body } = await service.owner('POST', '/portal/pbxs/office/test');
    expect(body).toMatchObject({
      version: null,
      checks: [{ check: 'reach', trouble: { code: 'not_reached', detail: 'ECONNREFUSED' } }],
      add: [{ file: 'http.conf' }, { file: 'ari.conf' }],
    });
  });
});

describe('the prompts of calls', () => {
  it('are found at no address that was not signed', async () => {
    const service = await OpenService.start();
    await service.owner('POST', '/portal/pbxs', office);
    const hex = 'ab'.repeat(32);
    for (const path of [`/prompts/${hex}/20000/${hex}.wav`, '/prompts/', '/prompts/x', `/prompts/${hex}`]) {
      const { status } = await service.call({ method: 'GET', url: path });
      expect(status, path).toBe(404);
    }
  });
});

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
