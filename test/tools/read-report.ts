import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter } from 'vitest/node';
import { failedOnce } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { longTag } from './suites.ts';

/** What we read of a file that vitest ran. */
export interface VitestModule {
  readonly relativeModuleId: string;
  ok(): boolean;
  errors(): readonly VitestError[];
  readonly children: {
    allTests(): Iterable<{
      readonly fullName: string;
      readonly tags: readonly string[];
      result(): VitestResult;
    }>;
    allSuites(): Iterable<{ readonly fullName: string; errors(): readonly VitestError[] }>;
  };
}

interface VitestResult {
  readonly state: string;
  readonly errors?: readonly VitestError[] | undefined;
}

interface VitestError {
  readonly message: string;
  readonly stack?: string;
}

/** What we read of Playwright's json report. */
export interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly errors: readonly Message[];
  readonly suites: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly specs: readonly {
    readonly ok: boolean;
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly { readonly results: readonly { readonly errors: readonly Message[] }[] }[];
  }[];
  /** Those of a `describe`. */
  readonly suites?: readonly PlaywrightSuite[];
}

interface Message {
  readonly message?: string;
}

/** Writes what a vitest run came to, as an outcome. */
export function outcomeReporter(file: string): Reporter {
  let filter: readonly string[] = [];
  return {
    onInit({ config }) {
      filter = config.tagsFilter ?? [];
    },
    onTestRunEnd(modules, strayErrors, reason) {
      writeFileSync(file, JSON.stringify(readVitestRun(modules, strayErrors, reason, filter)));
    },
  };
}

/**
 * Counts a vitest run. Tests that its filter by tags leaves to another run are no part of it.
 *
 * A file that could not be loaded, or a hook that failed, leaves tests out, and an error outside of any test fails
 * none: each counts as one failed test, else a broken suite would look like a short one.
 */
export function readVitestRun(
  modules: readonly VitestModule[],
  strayErrors: readonly VitestError[],
  reason: 'passed' | 'interrupted' | 'failed',
  filter: readonly string[] = [],
): Outcome {
  const results = modules.flatMap(({ relativeModuleId, children }) =>
    [...children.allTests()]
      .filter(({ tags }) => isForThisRun(tags, filter))
      .map((test) => ({
        name: `${relativeModuleId} › ${test.fullName}`,
        ...test.result(),
      })),
  );
  const count = (wanted: string): number => results.filter(({ state }) => state === wanted).length;
  const failures = [
    ...results
      .filter(({ state }) => state === 'failed')
      .map(({ name, errors }) => failure(name, wordsOf(errors?.[0]))),
    ...modules.flatMap(failuresAroundTests),
    ...strayErrors.map((error) => failure('an error outside of any test', wordsOf(error))),
  ];
  if (results.length === 0 && failures.length === 0) return failedOnce('could not run: it has no tests');
  if (reason !== 'passed' && failures.length === 0) failures.push(`no test failed, but the run ${reason}`);
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: results.length - count('passed') - count('failed'),
    notes: failures,
  };
}

/** By the two filters that the test command uses. */
function isForThisRun(tags: readonly string[], filter: readonly string[]): boolean {
  if (filter.includes(longTag)) return tags.includes(longTag);
  return !(filter.includes(`!${longTag}`) && tags.includes(longTag));
}

/** Of loading the file, and of hooks that run once for a file or a `describe`. */
function failuresAroundTests(module: VitestModule): string[] {
  const where = module.relativeModuleId;
  const said = [
    ...module.errors().map((error) => failure(`${where} could not run`, wordsOf(error))),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => failure(`${where} › ${suite.fullName} could not run`, wordsOf(error))),
    ),
  ];
  const hasFailedTest = [...module.children.allTests()].some((test) => test.result().state === 'failed');
  return module.ok() || hasFailedTest || said.length > 0 ? said : [failure(`${where} could not run`)];
}

function wordsOf(error: VitestError | undefined): string | undefined {
  return error?.stack ?? error?.message;
}

/** Counts a Playwright run. A flaky journey failed: it did so once, and a user would have met it. */
export function readPlaywrightReport({ stats, errors, suites }: PlaywrightReport): Outcome {
  const { expected, unexpected, flaky, skipped } = stats;
  if (expected + unexpected + flaky + skipped + errors.length === 0) {
    return failedOnce('could not run: it has no tests');
  }
  return {
    passed: expected,
    failed: unexpected + flaky + errors.length,
    skipped,
    notes: [...suites.flatMap(failedJourneys), ...errors.map(({ message }) => firstLine(message))],
  };
}

function failedJourneys({ specs, suites = [] }: PlaywrightSuite): string[] {
  const here = specs.flatMap(({ ok, file, line, title, tests }) => {
    const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
    return ok && error === undefined ? [] : [failure(`${file}:${String(line)} › ${title}`, error?.message)];
  });
  return [...here, ...suites.flatMap(failedJourneys)];
}

/** What a reader of the last screenful needs: which test, and what it saw. Call logs and stacks are further up. */
function failure(test: string, message = 'no reason given'): string {
  const lines = stripVTControlCharacters(message).trim().split('\n');
  const end = lines.findIndex((line) => /^(Call log:|\s+at )/u.test(line));
  const said = lines.slice(0, end === -1 ? undefined : end).filter((line) => line.trim() !== '');
  return [test, ...said.slice(0, 12).map((line) => `    ${line}`)].join('\n');
}

function firstLine(message = 'no reason given'): string {
  return message.trim().split('\n')[0] ?? '';
}
