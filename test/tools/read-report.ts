import { stripVTControlCharacters } from 'node:util';
import { failedOnce } from './outcome.ts';
import type { Outcome } from './outcome.ts';

/** What we read of vitest's json report. */
export interface VitestReport {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
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

/**
 * Counts a vitest run.
 *
 * A file that could not be loaded holds no tests to count, and an error outside of any test fails none: both
 * count as one failed test, else a broken suite would look like a short one.
 */
export function readVitestReport(report: VitestReport): Outcome {
  const statuses = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  );
  const count = (...wanted: string[]): number => statuses.filter((status) => wanted.includes(status)).length;
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  const failed = count('failed') + unloaded.length;
  const notes = [
    ...report.testResults.flatMap(failedAssertions),
    ...unloaded.map(({ name, message }) => `${name} could not run: ${firstLine(message)}`),
  ];

  if (statuses.length === 0 && failed === 0) return failedOnce('could not run: it has no tests');
  const strayError = !report.success && failed === 0;
  if (strayError) notes.push('an error outside of any test, see above');
  return {
    passed: count('passed'),
    failed: failed + (strayError ? 1 : 0),
    skipped: count('skipped', 'pending', 'todo', 'disabled'),
    notes,
  };
}

function failedAssertions({ name, assertionResults }: VitestReport['testResults'][number]): string[] {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => failure(`${name} › ${fullName}`, failureMessages[0]));
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
