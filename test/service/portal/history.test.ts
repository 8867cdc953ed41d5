import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { HistoryMatches } from '../../../src/contract/history/history.ts';
import { readRuns, seqsOf } from '../../../src/core/history/seq-runs.ts';
import type { HistorySearch } from '../../../src/core/ledger.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import { makeSetup } from '../attacks/attack-setup.ts';
import { OpenService } from '../open-service.ts';
import { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import { csvHeader, csvLine } from '../../../src/service/portal/history-routes.ts';
import { issued, moved } from '../../fixtures/make-events.ts';

/** Two families: billing-sync (1 issued, 3 suspended, 4 resumed) and nightly (2 issued); 5 changes a setting. */
async function withHistory(): Promise<{ service: OpenService; familyId: string }> {
  const service = await OpenService.start();
  const { id } = await service.issue({ name: 'billing-sync' });
  await service.issue({ name: 'nightly' });
  await service.owner('POST', `/portal/tokens/${id}/suspend`, { reason: 'Holiday' });
  await service.owner('POST', `/portal/tokens/${id}/resume`);
  await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: true });
  return { service, familyId: id.replace(/^tok_(\w+)_1$/, 'fam_$1') };
}

async function seqsOfPage(service: OpenService, query: string): Promise<number[]> {
  const { status, body } = await service.owner('GET', `/portal/history?${query}`);
  expect(status, query).toBe(200);
  return (body.events as { seq: number }[]).map(({ seq }) => seq);
}

async function matches(service: OpenService, query: string) {
  const { status, body } = await service.owner('GET', `/portal/history/matches?${query}`);
  expect(status, query).toBe(200);
  const { last_seq: lastSeq, count, runs } = HistoryMatches.parse(body);
  return { lastSeq, count, seqs: [...seqsOf(readRuns(lastSeq, runs))] };
}

const histories = ofFile(withHistory);
const empty = ofFile(() => OpenService.start());

describe('the history is searched', () => {
  it.each([
    ['', [5, 4, 3, 2, 1]],
    ['kind=token.issued', [2, 1]],
    ['kind=token.issued,settings.changed', [5, 2, 1]],
    ['kind=token.', [4, 3, 2, 1]],
    ['result=attention', [3]],
    ['result=failed', []],
    ['result=ok&kind=token.', [4, 2, 1]],
    ['text=holiday', [3]],
    ['text=BILLING-sync', [4, 3, 1]],
    ['text=suspended', [3]],
    ['text=Token%20suspended', []],
    ['text=Token%20suspended&text_kind=token.suspended', [3]],
    ['text=billing-sync&result=attention', [3]],
    ['after=3', [5, 4]],
    ['after=999999999999999', []],
  ])('by %s', async (query, expected) => {
    const { service } = await histories.get();
    expect(await seqsOfPage(service, query)).toEqual(expected);
    expect(await matches(service, query)).toEqual({ lastSeq: 5, count: expected.length, seqs: expected });
  });

  it('by what an event belongs to', async () => {
    const { service, familyId } = await histories.get();
    expect(await seqsOfPage(service, `subject=${familyId}`)).toEqual([4, 3, 1]);
    expect((await matches(service, `subject=${familyId}&text=holiday`)).seqs).toEqual([3]);
  });

  it('and events are read by their places, without searching again', async () => {
    const { service } = await histories.get();
    expect(await seqsOfPage(service, 'seq=1,4,99')).toEqual([4, 1]);
    expect(await seqsOfPage(service, 'seq=1,4&kind=token.resumed')).toEqual([4]);
    for (const seq of ['', '1,', 'a', Array.from({ length: 201 }, (_, place) => place).join()]) {
      const { status, body } = await service.owner('GET', `/portal/history?seq=${seq}`);
      expect([status, (body.errors as { field: string }[])[0]?.field]).toEqual([400, 'seq']);
    }
  });

  it('and its pages say what the subjects of their events are called now', async () => {
    const { service, familyId } = await histories.get();
    const { body } = await service.owner('GET', '/portal/history?text=holiday');
    expect(body.names).toEqual({ [familyId]: 'billing-sync' });
    expect((await service.owner('GET', '/portal/history?kind=settings.')).body.names).toEqual({});
  });

  it('in pages, and the page around a match is found by its place', async () => {
    const { service } = await histories.get();
    const first = await service.owner('GET', '/portal/history?text=billing&limit=2');
    expect(first.body.next_before).toBe(3);
    expect(await seqsOfPage(service, 'text=billing&limit=2&before=3')).toEqual([1]);
    const { seqs } = await matches(service, 'text=billing');
    expect(await seqsOfPage(service, `text=billing&limit=1&before=${seqs[1]! + 1}`)).toEqual([seqs[1]]);
  });

  it('of one credential with the same conditions', async () => {
    const service = await (await OpenService.start()).listen();
    const { value } = await service.issue({ name: 'kept' });
    await service.owner('POST', '/portal/credentials', { name: 'crm', value });
    await service.owner('POST', '/portal/credentials/crm/pause');
    const { body } = await service.owner('GET', '/portal/credentials/crm/history?result=attention');
    expect((body.events as { kind: string }[]).map(({ kind }) => kind)).toEqual(['credential.paused']);
    expect((await service.owner('GET', '/portal/credentials/crm/history?text=')).status).toBe(400);
  });

  it('and the answer to nothing at all is nothing', async () => {
    const service = await OpenService.start();
    expect(await matches(service, '')).toEqual({ lastSeq: 0, count: 0, seqs: [] });
    expect(await matches(service, 'text=a')).toEqual({ lastSeq: 0, count: 0, seqs: [] });
  });
});

describe('a condition that cannot be met', () => {
  it.each([
    ['kind', 'kind=token.polished'],
    ['kind', 'kind='],
    ['kind', 'kind=token.issued,'],
    ['kind', 'kind=token'],
    ['kind', 'kind=token.issued&kind=token.rotated'],
    ['result', 'result=fine'],
    ['text', 'text='],
    ['text', `text=${'x'.repeat(201)}`],
    ['text_kind', 'text=a&text_kind=*'],
    ['after', 'after=-1'],
    ['subject', `subject=${'x'.repeat(101)}`],
    ['colour', 'colour=red'],
  ])('is refused, and %s is named (%s)', async (field, query) => {
    const service = await empty.get();
    for (const path of ['/portal/history', '/portal/history/matches', '/portal/history/export']) {
      const format = path.endsWith('export') ? '&format=csv' : '';
      const { status, body } = await service.owner('GET', `${path}?${query}${format}`);
      expect([status, body.code, (body.errors as { field: string }[])[0]?.field], path).toEqual([
        400,
        'bad_request',
        field,
      ]);
    }
  });

  it.each(['/portal/history', '/portal/history/matches', '/portal/history/export?format=csv'])(
    'does not matter to who may not ask: %s',
    async (url) => {
      const service = await OpenService.start();
      expect((await service.call({ method: 'GET', url })).status).toBe(401);
      expect((await service.owner('POST', url, {})).status).toBe(405);
    },
  );
});

it('a search ends when the caller has gone', async () => {
  const begun = Promise.withResolvers<HistorySearch>();
  const setup = await makeSetup({
    wrapLedger: (store) => ({
      state: store.state,
      transact: (decide) => store.transact(decide),
      assertCurrent: () => store.assertCurrent(),
      history: (filter) => store.history(filter),
      async findEvents(search) {
        begun.resolve(search);
        await once(search.signal as AbortSignal, 'abort');
        return [];
      },
      verify: () => store.verify(),
      health: () => store.health(),
      look: () => store.look(),
      onHealth: (listener) => store.onHealth(listener),
      subscribe: (listener) => store.subscribe(listener),
    }),
  });
  const leaving = new AbortController();
  const asking = fetch(`http://${setup.host}/portal/history/matches?text=a`, {
    headers: { authorization: `Bearer ${setup.service.sessions.portalKey}` },
    signal: leaving.signal,
  });
  const { signal } = await begun.promise;
  expect(signal?.aborted).toBe(false);
  const ended = once(signal as AbortSignal, 'abort');
  leaving.abort();
  await expect(asking).rejects.toThrow();
  await ended;
});

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
