import { failedOnce } from './outcome.ts';
import type { Outcome } from './outcome.ts';

/** What we read of vitest's json report. */
export interface VitestReport {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly { readonly status: string }[];
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
  readonly errors: readonly { readonly message?: string }[];
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
  const notes = unloaded.map(({ name, message }) => `${name} could not run: ${firstLine(message)}`);

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

/** Counts a Playwright run. A flaky journey failed: it did so once, and a user would have met it. */
export function readPlaywrightReport({ stats, errors }: PlaywrightReport): Outcome {
  const { expected, unexpected, flaky, skipped } = stats;
  if (expected + unexpected + flaky + skipped + errors.length === 0) {
    return failedOnce('could not run: it has no tests');
  }
  return {
    passed: expected,
    failed: unexpected + flaky + errors.length,
    skipped,
    notes: errors.map(({ message }) => firstLine(message)),
  };
}

function firstLine(message = 'no reason given'): string {
  return message.trim().split('\n')[0] ?? '';
}
