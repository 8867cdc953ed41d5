import { describe, expect, it } from 'vitest';
import { addOutcomes, failedOnce, passedOnce, tally } from '../tools/outcome.ts';
import { readPlaywrightReport, readVitestReport } from '../tools/read-report.ts';

const file = (status: string, ...tests: string[]) => ({
  name: 'test/core/token.test.ts',
  status,
  message: 'Cannot find module\n  at somewhere',
  assertionResults: tests.map((each) => ({
    status: each,
    fullName: `a token that ${each}`,
    failureMessages:
      each === 'failed' ? ['\u001b[31mError\u001b[39m: expected 1\nto be 2\n    at token.test.ts:3'] : [],
  })),
});

describe('a vitest report', () => {
  it('is counted test by test, what waits or is left out as skipped, and what failed by name', () => {
    const testResults = [
      file('failed', 'passed', 'failed'),
      file('passed', 'passed', 'pending', 'todo', 'skipped'),
    ];
    expect(readVitestReport({ success: false, testResults })).toEqual({
      passed: 2,
      failed: 1,
      skipped: 3,
      notes: ['test/core/token.test.ts › a token that failed\n    Error: expected 1\n    to be 2'],
    });
  });

  it('with a file that could not be loaded has a failed test, and says why', () => {
    const report = { success: false, testResults: [file('passed', 'passed'), file('failed')] };
    expect(readVitestReport(report)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
      notes: ['test/core/token.test.ts could not run: Cannot find module'],
    });
  });

  it('whose tests passed while something else broke has a failed test', () => {
    const report = { success: false, testResults: [file('passed', 'passed')] };
    expect(readVitestReport(report)).toMatchObject({ passed: 1, failed: 1 });
  });

  it('without tests is a failure', () => {
    expect(readVitestReport({ success: true, testResults: [] })).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('a Playwright report', () => {
  const journey = (title: string, ...errors: { message: string }[]) => ({
    ok: errors.length === 0,
    title,
    file: 'browser/token.test.ts',
    line: 7,
    tests: [{ results: [{ errors }] }],
  });

  it('names what failed, also within a group, with the beginning of its error', () => {
    const stats = { expected: 2, unexpected: 2, flaky: 0, skipped: 0 };
    const late = journey('comes late', { message: 'Error: not visible\n\nCall log:\n  - waiting' });
    const never = journey('never comes', { message: 'Error: timeout' });
    const group = { specs: [journey('is there'), never] };
    const suites = [{ specs: [journey('comes'), late], suites: [group] }];
    expect(readPlaywrightReport({ stats, errors: [], suites }).notes).toEqual([
      'browser/token.test.ts:7 › comes late\n    Error: not visible',
      'browser/token.test.ts:7 › never comes\n    Error: timeout',
    ]);
  });

  it('counts a flaky journey as failed', () => {
    const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 };
    expect(readPlaywrightReport({ stats, errors: [], suites: [] })).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
      notes: [],
    });
  });

  it('counts an error outside of any journey, and passes on its first line', () => {
    const stats = { expected: 1, unexpected: 0, flaky: 0, skipped: 0 };
    const errors = [{ message: 'No browser\nat all' }];
    expect(readPlaywrightReport({ stats, errors, suites: [] })).toMatchObject({
      failed: 1,
      notes: ['No browser'],
    });
  });

  it('without journeys is a failure', () => {
    const stats = { expected: 0, unexpected: 0, flaky: 0, skipped: 0 };
    expect(readPlaywrightReport({ stats, errors: [], suites: [] })).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe('outcomes', () => {
  it('add up to the last line of the test command', () => {
    const skipping = { ...passedOnce, skipped: 4 };
    expect(tally(addOutcomes([passedOnce, failedOnce('why'), skipping]))).toBe(
      '2 passed, 1 failed, 4 skipped',
    );
  });
});
