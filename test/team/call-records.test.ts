/** @module-tag long */
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { RecordTable } from '../../src/calls/record-table.ts';
import type { CallRecordsNotice } from '../../src/contract/service/store-problem.ts';
import { allOf, day, describeRecordsSuite } from '../calls/record-suite.ts';
import { callRecord } from '../fixtures/call-records.ts';
import { teamTables } from './team-database.ts';

const server = teamTables();
const open: RecordTable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function openTeam() {
  const team = await server.open();
  onTestFinished(() => team.close());
  const notices: CallRecordsNotice[] = [];
  const records = (epoch: number, arrival?: Promise<unknown>): RecordTable => {
    const table = new RecordTable(team.host(epoch, arrival), (notice) => notices.push(notice));
    open.push(table);
    return table;
  };
  return { ...team, notices, records };
}

describeRecordsSuite('the tables of calls', async () => {
  const { records, notices, query } = await openTeam();
  const first = records(1);
  return {
    records: first,
    notices,
    reopen: async () => {
      await first.close();
      return records(1);
    },
    refuse: async () => {
      await query('alter table rotavox.call_write rename to elsewhere');
      return async () => {
        await query('alter table rotavox.elsewhere rename to call_write');
      };
    },
  };
});

describe('the tables of calls', () => {
  test('a host that takes over has the calls under way and the records', async () => {
    const { records, lead } = await openTeam();
    const [before, call] = [records(1), callRecord()];
    const { end: _end, ended_at: _at, ...begun } = callRecord();
    const state = { kind: 'ended', destination: 'x', node: null } as const;
    const underWay = { ...begun, flow: 'f1', channel: 'c1', state };
    before.keepFlow('f1', '{}');
    before.keep(underWay);
    before.save(call);
    await before.close();
    await lead(2);
    const after = records(2);
    expect(await after.underWay()).toEqual([underWay]);
    expect(await after.flow('f1')).toBe('{}');
    expect(await after.read(call.id)).toEqual(call);
  });

  test('a host that does not lead any more changes nothing, and says so', async () => {
    const { records, lead, notices } = await openTeam();
    const before = records(1);
    const call = callRecord();
    before.save(call);
    await before.menuNames();
    await lead(2);
    before.save(callRecord());
    await expect
      .poll(() => notices.map((notice) => notice.kind === 'not_written' && notice.code))
      .toEqual(['NOT_LEADING']);
    await expect(before.forgetCaller(call.caller ?? '')).rejects.toMatchObject({
      refusal: { code: 'NOT_LEADING' },
    });
    expect((await allOf(records(2))).map(({ id }) => id)).toEqual([call.id]);
  });

  test('a statement that arrives late brings back no number that was deleted', async () => {
    const { records } = await openTeam();
    const { promise: arrival, resolve: arrive } = Promise.withResolvers();
    const late = records(1, arrival);
    late.save(callRecord({ caller: '+49301111' }));
    // Its statement is sent, and waits on the way.
    await Promise.resolve();
    const other = records(1);
    expect(await other.forgetCaller('+49301111')).toBe(0);
    arrive(null);
    await late.menuNames();
    expect(await allOf(other)).toEqual([]);
  });

  test('many calls that end at once are written together, each once', async () => {
    const { records } = await openTeam();
    const table = records(1);
    const calls = Array.from({ length: 1_200 }, () => callRecord());
    for (const call of calls) table.save(call, call);
    expect(await table.find({ limit: '1' })).toMatchObject({ total: 1_200 });
    expect(await table.traffic(day)).toMatchObject({ calls: 1_200 });
  });

  test('what PostgreSQL cannot store in a text does not stop other records', async () => {
    const { records } = await openTeam();
    const table = records(1);
    const odd = callRecord({ caller: '+49\0x', keys: ['\0'] });
    table.save(odd, callRecord());
    expect(await table.read(odd.id)).toEqual({ ...odd, caller: '+49\uFFFDx' });
    expect(await allOf(table)).toHaveLength(2);
  });
});
