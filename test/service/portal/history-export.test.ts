import { describe, expect, it } from 'vitest';
import { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import { csvHeader, csvLine } from '../../../src/service/portal/history-routes.ts';
import { issued, moved } from '../../fixtures/make-events.ts';
import { OpenService } from '../open-service.ts';

/** Rows of RFC 4180, parsed strictly. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const noName = () => undefined;

async function withEvents(count: number): Promise<OpenService> {
  const service = await OpenService.start();
  const events = Array.from({ length: count }, (_, place) => issued(`n${place}`));
  await service.store.transact(() => ({ events, value: null }));
  return service;
}

describe('the history as a file', () => {
  it('is a JSON array of events, newest first, all of them', async () => {
    const service = await withEvents(600);
    const { status, headers, body } = await service.owner('GET', '/portal/history/export?format=json');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="rotavox-history-2026-01-10.json"',
    });
    const events = HistoryEvent.array().parse(body);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, place) => 600 - place));
    const [newest] = await service.store.history({ limit: 1 });
    expect(events[0]).toEqual(newest);
  });

  it('is CSV with a line for each event', async () => {
    const service = await withEvents(2);
    const { value } = await service.issue({ name: 'a "b", c' });
    await service.rotate(value);
    const { headers, body } = await service.owner('GET', '/portal/history/export?format=csv');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="rotavox-history-2026-01-10.csv"',
    });
    const [head, rotation, issue, ...others] = parseCsv(String(body.text));
    expect(head).toEqual([
      'seq',
      'at',
      'kind',
      'subject',
      'actor',
      'address',
      'result',
      'details',
      'event',
      'subject_name',
      'actor_name',
    ]);
    expect(rotation?.slice(8)).toEqual(['Token rotated', 'a "b", c', 'a "b", c']);
    expect(others.map(([seq]) => seq)).toEqual(['2', '1']);
    expect(rotation?.slice(0, 7)).toEqual([
      '4',
      '2026-01-10T12:00:00.000Z',
      'token.rotated',
      expect.stringMatching(/^fam_/),
      expect.stringMatching(/^tok_\w+_1$/),
      '127.0.0.1',
      'ok',
    ]);
    expect(JSON.parse(issue?.[7] ?? '')).toMatchObject({ configuration: { name: 'a "b", c' } });
    expect(String(body.text)).not.toContain('rvx_');
  });

  it('holds what is asked for, and may be empty', async () => {
    const service = await withEvents(3);
    await service.store.transact(() => ({ events: [moved('token.suspended', 'n1')], value: null }));
    const rows = async (query: string) => {
      const { body } = await service.owner('GET', `/portal/history/export?format=csv&${query}`);
      return parseCsv(String(body.text)).slice(1);
    };
    expect((await rows('result=attention')).map(([seq]) => seq)).toEqual(['4']);
    expect((await rows('subject=fam_n1')).map(([seq]) => seq)).toEqual(['4', '2']);
    expect(await rows('text=no%20such%20thing')).toEqual([]);
    const none = await service.owner('GET', '/portal/history/export?format=json&result=failed');
    expect(none.body).toEqual([]);
  });

  it('is asked for in a known format', async () => {
    const service = await OpenService.start();
    for (const query of ['', '?format=xlsx'])
      expect((await service.owner('GET', `/portal/history/export${query}`)).body).toMatchObject({
        code: 'bad_request',
        errors: [{ field: 'format' }],
      });
  });

  it('is described with what it can be asked for', async () => {
    const service = await OpenService.start();
    const { body } = await service.call({ method: 'GET', url: '/openapi.json' });
    const { get } = (body.paths as Record<string, { get: Record<string, unknown> }>)[
      '/portal/history/export'
    ]!;
    const parameters = get.parameters as { name: string; required: boolean }[];
    expect(parameters.find(({ name }) => name === 'format')?.required).toBe(true);
    expect(parameters.map(({ name }) => name)).toContain('text');
    const answers = get.responses as Record<string, { content: object }>;
    expect(Object.keys(answers['200']?.content ?? {}).sort()).toEqual(['application/json', 'text/csv']);
    expect(answers).toHaveProperty('400');
    expect(answers).toHaveProperty('401');
  });

  it('has a head without a body, for which nothing is read', async () => {
    const service = await withEvents(1);
    const reply = await service.app.inject({
      method: 'HEAD',
      url: '/portal/history/export?format=csv',
      headers: { authorization: `Bearer ${service.service.sessions.portalKey}` },
    });
    expect([reply.statusCode, reply.body]).toEqual([200, '']);
    expect(reply.headers['content-disposition']).toContain('.csv');
  });

  it('is read no faster than it is taken', { tags: ['long'] }, async () => {
    const service = await withEvents(20_000);
    const baseUrl = await service.app.listen({ host: '127.0.0.1', port: 0 });
    let pages = 0;
    const read = service.store.history.bind(service.store);
    service.store.history = (filter) => {
      pages += 1;
      return read(filter);
    };
    const response = await fetch(`${baseUrl}/portal/history/export?format=json`, {
      headers: { authorization: `Bearer ${service.service.sessions.portalKey}` },
    });
    const reader = response.body!.getReader();
    const { value: first } = await reader.read();
    expect(Buffer.from(first!).toString()).toMatch(/^\[\n\{"seq":20000,/);
    await reader.cancel();
    // Closing waits for requests in progress.
    await service.app.close();
    expect(pages).toBeLessThan(80);
  });
});

describe('a cell', () => {
  const event = HistoryEvent.parse({ ...moved('token.suspended', 'a'), seq: 7, at: '2026-01-10T12:00:00Z' });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'that a spreadsheet would run as a formula is text: %j',
    (subject) => {
      const cells = parseCsv(csvLine({ ...event, subject }, noName))[0];
      expect(cells?.[3]).toBe(`'${subject}`);
    },
  );

  it.each(['plain', 'a,b', 'say "stop"', 'two\r\nlines', '', 'a=b'])(
    'comes back as it was: %j',
    (subject) => {
      const [cells] = parseCsv(csvLine({ ...event, subject }, noName));
      expect(cells?.[3]).toBe(subject);
      expect(cells).toHaveLength(parseCsv(csvHeader)[0]?.length ?? 0);
    },
  );

  it('of the actor and the address is empty where there is none', () => {
    expect(parseCsv(csvLine(event, noName))[0]?.slice(4, 7)).toEqual(['owner', '', 'attention']);
    expect(parseCsv(csvLine({ ...event, actor: { kind: 'system' } }, noName))[0]?.[4]).toBe('system');
  });
});
