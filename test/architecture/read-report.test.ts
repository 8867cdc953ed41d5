import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startVitest } from 'vitest/node';
import { addOutcomes, failedOnce, passedOnce, tally } from '../tools/outcome.ts';
import type { Outcome } from '../tools/outcome.ts';
import { outcomeReporter, readPlaywrightReport, readVitestRun } from '../tools/read-report.ts';
import { longTag } from '../tools/suites.ts';

/** Has vitest itself run files of these texts. */
async function outcomeOf(files: Readonly<Record<string, string>>, tagsFilter?: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-vitest-'));
  const exitCode = process.exitCode;
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const report = join(folder, 'outcome.json');
    const vitest = await startVitest([], {
      root: folder,
      config: false,
      watch: false,
      globals: true,
      pool: 'threads',
      reporters: [outcomeReporter(report)],
      ...(tagsFilter === undefined ? {} : { tags: [{ name: longTag }], tagsFilter: [tagsFilter] }),
    });
    await vitest.close();
    return JSON.parse(readFileSync(report, 'utf8')) as Outcome;
  } finally {
    // Vitest sets it when a test fails, here on purpose.
    process.exitCode = exitCode;
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a vitest run', () => {
  it('is counted test by test, and says of each test, hook and file that failed what it saw', async () => {
    const outcome = await outcomeOf({
      'tests.test.ts': `
        it('passes', () => {});
        it('fails', () => { throw new Error('expected 1\\nto be 2'); });
        it.skip('is left out', () => {});
        it.todo('is to come');`,
      'before.test.ts': `
        describe('a group', () => {
          beforeAll(() => { throw new Error('No server'); });
          it('needs the server', () => {});
        });
        it('needs nothing', () => {});`,
      'after.test.ts': `
        afterAll(() => { throw new Error('Still in use'); });
        it('passes', () => {});`,
      'unloaded.test.ts': `throw new Error('No module');`,
    });
    expect({ ...outcome, notes: outcome.notes.toSorted() }).toEqual({
      passed: 3,
      failed: 4,
      skipped: 3,
      notes: [
        'after.test.ts could not run\n    Error: Still in use',
        'before.test.ts › a group could not run\n    Error: No server',
        'tests.test.ts › fails\n    Error: expected 1\n    to be 2',
        'unloaded.test.ts could not run\n    Error: No module',
      ],
    });
  });

  it('whose tests passed while something else broke has a failed test', async () => {
    const outcome = await outcomeOf({
      'stray.test.ts': `
        it('passes', async () => {
          const thrown = new Promise((resolve) => process.prependOnceListener('uncaughtException', resolve));
          setImmediate(() => { throw new Error('Nobody waits for this'); });
          await thrown;
        });`,
    });
    expect(outcome).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
      notes: ['an error outside of any test\n    Error: Nobody waits for this'],
    });
  });

  it('counts no test that its tags leave to another run, and every other that did not run', async () => {
    const files = {
      'tests.test.ts': `
        it('passes', () => {});
        it.skip('is left out', () => {});
        it('takes long', { tags: ['long'] }, () => {});
        it.skip('takes long and is left out', { tags: ['long'] }, () => {});`,
    };
    expect(await outcomeOf(files, '!long')).toMatchObject({ passed: 1, failed: 0, skipped: 1 });
    expect(await outcomeOf(files, 'long')).toMatchObject({ passed: 1, failed: 0, skipped: 1 });
  });

  it('that fails without saying why has a failed test', () => {
    const silent = {
      relativeModuleId: 'silent.test.ts',
      ok: () => false,
      errors: () => [],
      children: { allTests: () => [], allSuites: () => [] },
    };
    expect(readVitestRun([silent], [], 'failed')).toMatchObject({
      failed: 1,
      notes: ['silent.test.ts could not run\n    no reason given'],
    });
    const passed = { fullName: 'passes', tags: [], result: () => ({ state: 'passed' }) };
    const fine = { ...silent, ok: () => true, children: { ...silent.children, allTests: () => [passed] } };
    expect(readVitestRun([fine], [], 'passed')).toMatchObject({ passed: 1, failed: 0 });
    expect(readVitestRun([fine], [], 'interrupted')).toMatchObject({ passed: 1, failed: 1 });
  });

  it('without tests is a failure', () => {
    expect(readVitestRun([], [], 'passed')).toMatchObject({ passed: 0, failed: 1 });
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
