import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { runScript } from '../child-process.ts';
import { startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgePercent, judgeRatio } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { exactCpuSecondsOf } from '../process-usage.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const count = 1_000;
const idleTurns = 3;
const idleMs = 30_000;
const folderOfBenches = join(import.meta.dirname, '..');

/** The cost of a thousand credentials: all due at once, while nothing is due, and at the start. */
export const agent: Bench = {
  name: 'agent',
  title: `the agent with ${count.toLocaleString('en')} credentials`,
  async run({ quick }) {
    if (quick) console.log('  Idling and starting are measured without --quick.\n');
    const scratch = createScratchFolder('agent');
    try {
      return [await measureDue(scratch, quick ? 1 : 5), ...(quick ? [] : await measureIdleAndStart(scratch))];
    } finally {
      removeScratchFolder(scratch);
    }
  },
};

async function measureDue(scratch: string, turns: number): Promise<Goal> {
  const plain: number[] = [];
  const ours: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const service = await startRotavox('service', join(scratch, `service-${turn}`));
    const tokensFile = join(scratch, `tokens-${turn}`);
    writeFileSync(tokensFile, (await service.issueTokens(count)).join('\n'), { mode: 0o600 });
    const args = [
      join(folderOfBenches, 'agent-due.ts'),
      join(scratch, `agent-${turn}`),
      `http://127.0.0.1:${service.port}`,
      tokensFile,
    ];
    const took = (await runScript({ args }, 120_000)) as { plainMs: number; agentMs: number };
    plain.push(took.plainMs);
    ours.push(took.agentMs);
    await service.close();
  }
  const row = (what: string, ms: readonly number[]): string[] => {
    const { median, min, max } = spreadOf(ms);
    return [what, median.toFixed(0), min.toFixed(0), max.toFixed(0)];
  };
  printTable(
    [`milliseconds for ${count} rotations`, 'median', 'min', 'max'],
    [row('one after another, nothing kept', plain), row('the agent, all due at once', ours)],
  );
  const ratio = spreadOf(ours.map((ms, turn) => ms / (plain[turn] ?? NaN)));
  return judgeRatio('1,000 due at once / 1,000 plain rotations in a row', ratio, { atMost: 1 });
}

async function measureIdleAndStart(scratch: string): Promise<Goal[]> {
  const folders = { none: join(scratch, 'none'), many: join(scratch, 'many') };
  for (const [folder, credentials] of [
    [folders.none, 0],
    [folders.many, count],
  ] as const) {
    await runScript(
      { args: [join(folderOfBenches, 'seed-credentials.ts'), folder, String(credentials)] },
      60_000,
    );
  }
  const ready = { none: [] as number[], many: [] as number[] };
  const cpu = { none: [] as number[], many: [] as number[] };
  const wakeUps = { none: [] as number[], many: [] as number[] };
  for (let turn = 0; turn < idleTurns; turn += 1) {
    for (const name of ['none', 'many'] as const) {
      const service = await startRotavox(name, folders[name]);
      ready[name].push(service.readyMs);
      await wait(3_000); // the work after a start is not idling
      const [cpuBefore, wakesBefore] = [exactCpuSecondsOf(service.pid), wakeUpsOf(service.pid)];
      await wait(idleMs);
      const [cpuAfter, wakesAfter] = [exactCpuSecondsOf(service.pid), wakeUpsOf(service.pid)];
      cpu[name].push((((cpuAfter ?? NaN) - (cpuBefore ?? NaN)) * 1000 * 100) / idleMs);
      wakeUps[name].push(((wakesAfter - wakesBefore) * 60_000) / idleMs);
      await service.close();
    }
  }
  const median = (values: readonly number[]): number => spreadOf(values).median;
  printTable(
    ['medians', 'ready, ms', 'CPU while idle, % of a core', 'main thread wakes, a minute'],
    (['none', 'many'] as const).map((name) => [
      name === 'none' ? 'no credential' : `${count} credentials`,
      median(ready[name]).toFixed(0),
      median(cpu[name]).toFixed(2),
      median(wakeUps[name]).toFixed(0),
    ]),
  );
  const ratio = spreadOf(ready.many.map((ms, turn) => ms / (ready.none[turn] ?? NaN)));
  console.log(`  Ready with ${count} credentials / with none: ${ratio.median.toFixed(2)}x\n`);
  return [
    judgePercent('CPU while idle with 1,000 credentials', spreadOf(cpu.many), 0.1),
    judgeRatio('main thread wakes, 1,000 credentials / none', wakeRatio(wakeUps), { atMost: 1.1 }),
  ];
}

function wakeRatio({ none, many }: { none: readonly number[]; many: readonly number[] }) {
  // Both may be close to zero: a difference of one a second is irrelevant.
  return spreadOf(many.map((wakes, turn) => (wakes + 60) / ((none[turn] ?? NaN) + 60)));
}

/** How often the main thread has slept and woken; NaN without /proc. */
function wakeUpsOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? NaN);
  } catch {
    return NaN;
  }
}
