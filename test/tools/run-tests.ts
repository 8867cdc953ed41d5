/**
 * The test command: `npm test`, or `npm test -- store service` for some steps. With `--long` the long proofs:
 * `npm run test:long`.
 *
 * First it says what cannot run here and why. It runs two steps at a time, with one more in the background, and everything even
 * when something fails, says of each step what it came to and how long it took, and ends with one line of numbers. Start
 * reading at `steps.ts`.
 */
import { ensureAsterisk } from './asterisk-root.ts';
import { ensureTestPackages } from './debian-packages.ts';
import { startDesktop } from './desktop-session.ts';
import { addOutcomes, failedOnce, tally } from './outcome.ts';
import { ensurePostgres } from './postgres-programs.ts';
import { beginRun } from './scratch-run.ts';
import { notRun, runSteps } from './run-steps.ts';
import type { Done } from './run-steps.ts';
import { steps } from './steps.ts';
import type { Step } from './steps.ts';
import type { Need } from './suites.ts';

const args = process.argv.slice(2);
const chosen = chooseSteps(
  args.filter((arg) => arg !== '--long'),
  args.includes('--long'),
);
const run = beginRun();
try {
  const lacks = await provide(chosen);
  for (const [need, lack] of lacks) {
    const without = chosen.filter((step) => step.needs.includes(need)).map(({ name }) => name);
    say(`cannot run here: ${without.join(' ')}; ${lack}`);
  }
  const isOnDesktop = chosen.some(({ needs }) => needs.includes('desktop')) && !lacks.has('desktop');
  const desktop = isOnDesktop ? await startDesktop(run.folder) : undefined;
  const done = await runSteps(chosen, {
    lacks,
    isStrict: process.env['CI'] !== undefined,
    options: { scratch: run.folder, desktop: desktop?.env ?? {} },
    say,
    tell,
  });
  await desktop?.close();
  done.push(...leftRunning(await run.end()));

  console.log(['', ...done.flatMap((one) => [verdict(one), ...indented(one.outcome.notes)]), ''].join('\n'));
  const total = addOutcomes(done.map(({ outcome }) => outcome));
  console.log(tally(total));
  // Not exit(): what is still on its way to a pipe must arrive.
  process.exitCode = total.failed === 0 ? 0 : 1;
} finally {
  await run.end();
}

function chooseSteps(names: readonly string[], isLong: boolean): Step[] {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `No step is called ${unknown.join(', ')}. There are: ${steps.map(({ name }) => name).join(' ')}`,
    );
    process.exit(2);
  }
  if (names.length === 0)
    return withNeeded(steps.filter((step) => step.isLong === isLong && step.isOnRequest !== true));
  return withNeeded(steps.filter(({ name }) => names.includes(name)));
}

/** In the order of the table. */
function withNeeded(selected: readonly Step[]): Step[] {
  const wanted = new Set(selected.flatMap(({ name, after }) => [name, ...after]));
  return steps.filter(({ name }) => wanted.has(name));
}

/** Installs what steps need where it can; answers what is missing for them, with what to do about it. */
async function provide(selected: readonly Step[]): Promise<Map<Need, string>> {
  const needed = new Set(selected.flatMap(({ needs }) => needs));
  const lacks = new Map<Need, string>();
  const note = (need: Need, lack: string | null): void => {
    if (needed.has(need) && lack !== null) lacks.set(need, lack);
  };
  // The packages for a desktop contain what unpacks Asterisk.
  const isDesktop = needed.has('desktop') || needed.has('asterisk');
  const packages = await ensureTestPackages(say, { desktop: isDesktop });
  if (packages !== null && !isDesktop) say(`what some tests start is missing; ${packages}`);
  note('desktop', packages);
  if (needed.has('asterisk')) note('asterisk', await ensureAsterisk(say));
  if (needed.has('postgres')) note('postgres', await ensurePostgres(say));
  return lacks;
}

function leftRunning(commands: readonly string[]): Done[] {
  if (commands.length === 0) return [];
  return [
    notRun('processes', failedOnce(...commands.map((command) => `left running by a test: ${command}`))),
  ];
}

function tell(done: Done): void {
  for (const note of done.outcome.notes) console.log(note);
  console.log(verdict(done));
}

function indented(notes: readonly string[]): string[] {
  return notes.map((note) => note.replaceAll(/^/gmu, '    '));
}

function verdict({ name, outcome, ms, cpuMs }: Done): string {
  const sign = outcome.failed > 0 ? '✗' : '✓';
  const seconds = (time: number): string => `${(time / 1000).toFixed(1)} s`.padStart(8);
  const processor = cpuMs === null ? '' : `, ${seconds(cpuMs)} of processor time`;
  return `${sign} ${name.padEnd(13)} ${tally(outcome).padEnd(34)} ${seconds(ms)}${processor}`;
}

function say(line: string): void {
  console.log(`\n▸ ${line}`);
}
