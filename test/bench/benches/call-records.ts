import { join } from 'node:path';
import { mkdirSync, statSync } from 'node:fs';
import { RecordFile } from '../../../src/calls/record-file.ts';
import type { CallEnd } from '../../../src/contract/call.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { callRecord } from '../../fixtures/call-records.ts';
import type { Bench } from '../bench.ts';
import { startRotavox, type RunningRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeMs } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const dayMs = 86_400_000;
const days = 90;
const menus = 20;
const goalMs = 200;

/** How long the traffic, a page and a search take with a million records of 90 days, and whether they delay other calls. */
export const callRecords: Bench = {
  name: 'call-records',
  title: 'reading 1,000,000 records of calls',
  isLong: true,
  async run({ quick }) {
    const scratch = createScratchFolder('call-records');
    const dataDir = join(scratch, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    await seed(dataDir, quick ? 100_000 : 1_000_000);
    const service = await startRotavox('Rotavox', dataDir);
    try {
      return await measure(service, quick ? 5 : 15);
    } finally {
      await service.close();
      removeScratchFolder(scratch);
    }
  },
};

async function seed(folder: string, count: number): Promise<void> {
  const records = new RecordFile(folder, (notice) => {
    throw new Error(JSON.stringify(notice));
  });
  const before = performance.now();
  const nowMs = Date.now();
  for (let saved = 0; saved < count; saved += 10_000) {
    records.save(...Array.from({ length: 10_000 }, (_, at) => seededCall(saved + at, count, nowMs)));
  }
  await records.close();
  const megabytes = statSync(join(folder, 'calls.sqlite')).size / 1e6;
  const us = ((performance.now() - before) * 1000) / count;
  console.log(`${count} records: ${megabytes.toFixed(0)} MB, ${us.toFixed(0)} µs each`);
}

/** Spread over the time and over the menus; each second call goes through two menus, each tenth is hung up. */
function seededCall(at: number, count: number, nowMs: number) {
  const startedMs = Math.floor(nowMs - days * dayMs * (1 - at / count));
  const [ivr, next] = [`ivr_${at % menus}`, `ivr_${(at * 7) % menus}`];
  const end: CallEnd =
    at % 10 === 0
      ? { kind: 'hung_up', menu: ivr }
      : { kind: 'destination', destination: `extension||${at % 500}` };
  const key = String(at % 9);
  return callRecord({
    startedMs,
    tookMs: 3_000 + ((at * 7919) % 60_000),
    ivr,
    caller: `+4930${String((at * 104_729) % 10_000_000).padStart(7, '0')}`,
    end,
    moments: [
      { at_ms: 0, kind: 'entered', menu: ivr },
      { at_ms: 40, kind: 'played', menu: ivr, recording: 'recording||1', missing: null },
      { at_ms: 2_000, kind: 'key', menu: ivr, key, used: true },
      ...(at % 2 === 0
        ? ([
            { at_ms: 2_000, kind: 'led', menu: ivr, by: 'key', to: { menu: next } },
            { at_ms: 2_000, kind: 'entered', menu: next },
            { at_ms: 2_900, kind: 'key', menu: next, key: '1', used: true },
          ] as const)
        : []),
    ],
    menu_names: { [ivr]: `Menu ${at % menus}` },
  });
}

async function measure(service: RunningRotavox, turns: number): Promise<Goal[]> {
  const nowMs = Date.now();
  const since = (back: number) => `since=${isoInstant(nowMs - back * dayMs)}&until=${isoInstant(nowMs)}`;
  const asked = [
    { what: 'traffic of 1 day', path: `/portal/traffic?${since(1)}` },
    { what: 'traffic of 30 days', path: `/portal/traffic?${since(30)}` },
    { what: 'traffic of 90 days', path: `/portal/traffic?${since(days)}` },
    { what: 'first page', path: '/portal/calls' },
    { what: 'page of a search in all numbers', path: '/portal/calls?search=30104' },
  ];
  const took = new Map<string, number[]>(asked.map(({ what }) => [what, []]));
  const beside = new Map<string, number[]>(asked.map(({ what }) => [what, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const { what, path } of asked) {
      const before = performance.now();
      const answered = service.portal('GET', path);
      // What another call waits while this one is answered.
      await service.portal('GET', '/portal/status');
      beside.get(what)?.push(performance.now() - before);
      await answered;
      took.get(what)?.push(performance.now() - before);
    }
  }
  printTable(
    ['asked', 'median ms', 'longest ms', 'another call meanwhile: median ms', 'longest ms'],
    asked.map(({ what }) => {
      const [own, other] = [spreadOf(took.get(what) ?? []), spreadOf(beside.get(what) ?? [])];
      return [what, own.median.toFixed(1), own.max.toFixed(1), other.median.toFixed(1), other.max.toFixed(1)];
    }),
  );
  return asked
    .filter(({ what }) => what.startsWith('traffic'))
    .map(({ what }) => judgeMs(what, spreadOf(took.get(what) ?? []), goalMs));
}
