import { afterAll, beforeAll, expect, it } from 'vitest';
import { CallDetail, CallRecord } from '../../src/contract/calls/call.ts';
import { isoInstant } from '../../src/core/iso-instant.ts';
import { callRecord, callRecordsIn } from '../fixtures/call-records.ts';
import { freshDataDir, removeDataDir } from './rotavox.ts';
import { ServiceHere } from './service-here.ts';

const nowMs = Date.now();
const older = callRecord({
  startedMs: nowMs - 7_200_000,
  tookMs: 12_000,
  keys: ['9', '-', '1'],
  moments: [
    { at_ms: 0, kind: 'entered', menu: 'ivr_a' },
    { at_ms: 4_000, kind: 'key', menu: 'ivr_a', key: '9', used: false },
  ],
});
const newer = callRecord({
  startedMs: nowMs - 60_000,
  caller: '+15550100',
  end: { kind: 'hung_up', menu: 'ivr_a' },
});
let service: ServiceHere;

beforeAll(async () => {
  const dataDir = await freshDataDir();
  service = await ServiceHere.start(dataDir);
  await service.stop();
  const records = await callRecordsIn(dataDir)();
  records.save(older);
  records.save(newer);
  await records.close();
  service = await ServiceHere.start(dataDir);
});
afterAll(async () => {
  await service.stop();
  await removeDataDir(service.dataDir);
});

it('lists calls, newest first, as a table or as one JSON object a line', async () => {
  const { code, stdout } = await service.cli('calls');
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^STARTED +TOOK +CALLER +MENU +KEYS +END +ID$/);
  expect(lines[1]).toMatch(/5\.0 s +\+15550100 +ivr_a +1 +Hung up +call_/);
  expect(lines[2]).toMatch(/12 s +\+4930123456 +ivr_a +9, timeout, 1 +Extension 101 +call_/);
  const json = await service.cli('calls', '--json');
  const records = json.stdout
    .trimEnd()
    .split('\n')
    .map((line) => CallRecord.parse(JSON.parse(line)));
  expect(records.map(({ id }) => id)).toEqual([newer.id, older.id]);
  expect(records[1]).toMatchObject({
    ivr: 'ivr_a',
    caller: '+4930123456',
    keys: ['9', '-', '1'],
    end: { kind: 'destination', destination: 'extension||101' },
  });
});

it('shows only what is asked for, and how to see more', async () => {
  const since = await service.cli('calls', '--since', isoInstant(nowMs - 3_600_000), '--json');
  expect(since.stdout.trimEnd().split('\n')).toHaveLength(1);
  const found = await service.cli('calls', '--search', '4930', '--json');
  expect(found.stdout).toContain(older.id);
  expect((await service.cli('calls', '--ivr', 'ivr_other')).stderr).toBe('No calls match.\n');
  const page = await service.cli('calls', '--limit', '1', '--json');
  const after = /2 calls in all.*--after (\d+)/.exec(page.stderr)?.[1];
  const next = await service.cli('calls', '--limit', '1', '--json', '--after', String(after));
  expect([next.stdout.includes(older.id), next.stderr]).toEqual([true, '']);
  expect(await service.cli('calls', '--since', 'monday')).toMatchObject({ code: 2 });
});

it('shows what happened in a call', async () => {
  const { stdout } = await service.cli('calls', 'show', older.id);
  expect(stdout).toContain('+4930123456  office');
  expect(stdout).toMatch(/4\.0 s +The caller presses 9, a wrong key in “Reception”\./);
  expect(stdout).toMatch(/12 s +The call reached extension 101\./);
  expect(CallDetail.parse(await service.json('calls', 'show', older.id))).toEqual(older);
  expect(await service.cli('calls', 'show', 'call_none')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no record of this call.') as string,
  });
});

it('exports calls as CSV, and deletes those of a number', async () => {
  const { stdout } = await service.cli('calls', 'export', '--search', '1555');
  expect(stdout.trimEnd().split('\r\n')).toHaveLength(2);
  expect((await service.cli('calls', 'forget', '+15550100')).stdout).toBe('1 call record deleted.\n');
  expect((await service.cli('calls', 'forget', '+15550100')).stdout).toBe(
    'There was no record of this caller.\n',
  );
  expect((await service.cli('calls', '--json')).stdout).not.toContain(newer.id);
});
