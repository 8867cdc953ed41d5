import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addOutcomes, failedOnce, passedOnce, type Outcome, readProgress } from './outcome.ts';
import { root } from './root.ts';
import { runCommand } from './run-command.ts';
import type { Command, CommandEnd } from './run-command.ts';
import { longTag, suiteNamed, suites } from './suites.ts';
import type { Need, Suite } from './suites.ts';

export interface Step {
  readonly name: string;
  /** Runs with the long proofs (`npm run test:long`) and not with the test command. */
  readonly isLong: boolean;
  /** Runs only where it is named. */
  readonly isOnRequest?: boolean;
  /** What has to be on the machine for it. */
  readonly needs: readonly Need[];
  /** Steps that have to pass first; selecting this one selects them. */
  readonly after: readonly string[];
  /** Whether no other step may run beside it, but for those in the background: it keeps every core busy, or measures. */
  readonly alone: boolean;
  /** Runs beside all others, one such step at a time: it takes what they leave while they wait, or waits for most of its time itself. */
  readonly background: boolean;
  readonly run: (options: RunOptions) => Promise<Ended>;
}

/** What a step came to, and the processor time that it took where the system tells it. */
export interface Ended {
  readonly outcome: Outcome;
  readonly cpuMs: number | null;
}

export interface RunOptions {
  /** A folder that goes away when the test command ends. */
  readonly scratch: string;
  /** What a program needs in its environment to be on the desktop of this run. */
  readonly desktop: NodeJS.ProcessEnv;
  /** Show what it prints only if it fails, because another step runs beside it. */
  readonly quiet: boolean;
}

const minute = 60_000;
const fuzzFiles = ['fuzz-routes'];
const killFiles = ['sigkill', 'one-owner'];
const wholeFiles = [...fuzzFiles, ...killFiles];
const usualSuites = suites.filter(({ isLong }) => !isLong).map(({ name }) => name);

/** Everything the test command does, in the order in which steps begin; then the long proofs. */
export const steps: readonly Step[] = [
  scriptStep('build', { script: 'build' }),
  scriptStep('bundle', { script: 'bundle', after: ['build'] }),
  scriptStep('lint', { script: 'lint', background: true }),
  scriptStep('types', { script: 'check:types', background: true }),
  scriptStep('unused', { script: 'check:unused', background: true }),
  // Each on a desktop of its own. Those in Electron wait for most of their time, and begin early.
  journeys('electron'),
  journeys('browser', { needs: ['asterisk'] }),
  journeys('components'),
  ...suites.filter(({ isLong }) => !isLong).map((suite) => vitestStep(suite)),
  // What of the suites above takes too long for a person to wait. The longest step of those side by side begins first.
  vitestStep(suiteNamed('long'), {
    name: 'bulk',
    alone: false,
    filesAtATime: null,
    projects: usualSuites,
    only: filesWithLongTests(),
    tags: longTag,
  }),
  ...['faults', 'tls', 'whole'].map((name) => vitestStep(suiteNamed(name))),
  journeys('electron-long', { isLong: true, background: true }),
  journeys('takeover', { isLong: true, background: true, needs: ['postgres'] }),
  // What the test command tries a few times for each route, here many times.
  vitestStep(suiteNamed('service'), {
    name: 'fuzz',
    isLong: true,
    background: true,
    only: fuzzFiles,
    env: { ROTAVOX_FUZZ_RUNS: '600' },
  }),
  // Properties that it tries a few times.
  vitestStep(suiteNamed('core'), {
    name: 'properties',
    isLong: true,
    only: filesWith(/\bpropertyRuns\(/u),
    env: { ROTAVOX_PROPERTY_RUNS: 'all' },
  }),
  // What the test command kills a few times, and a lock that it takes a few hundred times.
  vitestStep(suiteNamed('chaos'), {
    name: 'kills',
    isLong: true,
    background: true,
    only: killFiles,
    env: { ROTAVOX_CHAOS_KILLS: '25', ROTAVOX_CHAOS_LOCK_ATTEMPTS: '4000' },
  }),
  // Each leaves two thirds of two cores to others.
  journeys('browser-long', { isLong: true, needs: ['asterisk'] }),
  journeys('month', { isLong: true }),
  journeys('designer', { isLong: true }),
  // One of them puts a build of its own where the programs of the other steps are.
  journeys('packaged', { alone: true, isLong: true }),
  vitestStep(suiteNamed('long')),
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
    needs: [],
    after,
    alone: false,
    background,
    async run({ quiet }) {
      const argv = ['npm', 'run', '--silent', script] as const;
      const { ok, reason, cpuMs } = await runCommand({
        argv,
        timeoutMs: 30 * minute,
        quiet,
        // It only computes.
        isLowPriority: background,
      });
      return { outcome: ok ? passedOnce : failedOnce(`npm run ${script}: ${reason}`), cpuMs };
    },
  };
}

interface VitestChoice {
  readonly name: string;
  readonly isLong: boolean;
  readonly alone: boolean;
  readonly background: boolean;
  readonly filesAtATime: number | null;
  /** Of vitest.config.ts. */
  readonly projects: readonly string[];
  readonly only: readonly string[];
  /** Those of its tests with this tag, or without it with a `!` before it. */
  readonly tags: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** A suite, or those of its files whose names contain one of `only`. */
function vitestStep(
  suite: Suite,
  {
    name = suite.name,
    isLong = suite.isLong,
    alone = suite.alone,
    background = false,
    filesAtATime = suite.filesAtATime,
    projects = [suite.name],
    only = [],
    tags = isLong ? null : `!${longTag}`,
    env = {},
  }: Partial<VitestChoice> = {},
): Step {
  return {
    name,
    isLong,
    isOnRequest: suite.isOnRequest,
    needs: suite.needs,
    after: suite.built ? ['build'] : [],
    alone,
    background,
    run: async ({ scratch, desktop, quiet }) => {
      const file = join(scratch, `${name}.jsonl`);
      const command: Command = {
        argv: [
          ...(['vitest', 'run'] as const),
          ...projects.flatMap((project) => ['--project', project]),
          ...(tags === null ? [] : [`--tagsFilter=${tags}`]),
          ...(filesAtATime === null ? [] : [`--maxWorkers=${filesAtATime}`]),
          ...only,
        ],
        env: { ...(suite.needs.includes('desktop') ? desktop : {}), ...env, ROTAVOX_TEST_OUTCOME: file },
        timeoutMs: suite.suiteTimeoutMs,
        quiet,
      };
      return outcomeOf(await runCommand(command), file);
    },
  };
}

/**
 * Only these are loaded, because vitest finds tags by running a file: those with the tag, and those that import a suite with it.
 */
function filesWithLongTests(): string[] {
  const texts = textsOfTests();
  const tagged = texts.filter(([, text]) => /'long'\]|@module-tag long/u.test(text)).map(([file]) => file);
  const imports = tagged.filter((file) => !isTest(file)).map((file) => `/${basename(file)}'`);
  return texts
    .filter(([file, text]) => tagged.includes(file) || imports.some((name) => text.includes(name)))
    .map(([file]) => file)
    .filter((file) => isTest(file) && !wholeFiles.some((name) => file.includes(name)));
}

/** Test files whose text has this. */
function filesWith(sign: RegExp): string[] {
  return textsOfTests().flatMap(([file, text]) => (isTest(file) && sign.test(text) ? [file] : []));
}

/** Every file of the tests, with its text. */
function textsOfTests(): (readonly [string, string])[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/u.test(file))
    .map((file) => [join('test', file), readFileSync(join(root, 'test', file), 'utf8')] as const);
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/u.test(file);
}

function journeys(
  project: string,
  {
    alone = false,
    isLong = false,
    background = false,
    needs = [],
  }: {
    readonly alone?: boolean;
    readonly isLong?: boolean;
    readonly background?: boolean;
    readonly needs?: readonly Need[];
  } = {},
): Step {
  return {
    name: project,
    isLong,
    needs: ['desktop', ...needs],
    after: ['build'],
    alone,
    background,
    run: (options) => runJourneys(project, options),
  };
}

async function runJourneys(project: string, { scratch, desktop, quiet }: RunOptions): Promise<Ended> {
  const file = join(scratch, `${project}.jsonl`);
  const command: Command = {
    argv: ['playwright', 'test', `--project=${project}`],
    env: { ...desktop, ROTAVOX_TEST_OUTCOME: file },
    timeoutMs: 50 * minute,
    quiet,
  };
  return outcomeOf(await runCommand(command), file);
}

async function outcomeOf({ ok, reason, cpuMs }: CommandEnd, file: string): Promise<Ended> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    // The runner died before it began.
    return { outcome: failedOnce(`could not run: ${reason || 'it left no report'}`), cpuMs };
  }
  const outcome = readProgress(text, reason);
  if (ok || outcome.failed > 0) return { outcome, cpuMs };
  return { outcome: addOutcomes([outcome, failedOnce(`no test failed, but the run did: ${reason}`)]), cpuMs };
}
