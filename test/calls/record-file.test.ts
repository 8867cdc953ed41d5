import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { RecordFile, RecordsTooNew } from '../../src/calls/record-file.ts';
import type { CallDetail } from '../../src/contract/calls/call.ts';
import type { CallRecordsNotice } from '../../src/contract/service/store-problem.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { callRecord } from '../fixtures/call-records.ts';
import { allOf, day, describeRecordsSuite, recordOf } from './record-suite.ts';

const open: RecordFile[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function openRecords(folder = makeFolder()) {
  const notices: CallRecordsNotice[] = [];
  const records = new RecordFile(folder, (notice) => notices.push(notice));
  open.push(records);
  return { records, folder, notices, path: join(folder, 'calls.sqlite') };
}

describeRecordsSuite('the file of calls', () => {
  const { records, folder, notices, path } = openRecords();
  return {
    records,
    notices,
    reopen: async () => {
      await records.close();
      return openRecords(folder).records;
    },
    refuse: async () => {
      const other = new DatabaseSync(path);
      other.exec('BEGIN EXCLUSIVE');
      return async () => {
        other.exec('ROLLBACK');
        other.close();
      };
    },
  };
});

describe('the file of calls', () => {
  test('the file can be read by its owner only', async () => {
    const { records, folder } = openRecords();
    records.save(callRecord());
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0);
    }
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
    await records.forgetCaller('nobody');
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

  test('of one caller: the number is nowhere in the files afterwards, and the counts stay', async () => {
    const { records, folder } = openRecords();
    records.save(callRecord({ caller: '+49301111' }));
    records.save(callRecord({ caller: '+49301111' }));
    records.save(callRecord({ caller: '+49302222' }));
    expect(await records.forgetCaller('+49301111')).toBe(2);
    expect((await records.traffic(day)).calls).toBe(3);
    await records.close();
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(files.join('')).not.toContain('+49301111');
    expect(files.join('')).toContain('+49302222');
  });
});

describe('a file with a problem', async () => {
  test('a damaged one is kept under another name, and said', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'calls.sqlite'), 'not a database '.repeat(1000));
    const { records, notices } = openRecords(folder);
    records.save(callRecord());
    expect((await records.traffic(day)).calls).toBe(1);
    const [notice] = notices;
    expect(notice?.kind).toBe('damaged');
    expect(existsSync(notice?.kind === 'damaged' ? notice.kept_as : '')).toBe(true);
  });

  test('one from a newer version is refused and left as it is', async () => {
    const { records, folder, path } = openRecords();
    await records.close();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => openRecords(folder)).toThrow(RecordsTooNew);
    const after = new DatabaseSync(path);
    expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    after.close();
  });
});
