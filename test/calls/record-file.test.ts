import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { RecordFile, RecordsTooNew } from '../../src/calls/record-file.ts';
import type { CallRecordsNotice } from '../../src/contract/store-problem.ts';
import type { CallDetail, CallFilters, CallRecord } from '../../src/contract/call.ts';
import { isoInstant } from '../../src/core/iso-instant.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { callRecord, noonMs } from '../fixtures/call-records.ts';

const hourMs = 3_600_000;
const open: RecordFile[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

function openRecords(folder = makeFolder()) {
  const notices: CallRecordsNotice[] = [];
  const records = new RecordFile(folder, (notice) => notices.push(notice));
  open.push(records);
  return { records, folder, notices, path: join(folder, 'calls.sqlite') };
}

async function allOf(records: RecordFile, filters: CallFilters = {}): Promise<CallRecord[]> {
  const found: CallRecord[] = [];
  for await (const some of records.all(filters)) found.push(...some);
  return found;
}

function recordOf({ moments: _moments, menu_names: _names, ...record }: CallDetail): CallRecord {
  return record;
}

const day = { since: isoInstant(noonMs - 12 * hourMs), until: isoInstant(noonMs + 12 * hourMs) };

describe('records of calls', () => {
  test('a call is read as it was saved, also by the next process', () => {
    const { records, folder } = openRecords();
    const call = callRecord({ keys: ['9', '-', '1'], caller: null });
    records.save(call);
    expect(records.read(call.id)).toEqual(call);
    expect(records.read('call_other')).toBeNull();
    records.close();
    expect(openRecords(folder).records.read(call.id)).toEqual(call);
  });

  test('every way to end is read as it was saved', () => {
    const { records } = openRecords();
    const ends: CallDetail['end'][] = [
      { kind: 'destination', destination: 'hangup' },
      { kind: 'hung_up', menu: 'ivr_a' },
      { kind: 'failed', reason: 'lost' },
    ];
    for (const end of ends) {
      const call = callRecord({ end });
      records.save(call);
      expect(records.read(call.id)?.end).toEqual(end);
    }
  });

  test('a call that is saved twice is recorded and counted once', () => {
    const { records } = openRecords();
    const call = callRecord();
    records.save(call);
    records.save(call);
    expect(records.traffic(day).calls).toBe(1);
  });

  test('the file can be read by its owner only', () => {
    const { records, folder } = openRecords();
    records.save(callRecord());
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    }
  });

  test('pages follow each other, newest first, and each says how many there are in all', async () => {
    const { records } = openRecords();
    const calls = Array.from({ length: 7 }, (_, at) => callRecord({ startedMs: noonMs + at * 1000 }));
    for (const call of calls) records.save(call);
    const seen: CallRecord[] = [];
    let after: string | undefined;
    do {
      const page = await records.find({ limit: '3', after });
      expect(page.total).toBe(7);
      seen.push(...page.calls);
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual(calls.toReversed().map(recordOf));
  });

  test('a page and a file have what is beyond one part of the reading', async () => {
    const { records, path } = openRecords();
    records.save(callRecord());
    // Leaves a gap, as deleted records do, that is longer than what is read at once.
    const db = new DatabaseSync(path);
    db.exec('UPDATE calls SET seq = seq + 25000; UPDATE details SET seq = seq + 25000');
    db.close();
    const newer = callRecord();
    records.save(newer);
    const first = await records.find({ limit: '1' });
    expect(first.calls).toEqual([recordOf(newer)]);
    expect(first.total).toBe(2);
    records.forgetCaller('nobody');
    const old = callRecord({ id: 'call_old' as CallDetail['id'] });
    const direct = new DatabaseSync(path);
    direct.exec(
      `INSERT INTO calls SELECT 1, '${old.id}', pbx, ivr, draft, caller, started, ended, keys, end_kind, end_detail FROM calls LIMIT 1`,
    );
    direct.close();
    const second = await records.find({ limit: '2', after: first.next ?? undefined });
    expect(second).toMatchObject({ total: 3, next: null });
    expect(second.calls.map(({ id }) => id)).toContain('call_old');
    expect(await allOf(records)).toHaveLength(3);
  });

  describe('filters', () => {
    const filters: [string, CallFilters, string[]][] = [
      [
        'the time, without its end',
        { since: isoInstant(noonMs), until: isoInstant(noonMs + hourMs) },
        ['noon'],
      ],
      ['the first menu', { ivr: 'ivr_b' }, ['later']],
      ['the telephone system', { pbx: 'branch' }, ['early']],
      ['the end', { end: 'hung_up' }, ['early']],
      ['a part of the number', { search: '555' }, ['later']],
      ['a part of the destination', { search: 'extension||1' }, ['noon', 'later']],
      ['the name of the menu', { search: 'recep' }, ['early', 'noon']],
      ['the menu where a call was left', { search: 'night' }, ['early']],
      ['signs that SQL would take for others', { search: '%' }, []],
      ['a quote', { search: "' OR TRUE --" }, []],
    ];
    test.each(filters)('by %s', async (_name, query, expected) => {
      const { records } = openRecords();
      const named = { ivr_a: 'Reception', ivr_n: 'Night' };
      const calls = {
        early: callRecord({
          startedMs: noonMs - hourMs,
          pbx: 'branch',
          end: { kind: 'hung_up', menu: 'ivr_n' },
          menu_names: named,
        }),
        noon: callRecord(),
        later: callRecord({
          startedMs: noonMs + hourMs,
          ivr: 'ivr_b',
          caller: '+1 555',
          menu_names: { ivr_b: 'Sales' },
        }),
      };
      for (const call of Object.values(calls)) records.save(call);
      const nameOf = new Map(Object.entries(calls).map(([name, { id }]) => [id, name]));
      const page = await records.find(query);
      expect(page.calls.map(({ id }) => nameOf.get(id)).toReversed()).toEqual(expected);
      expect(page.total).toBe(expected.length);
      expect((await allOf(records, query)).length).toBe(expected.length);
    });
  });
});

describe('deleting records', () => {
  test('of one caller: the number is nowhere in the files afterwards, and the counts stay', () => {
    const { records, folder } = openRecords();
    records.save(callRecord({ caller: '+49301111' }));
    records.save(callRecord({ caller: '+49301111' }));
    records.save(callRecord({ caller: '+49302222' }));
    expect(records.forgetCaller('+49301111')).toBe(2);
    expect(records.traffic(day).calls).toBe(3);
    records.close();
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(files.join('')).not.toContain('+49301111');
    expect(files.join('')).toContain('+49302222');
  });

  test('of old calls, with their counts, whatever the number of parts', async () => {
    const { records } = openRecords();
    const old = noonMs - 90 * 24 * hourMs;
    for (let at = 0; at < 2_001; at += 1) records.save(callRecord({ startedMs: old }));
    records.save(callRecord());
    await records.forgetBefore(noonMs - hourMs);
    expect((await records.find({})).total).toBe(1);
    expect(records.traffic({ ...day, since: isoInstant(old) }).calls).toBe(1);
  });
});

describe('calls under way', () => {
  const { end: _end, ended_at: _at, ...begun } = callRecord();
  const underWay = {
    ...begun,
    flow: 'f1',
    channel: 'c1',
    state: { kind: 'ended', destination: 'x', node: null },
  } as const;

  test('are there for the next process as they were last, until they are saved', () => {
    const { records, folder } = openRecords();
    records.keepFlow('f1', '{}');
    records.keep(underWay);
    records.keep({ ...underWay, keys: ['1', '2'] });
    records.close();
    const { records: next } = openRecords(folder);
    expect(next.underWay()).toEqual([{ ...underWay, keys: ['1', '2'] }]);
    expect(next.flow('f1')).toBe('{}');
    next.save(callRecord({ id: underWay.id }));
    expect(next.underWay()).toEqual([]);
  });

  test('keep their flow when old ones are deleted', async () => {
    const { records } = openRecords();
    records.keepFlow('f1', '{}');
    records.keepFlow('f2', '{}');
    records.keep(underWay);
    await records.forgetBefore(0);
    expect([records.flow('f1'), records.flow('f2')]).toEqual(['{}', null]);
  });
});

describe('a file with a problem', () => {
  test('a damaged one is kept under another name, and said', () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'calls.sqlite'), 'not a database '.repeat(1000));
    const { records, notices } = openRecords(folder);
    records.save(callRecord());
    expect(records.traffic(day).calls).toBe(1);
    const [notice] = notices;
    expect(notice?.kind).toBe('damaged');
    expect(existsSync(notice?.kind === 'damaged' ? notice.kept_as : '')).toBe(true);
  });

  test('one from a newer version is refused and left as it is', () => {
    const { records, folder, path } = openRecords();
    records.close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => openRecords(folder)).toThrow(RecordsTooNew);
    const after = new DatabaseSync(path);
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    after.close();
  });

  test('what cannot be written is told once, waits, and is written with the next call', () => {
    const { records, path, notices } = openRecords();
    const other = new DatabaseSync(path);
    other.exec('BEGIN EXCLUSIVE');
    const waiting = callRecord();
    records.save(waiting);
    records.save(callRecord());
    expect(notices.map(({ kind }) => kind)).toEqual(['not_written']);
    other.exec('ROLLBACK');
    other.close();
    records.save(callRecord());
    expect(records.read(waiting.id)).toEqual(waiting);
    expect(records.traffic(day).calls).toBe(3);
  });
});

describe('traffic', () => {
  test('counts what callers did in each menu, and how calls ended', () => {
    const { records } = openRecords();
    records.save(
      callRecord({
        tookMs: 9_000,
        moments: [
          { at_ms: 0, kind: 'entered', menu: 'ivr_a' },
          { at_ms: 10, kind: 'played', menu: 'ivr_a', recording: 'recording||1', missing: null },
          { at_ms: 900, kind: 'key', menu: 'ivr_a', key: '7', used: false },
          { at_ms: 5_000, kind: 'timeout', menu: 'ivr_a' },
          { at_ms: 6_000, kind: 'led', menu: 'ivr_a', by: 'timeout', to: { menu: 'ivr_b' } },
          { at_ms: 6_000, kind: 'entered', menu: 'ivr_b' },
          { at_ms: 8_000, kind: 'key', menu: 'ivr_b', key: '#', used: true },
        ],
      }),
    );
    records.save(
      callRecord({
        end: { kind: 'hung_up', menu: 'ivr_a' },
        moments: [{ at_ms: 0, kind: 'entered', menu: 'ivr_a' }],
      }),
    );
    records.save(callRecord({ end: { kind: 'failed', reason: 'lost' }, moments: [] }));
    const traffic = records.traffic(day);
    expect(traffic).toMatchObject({ calls: 3, reached: 1, hung_up: 1, failed: 1, by: 'hour' });
    expect(traffic.menus.toSorted((a, b) => a.menu.localeCompare(b.menu))).toEqual([
      {
        menu: 'ivr_a',
        entered: 2,
        keys: {},
        wrong_keys: 1,
        timeouts: 1,
        hung_up: 1,
        led: { wrong_key: 0, timeout: 1 },
      },
      {
        menu: 'ivr_b',
        entered: 1,
        keys: { '#': 1 },
        wrong_keys: 0,
        timeouts: 0,
        hung_up: 0,
        led: { wrong_key: 0, timeout: 0 },
      },
    ]);
    expect(traffic.median_to_destination_ms).toBeGreaterThan(9_000 * 0.97);
    expect(traffic.median_to_destination_ms).toBeLessThan(9_000 * 1.03);
    expect(records.traffic({ ...day, menus: 'ivr_b,ivr_c' })).toMatchObject({
      calls: 0,
      menus: [{ menu: 'ivr_b' }],
    });
  });

  test('a draft that its owner tries is no traffic', () => {
    const { records } = openRecords();
    records.save(callRecord({ draft: 'draft_1' }));
    expect(records.traffic(day)).toMatchObject({ calls: 0, menus: [], times: [] });
  });

  test('whole days and the hours around them give the same as the hours one by one', () => {
    const { records } = openRecords();
    const started = Array.from({ length: 200 }, (_, at) => noonMs + ((at * 7919) % (9 * 24)) * hourMs);
    for (const startedMs of started) records.save(callRecord({ startedMs }));
    for (const [from, to] of [
      [0, 9 * 24],
      [5, 100],
      [30, 34],
      [13, 37],
    ] as const) {
      const [since, until] = [noonMs + from * hourMs, noonMs + to * hourMs];
      const { calls, times } = records.traffic({ since: isoInstant(since), until: isoInstant(until) });
      expect(calls).toBe(started.filter((ms) => ms >= since && ms < until).length);
      expect(times.reduce((sum, { calls: some }) => sum + some, 0)).toBe(calls);
    }
  });
});
