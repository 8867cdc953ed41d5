import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { runScript } from '../child-process.ts';
import { startRotavox } from '../contenders/rotavox.ts';
import { type Goal, judgeMs, judgeRatio } from '../goal.ts';
import { spreadOf } from '../paired-rounds.ts';
import { printTable } from '../print-table.ts';
import { residentBytesOf } from '../process-usage.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { seedDataDir } from '../seed.ts';

interface Opened {
  readonly openMs: number;
  readonly objectBytes: number;
  readonly bufferBytes: number;
  readonly tokens: number;
  readonly events: number;
}

const root = join(import.meta.dirname, '..');

/** A service that has been used for a long time is restarted. Files are in the system's cache for all contenders. */
export const start: Bench = {
  name: 'start',
  title: 'start with 100,000 tokens and 1,000,000 events',
  async run({ quick }) {
    const scratch = createScratchFolder('start');
    try {
      const dataDir = join(scratch, 'data');
      await seedDataDir(dataDir, { tokens: 100_000, events: 1_000_000 });
      const asOneFile = join(scratch, 'everything.json');
      writeAsOneFile(dataDir, asOneFile);
      return await measure(dataDir, asOneFile, quick ? 1 : 7);
    } finally {
      removeScratchFolder(scratch);
    }
  },
};

async function measure(dataDir: string, asOneFile: string, turns: number): Promise<Goal[]> {
  const parse: number[] = [];
  const parseState: number[] = [];
  const opened: Opened[] = [];
  const ready: number[] = [];
  let resident: number | undefined;
  for (let turn = 0; turn < turns; turn += 1) {
    parse.push(await timeParse(asOneFile));
    parseState.push(await timeParse(join(dataDir, 'state.json')));
    opened.push(await timeOpen(dataDir));
    const service = await startRotavox('Rotavox', dataDir);
    ready.push(service.readyMs);
    resident = residentBytesOf(service.pid);
    await service.close();
  }
  const open = opened.map(({ openMs }) => openMs);
  const row = (what: string, ms: readonly number[]): string[] => {
    const { median, min, max } = spreadOf(ms);
    return [what, median.toFixed(0), min.toFixed(0), max.toFixed(0)];
  };
  printTable(
    ['milliseconds', 'median', 'min', 'max'],
    [
      row('JSON.parse, state and events in one file', parse),
      row('JSON.parse, the state file alone', parseState),
      row('opening the store in a process', open),
      row('from spawn to the ready line', ready),
    ],
  );
  const over = (one: readonly number[], other: readonly number[]) =>
    spreadOf(one.map((ms, turn) => ms / (other[turn] ?? NaN)));
  const perToken = spreadOf(opened.map(({ objectBytes, tokens }) => objectBytes / tokens)).median;
  const perEvent = spreadOf(opened.map(({ bufferBytes, events }) => bufferBytes / events)).median;
  console.log(`  In memory: ${perToken.toFixed(0)} bytes a token (objects, a fifth of a family among them),`);
  console.log(`  ${perEvent.toFixed(1)} bytes an event (the index of the history, in typed arrays).`);
  if (resident !== undefined) console.log(`  Resident when ready: ${(resident / 2 ** 20).toFixed(0)} MiB`);
  console.log(
    `  Opening is ${over(open, parseState).median.toFixed(1)}x the JSON.parse of the state file alone.\n`,
  );
  return [
    judgeRatio('opening / JSON.parse of state and events', over(open, parse), { atMost: 3 }),
    judgeMs('from spawn to ready', spreadOf(ready), 3000),
  ];
}

/** The data of the simplest program: the current state, and every event as in the journal. */
function writeAsOneFile(dataDir: string, file: string): void {
  const state = readFileSync(join(dataDir, 'state.json'), 'utf8').trimEnd();
  writeFileSync(file, `{"state":${state},"events":[`);
  const journal = join(dataDir, 'journal');
  let isFirst = true;
  for (const name of readdirSync(journal)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()) {
    const [, ...lines] = readFileSync(join(journal, name), 'utf8').trimEnd().split('\n');
    if (lines.length === 0) continue;
    appendFileSync(file, `${isFirst ? '' : ','}${lines.join(',')}`);
    isFirst = false;
  }
  appendFileSync(file, ']}');
}

async function timeParse(file: string): Promise<number> {
  const { parseMs } = (await runScript({ args: [join(root, 'time-parse.ts'), file] }, 120_000)) as {
    parseMs: number;
  };
  return parseMs;
}

async function timeOpen(dataDir: string): Promise<Opened> {
  const command = { nodeOptions: ['--expose-gc'], args: [join(root, 'time-open.ts'), dataDir] };
  return (await runScript(command, 120_000)) as Opened;
}
