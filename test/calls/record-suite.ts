import { describe, expect, test } from 'vitest';
import type { StoredCalls } from '../../src/calls/call-log.ts';
import type { CallDetail, CallFilters, CallRecord } from '../../src/contract/calls/call.ts';
import type { CallRecordsNotice } from '../../src/contract/service/store-problem.ts';
import { isoInstant } from '../../src/core/iso-instant.ts';
import { callRecord, noonMs } from '../fixtures/call-records.ts';

const hourMs = 3_600_000;

export interface RecordsFixture {
  readonly records: StoredCalls;
  readonly notices: readonly CallRecordsNotice[];
  /** Closes them and opens them again, as the next process. */
  reopen(): Promise<StoredCalls>;
  /** Has writes refused from now on. Returns what ends that. */
  refuse(): Promise<() => Promise<void>>;
}

export async function allOf(records: StoredCalls, filters: CallFilters = {}): Promise<CallRecord[]> {
  const found: CallRecord[] = [];
  for await (const some of records.all(filters)) found.push(...some);
  return found;
}

export function recordOf({ moments: _moments, menu_names: _names, ...record }: CallDetail): CallRecord {
  return record;
}

export const day = { since: isoInstant(noonMs - 12 * hourMs), until: isoInstant(noonMs + 12 * hourMs) };

/** What every store of calls has to do. */
export function describeRecordsSuite(
  name: string,
  open: () => Promise<RecordsFixture> | RecordsFixture,
): void {
  describe(`${name}, as every store of calls`, () => {
    describe('records of calls', () => {
      test('a call is read as it was saved, also by the next process', async () => {
        const { records, reopen } = await open();
        const call = callRecord({ keys: ['9', '-', '1'], caller: null });
        records.save(call);
        expect(await records.read(call.id)).toEqual(call);
        expect(await records.read('call_other')).toBeNull();
        expect(await (await reopen()).read(call.id)).toEqual(call);
      });

      test('every way to end is read as it was saved', async () => {
        const { records } = await open();
        const ends: CallDetail['end'][] = [
          { kind: 'destination', destination: 'hangup' },
          { kind: 'hung_up', menu: 'ivr_a' },
          { kind: 'failed', reason: 'lost' },
        ];
        for (const end of ends) {
          const call = callRecord({ end });
          records.save(call);
          expect((await records.read(call.id))?.end).toEqual(end);
        }
      });

      test('a call that is saved twice is recorded and counted once', async () => {
        const { records } = await open();
        const call = callRecord();
        records.save(call);
        records.save(call);
        expect((await records.traffic(day)).calls).toBe(1);
      });

      test('pages follow each other, newest first, and each says how many there are in all', async () => {
        const { records } = await open();
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

      describe('filters', async () => {
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
          const { records } = await open();
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
      test('of one caller, and of nobody else, and the counts stay', async () => {
        const { records } = await open();
        const other = callRecord({ caller: '+49302222' });
        records.save(callRecord({ caller: '+49301111' }), callRecord({ caller: '+49301111' }), other);
        expect(await records.forgetCaller('+49301111')).toBe(2);
        expect(await allOf(records)).toEqual([recordOf(other)]);
        expect(await records.traffic(day)).toMatchObject({ calls: 3 });
      });

      test('of old calls, with their counts, whatever the number of parts', async () => {
        const { records } = await open();
        const old = noonMs - 90 * 24 * hourMs;
        for (let at = 0; at < 2_001; at += 1) records.save(callRecord({ startedMs: old }));
        records.save(callRecord());
        await records.forgetBefore(noonMs - hourMs);
        expect((await records.find({})).total).toBe(1);
        expect((await records.traffic({ ...day, since: isoInstant(old) })).calls).toBe(1);
      });
    });

    describe('calls under way', async () => {
      const { end: _end, ended_at: _at, ...begun } = callRecord();
      const underWay = {
        ...begun,
        flow: 'f1',
        channel: 'c1',
        state: { kind: 'ended', destination: 'x', node: null },
      } as const;

      test('are there for the next process as they were last, until they are saved', async () => {
        const { records, reopen } = await open();
        records.keepFlow('f1', '{}');
        records.keep(underWay);
        records.keep({ ...underWay, keys: ['1', '2'] });
        const next = await reopen();
        expect(await next.underWay()).toEqual([{ ...underWay, keys: ['1', '2'] }]);
        expect(await next.flow('f1')).toBe('{}');
        next.save(callRecord({ id: underWay.id }));
        expect(await next.underWay()).toEqual([]);
      });

      test('keep their flow when old ones are deleted', async () => {
        const { records } = await open();
        records.keepFlow('f1', '{}');
        records.keepFlow('f2', '{}');
        records.keep(underWay);
        await records.forgetBefore(0);
        expect([await records.flow('f1'), await records.flow('f2')]).toEqual(['{}', null]);
      });
    });

    test('what cannot be written is told once, waits, and is written with the next call', async () => {
      const { records, notices, refuse } = await open();
      const accept = await refuse();
      const waiting = callRecord();
      records.save(waiting);
      await expect.poll(() => notices.map(({ kind }) => kind)).toEqual(['not_written']);
      records.save(callRecord());
      await records.forgetBefore(0);
      expect(notices).toHaveLength(1);
      await accept();
      records.save(callRecord());
      expect(await records.read(waiting.id)).toEqual(waiting);
      expect(await records.traffic(day)).toMatchObject({ calls: 3 });
    });

    describe('traffic', async () => {
      test('counts what callers did in each menu, and how calls ended', async () => {
        const { records } = await open();
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
        const traffic = await records.traffic(day);
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
        expect(await records.traffic({ ...day, menus: 'ivr_b,ivr_c' })).toMatchObject({
          calls: 0,
          menus: [{ menu: 'ivr_b' }],
        });
      });

      test('a draft that its owner tries is no traffic', async () => {
        const { records } = await open();
        records.save(callRecord({ draft: 'draft_1' }));
        expect(await records.traffic(day)).toMatchObject({ calls: 0, menus: [], times: [] });
      });

      test('whole days and the hours around them give the same as the hours one by one', async () => {
        const { records } = await open();
        const started = Array.from({ length: 200 }, (_, at) => noonMs + ((at * 7919) % (9 * 24)) * hourMs);
        for (const startedMs of started) records.save(callRecord({ startedMs }));
        for (const [from, to] of [
          [0, 9 * 24],
          [5, 100],
          [30, 34],
          [13, 37],
        ] as const) {
          const [since, until] = [noonMs + from * hourMs, noonMs + to * hourMs];
          const { calls, times } = await records.traffic({
            since: isoInstant(since),
            until: isoInstant(until),
          });
          expect(calls).toBe(started.filter((ms) => ms >= since && ms < until).length);
          expect(times.reduce((sum, { calls: some }) => sum + some, 0)).toBe(calls);
        }
      });
    });
  });
}
