import { failedOnce, skippedOnce } from './outcome.ts';
import type { Ended, RunOptions, Step } from './steps.ts';
import type { Need } from './suites.ts';

/** What a step came to, and the time it took. */
export interface Done extends Ended {
  readonly name: string;
  readonly ms: number;
}

export interface How {
  /** What this machine lacks, with what to do about it. */
  readonly lacks: ReadonlyMap<Need, string>;
  /** Whether that fails the steps that need it. */
  readonly isStrict: boolean;
  readonly options: Omit<RunOptions, 'quiet'>;
  /** Told when a step begins whose output is shown. */
  readonly say: (line: string) => void;
  readonly tell: (done: Done) => void;
}

/** How many steps run at a time, but for one in the background. Each has moments in which it uses one core or waits. */
const sideBySide = 2;

/**
 * Runs steps two at a time, with one more in the background, and everything even when something fails.
 *
 * Answers what each came to, in the order of the steps.
 */
export async function runSteps(selected: readonly Step[], how: How): Promise<Done[]> {
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
    const quiet = !next.alone && selected.length > 1;
    const runNext = async (): Promise<void> => {
      const ended = obstacleOf(next, done, how) ?? (await runStep(next, quiet, how));
      done.push(ended);
      how.tell(ended);
    };
    // Not within it: a step that cannot run ends before it is entered here.
    running.set(
      next,
      runNext().finally(() => running.delete(next)),
    );
  }
  return selected.flatMap((step) => done.filter(({ name }) => name === step.name));
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

/**
 * Why a step does not run, as what it came to; null when nothing keeps it from running.
 *
 * What this machine lacks only leaves out tests where that is not strict: a person may not be allowed to install it.
 */
function obstacleOf(
  { name, after, needs }: Step,
  done: readonly Done[],
  { lacks, isStrict }: How,
): Done | null {
  const broken = done.filter((one) => after.includes(one.name) && one.outcome.failed > 0);
  if (broken.length > 0)
    return notRun(name, failedOnce(`could not run: ${broken.map((one) => one.name).join(', ')} failed`));
  const lack = needs.map((need) => lacks.get(need)).find((found) => found !== undefined);
  if (lack === undefined) return null;
  const reason = `could not run: ${lack}`;
  return notRun(name, isStrict ? failedOnce(reason) : skippedOnce(reason));
}

export function notRun(name: string, outcome: Ended['outcome']): Done {
  return { name, outcome, ms: 0, cpuMs: 0 };
}

async function runStep({ name, run }: Step, quiet: boolean, { options, say }: How): Promise<Done> {
  if (!quiet) say(name);
  const begin = performance.now();
  const ended = await run({ ...options, quiet }).catch((error: unknown) => ({
    outcome: failedOnce(`could not run: ${String(error)}`),
    cpuMs: null,
  }));
  return { name, ...ended, ms: performance.now() - begin };
}
