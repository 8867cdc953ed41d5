/**
 * The test command: `npm test`, or `npm test -- store service` for some steps. With `--long` the long proofs:
 * `npm run test:long`.
 *
 * Runs two steps at a time, with one more in the background, and everything even when something fails, says of each step what it came to and how long it
 * took, and ends with one line of numbers. Start reading at `steps.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureAsterisk } from './asterisk-root.ts';
import { ensureTestPackages } from './debian-packages.ts';
import { ensurePostgres } from './postgres-programs.ts';
import { addOutcomes, failedOnce, tally } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { endWithUs } from './run-command.ts';
import { steps } from './steps.ts';
import type { Step } from './steps.ts';

interface Done {
  readonly step: Step;
  readonly outcome: Outcome;
  readonly ms: number;
}

/** How many steps run at a time, but for one in the background. Each has moments in which it uses one core or waits. */
const sideBySide = 2;

const args = process.argv.slice(2);
const chosen = chooseSteps(
  args.filter((arg) => arg !== '--long'),
  args.includes('--long'),
);
const scratch = mkdtempSync(join(tmpdir(), 'rotavox-tests-'));
endWithUs(tidyUp);
try {
  const done = await runSteps(chosen);
  for (const line of summary(done)) console.log(line);
  const total = addOutcomes(done.map(({ outcome }) => outcome));
  console.log(tally(total));
  // Not exit(): what is still on its way to a pipe must arrive.
  process.exitCode = total.failed === 0 ? 0 : 1;
} finally {
  tidyUp();
}

function tidyUp(): void {
  // Retried: what was just told to end may still write its last.
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
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

/** What the machine lacks for steps that need it, with what to do; `null` when nothing is missing. */
interface Lacks {
  readonly desktop: string | null;
  readonly asterisk: string | null;
  readonly postgres: string | null;
}

async function runSteps(selected: readonly Step[]): Promise<Done[]> {
  const needsDesktop = selected.some(({ desktop }) => desktop);
  const needsAsterisk = selected.some(({ asterisk }) => asterisk);
  // The packages for a desktop contain what unpacks Asterisk.
  const desktop = await ensureTestPackages(say, { desktop: needsDesktop || needsAsterisk });
  const lacks = {
    desktop,
    asterisk: needsAsterisk ? await ensureAsterisk(say) : null,
    postgres: selected.some(({ postgres }) => postgres) ? await ensurePostgres(say) : null,
  };
  if (lacks.desktop !== null) say(`what the tests start is missing; ${lacks.desktop}`);
  if (lacks.asterisk !== null) say(`an Asterisk to test with is missing; ${lacks.asterisk}`);
  if (lacks.postgres !== null) say(`a PostgreSQL to test with is missing; ${lacks.postgres}`);

  const done: Done[] = [];
  const running = new Map<Step, Promise<void>>();
  const waiting = [...selected];
  while (waiting.length > 0 || running.size > 0) {
    const next = nextStep(waiting, [...running.keys()]);
    if (next === undefined) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(next), 1);
    const run = async (): Promise<void> => {
      const obstacle = obstacleOf(next, done, lacks);
      const isQuiet = !next.alone && selected.length > 1;
      if (obstacle !== null)
        done.push(tell({ step: next, outcome: failedOnce(`could not run: ${obstacle}`), ms: 0 }));
      else done.push(await runStep(next, isQuiet));
      running.delete(next);
    };
    running.set(next, run());
  }
  return selected.flatMap((step) => done.filter((one) => one.step === step));
}

/**
 * The first that need not wait for one that has not ended; one that runs alone waits for all before it.
 *
 * When there is none, one in the background: one at a time, or more where there is room.
 */
function nextStep(waiting: readonly Step[], running: readonly Step[]): Step | undefined {
  const unfinished = new Set([...waiting, ...running].map(({ name }) => name));
  const ready = waiting.filter(({ after }) => !after.some((name) => unfinished.has(name)));
  const beside = running.filter(({ background }) => !background);
  if (beside.length < sideBySide && !beside.some(({ alone }) => alone)) {
    const first = waiting.find(({ background }) => !background);
    if (first?.alone === true) {
      if (beside.length === 0) return first;
    } else {
      const next = ready.find(({ background, alone }) => !background && !alone);
      if (next !== undefined) return next;
    }
  }
  const hasRoom = running.length < sideBySide || running.length === beside.length;
  return hasRoom ? ready.find(({ background }) => background) : undefined;
}

function obstacleOf(step: Step, done: readonly Done[], lacks: Lacks): string | null {
  const broken = done.filter((one) => step.after.includes(one.step.name) && one.outcome.failed > 0);
  if (broken.length > 0) return `${broken.map((one) => one.step.name).join(', ')} failed`;
  return (
    (step.desktop ? lacks.desktop : null) ??
    (step.asterisk ? lacks.asterisk : null) ??
    (step.postgres ? lacks.postgres : null)
  );
}

async function runStep(step: Step, quiet: boolean): Promise<Done> {
  if (!quiet) say(step.name);
  const start = performance.now();
  const outcome = await step
    .run({ scratch, quiet })
    .catch((error: unknown) => failedOnce(`could not run: ${String(error)}`));
  return tell({ step, outcome, ms: performance.now() - start });
}

function tell(done: Done): Done {
  for (const note of done.outcome.notes) console.log(note);
  console.log(verdict(done));
  return done;
}

function summary(done: readonly Done[]): string[] {
  return [
    '',
    ...done.flatMap((one) => [
      verdict(one),
      ...one.outcome.notes.map((note) => note.replaceAll(/^/gmu, '    ')),
    ]),
    '',
  ];
}

function verdict({ step, outcome, ms }: Done): string {
  const sign = outcome.failed > 0 ? '✗' : '✓';
  return `${sign} ${step.name.padEnd(10)} ${tally(outcome).padEnd(34)} ${(ms / 1000).toFixed(1)} s`;
}

function say(line: string): void {
  console.log(`\n▸ ${line}`);
}
