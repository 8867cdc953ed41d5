import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDesktop } from './desktop-session.ts';
import { addOutcomes, failedOnce, passedOnce } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { readProgress } from './progress-file.ts';
import { runCommand } from './run-command.ts';
import type { Command, Ended } from './run-command.ts';
import { suiteNamed, suites } from './suites.ts';
import type { Suite } from './suites.ts';

export interface Step {
  readonly name: string;
  /** Runs with the long proofs (`npm run test:long`) and not with the test command. */
  readonly isLong: boolean;
  /** Runs only where it is named. */
  readonly isOnRequest?: boolean;
  /** Runs on a desktop with a keychain, so that it needs the packages for one. */
  readonly desktop: boolean;
  /** Starts a real Asterisk, which is unpacked from Debian's packages first. */
  readonly asterisk: boolean;
  /** Starts a PostgreSQL, which is installed first. */
  readonly postgres: boolean;
  /** Steps that have to pass first; selecting this one selects them. */
  readonly after: readonly string[];
  /** Whether no other step may run beside it, but for those in the background: it keeps every core busy, or measures. */
  readonly alone: boolean;
  /** Runs beside all others at a low priority, because it only computes: it takes what they leave while they wait. */
  readonly background: boolean;
  readonly run: (options: RunOptions) => Promise<Outcome>;
}

export interface RunOptions {
  /** A folder that goes away when the test command ends. */
  readonly scratch: string;
  /** Show what it prints only if it fails, because another step runs beside it. */
  readonly quiet: boolean;
}

const minute = 60_000;

/** Everything the test command does, in the order in which steps begin; then the long proofs. */
export const steps: readonly Step[] = [
  scriptStep('build', { script: 'build' }),
  scriptStep('bundle', { script: 'bundle', after: ['build'] }),
  scriptStep('lint', { script: 'lint', background: true }),
  scriptStep('types', { script: 'check:types', background: true }),
  scriptStep('unused', { script: 'check:unused', background: true }),
  // Each on a desktop of its own. Those in Electron wait for most of their time, and begin early.
  journeys('electron'),
  ...suites.map((suite) => vitestStep(suite)),
  // They keep two cores busy by themselves.
  journeys('components', { alone: true }),
  journeys('browser', { alone: true, asterisk: true }),
  journeys('month', { alone: true, isLong: true }),
  journeys('designer', { alone: true, isLong: true }),
  journeys('takeover', { alone: true, isLong: true, postgres: true }),
  journeys('packaged', { alone: true, isLong: true }),
  // What the test command tries a few times for each route, here many times.
  vitestStep(suiteNamed('service'), {
    name: 'fuzz',
    isLong: true,
    only: ['fuzz-routes'],
    env: { ROTAVOX_FUZZ_RUNS: '600' },
  }),
  // What the test command kills five times, and a lock that it takes a few hundred times.
  vitestStep(suiteNamed('chaos'), {
    name: 'kills',
    isLong: true,
    only: ['sigkill', 'one-owner'],
    env: { ROTAVOX_CHAOS_KILLS: '25', ROTAVOX_CHAOS_LOCK_ATTEMPTS: '4000' },
  }),
];

/** A script of package.json counts as one test: it stays the one place that knows the command. */
function scriptStep(
  name: string,
  {
    script,
    after = [],
    background = false,
  }: { readonly script: string; readonly after?: readonly string[]; readonly background?: boolean },
): Step {
  return {
    name,
    isLong: false,
    desktop: false,
    asterisk: false,
    postgres: false,
    after,
    alone: false,
    background,
    async run({ quiet }) {
      const argv = ['npm', 'run', '--silent', script] as const;
      const ended = await runCommand({ argv, timeoutMs: 30 * minute, quiet, isLowPriority: background });
      return ended.ok ? passedOnce : failedOnce(`npm run ${script}: ${ended.reason}`);
    },
  };
}

interface VitestChoice {
  readonly name: string;
  readonly isLong: boolean;
  readonly only: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A suite, or those of its files whose names contain one of `only`. */
function vitestStep(
  suite: Suite,
  { name = suite.name, isLong = suite.isLong, only = [], env = {} }: Partial<VitestChoice> = {},
): Step {
  return {
    name,
    isLong,
    isOnRequest: suite.isOnRequest,
    desktop: suite.keychain,
    asterisk: suite.asterisk,
    postgres: suite.postgres,
    after: suite.built ? ['build'] : [],
    alone: isLong,
    background: false,
    run: async ({ scratch, quiet }) => {
      const file = join(scratch, `${name}.jsonl`);
      const command: Command = {
        argv: ['vitest', 'run', '--project', suite.name, ...only],
        env: { ...env, ROTAVOX_TEST_OUTCOME: file },
        timeoutMs: suite.suiteTimeoutMs,
        quiet,
      };
      const ended = await runCommand(suite.keychain ? await onDesktop(command, scratch) : command);
      return outcomeOf(ended, file);
    },
  };
}

function journeys(
  project: string,
  {
    alone = false,
    isLong = false,
    asterisk = false,
    postgres = false,
  }: {
    readonly alone?: boolean;
    readonly isLong?: boolean;
    readonly asterisk?: boolean;
    readonly postgres?: boolean;
  } = {},
): Step {
  return {
    name: project,
    isLong,
    desktop: true,
    asterisk,
    postgres,
    after: ['build'],
    alone,
    background: false,
    run: (options) => runJourneys(project, options),
  };
}

async function runJourneys(project: string, { scratch, quiet }: RunOptions): Promise<Outcome> {
  const file = join(scratch, `${project}.jsonl`);
  const command: Command = {
    argv: ['playwright', 'test', `--project=${project}`],
    env: { ROTAVOX_TEST_OUTCOME: file },
    timeoutMs: 50 * minute,
    quiet,
  };
  const ended = await runCommand(await onDesktop(command, scratch));
  return outcomeOf(ended, file);
}

async function outcomeOf(ended: Ended, file: string): Promise<Outcome> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    // The runner died before it began.
    return failedOnce(`could not run: ${ended.reason || 'it left no report'}`);
  }
  const outcome = readProgress(text, ended.reason);
  if (ended.ok || outcome.failed > 0) return outcome;
  return addOutcomes([outcome, failedOnce(`no test failed, but the run did: ${ended.reason}`)]);
}
