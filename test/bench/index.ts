/**
 * `npm run bench [-- --quick] [name…]`: measures the performance goals of the project.
 *
 * Here: one file a benchmark in `benches/`, what they compare in `contenders/` (the service as an owner runs it, and what
 * another developer would have written), and the load client. Nothing here imports the service; it is called over HTTP.
 * Only preparing and opening data folders goes through `src/core` and `src/store`. Start reading in `benches/rotate.ts`.
 *
 * A benchmark is not a test: a missed goal is reported and the exit code stays 0. Only a benchmark that could
 * not be run, or a wrong command line, fails.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, type Goal, printGoals } from './bench.ts';
import { commandLine } from './benches/command-line.ts';
import { desktop } from './benches/desktop.ts';
import { designerCanvas } from './benches/designer-canvas.ts';
import { proxy } from './benches/proxy.ts';
import { rotateFifty, rotateOne } from './benches/rotate.ts';
import { speech } from './benches/speech.ts';
import { spokenPrompt } from './benches/spoken-prompt.ts';
import { team } from './benches/team.ts';
import { spreadOf } from './paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from './scratch-folder.ts';
import { startLoad } from './start-load.ts';

const benches: readonly Bench[] = [
  rotateFifty,
  rotateOne,
  commandLine,
  proxy,
  desktop,
  designerCanvas,
  team,
  speech,
  spokenPrompt,
];

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(
    `No benchmark ${unknown.join(', ')}; there are ${benches.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const isLeftOut = ({ isLong }: Bench): boolean => values.quick && isLong === true;
const chosen = benches.filter((bench) =>
  positionals.length === 0 ? !isLeftOut(bench) : positionals.includes(bench.name),
);

const startedAt = performance.now();
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
console.log(`Load average before the first round: ${(loadavg()[0] ?? NaN).toFixed(1)}`);
console.log(`One fdatasync of 4 KB in this folder's file system: ${syncMs().toFixed(2)} ms (median of 200)`);
console.log(
  'Ratios are taken turn by turn within this run; absolute figures depend on what else runs here.\n',
);

const load = startLoad();
const goals: Goal[] = [];
const broken: string[] = [];
try {
  for (const bench of chosen) {
    console.log(`${bench.name}: ${bench.title}\n`);
    const begunAt = performance.now();
    try {
      const seen = await bench.run({ quick: values.quick, load });
      printGoals(seen);
      goals.push(...seen);
    } catch (error) {
      console.error(error);
      broken.push(bench.name);
    }
    console.log(`  ${bench.name} took ${((performance.now() - begunAt) / 1000).toFixed(0)} s.\n`);
  }
} finally {
  await load.close();
}

console.log(`All goals, after ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes\n`);
printGoals(goals);
if (positionals.length === 0 && values.quick) {
  const leftOut = benches.filter(isLeftOut).map(({ name }) => name);
  console.log(`Not in a quick run unless named: ${leftOut.join(', ')}.\n`);
}
const missed = goals.filter(({ verdict }) => verdict === 'missed');
const undecided = goals.filter(({ verdict }) => verdict === 'undecided');
const listed = (some: readonly Goal[]): string => some.map(({ what }) => what).join('; ');
console.log(`${goals.length - missed.length - undecided.length} of ${goals.length} goals met.`);
if (missed.length > 0) console.log(`MISSED: ${listed(missed)}.`);
if (undecided.length > 0) console.log(`Undecided, the machine was too busy: ${listed(undecided)}.`);
if (broken.length > 0) {
  console.log(`Could not be measured: ${broken.join(', ')}.`);
  process.exitCode = 1;
}

/** The cost of the disk itself: near 0 means memory or a cache without real syncs, which makes durable contenders look too good. */
function syncMs(): number {
  const folder = createScratchFolder('sync');
  const file = openSync(join(folder, 'probe'), 'w');
  const block = Buffer.alloc(4096, 1);
  const took = Array.from({ length: 200 }, () => {
    const before = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    return performance.now() - before;
  });
  closeSync(file);
  removeScratchFolder(folder);
  return spreadOf(took).median;
}
