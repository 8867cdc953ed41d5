import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startVitest } from 'vitest/node';
import {
  addOutcomes,
  failedOnce,
  passedOnce,
  tally,
  type Outcome,
  ProgressFile,
  readProgress,
} from '../tools/outcome.ts';
import { outcomeReporter, readJourneys, readVitestRun } from '../tools/read-report.ts';
import type { Journey } from '../tools/read-report.ts';
import { longTag } from '../tools/suites.ts';

/** Has vitest itself run files of these texts. */
async function outcomeOf(files: Readonly<Record<string, string>>, tagsFilter?: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-vitest-'));
  const exitCode = process.exitCode;
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const report = join(folder, 'outcome.jsonl');
    const vitest = await startVitest([], {
      root: folder,
      config: false,
      watch: false,
      globals: true,
      pool: 'threads',
      includeTaskLocation: true,
      reporters: [outcomeReporter(report)],
      ...(tagsFilter === undefined ? {} : { tags: [{ name: longTag }], tagsFilter: [tagsFilter] }),
    });
    await vitest.close();
    return readProgress(readFileSync(report, 'utf8'), 'exit code 0');
  } finally {
    // Vitest sets it when a test fails, here on purpose.
    process.exitCode = exitCode;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program that runs the files of a folder. */
function runVitest(folder: string, report: string): string {
  const options = { root: folder, config: false, watch: false, testTimeout: 0 };
  return `import { startVitest } from ${JSON.stringify(import.meta.resolve('vitest/node'))};
    import { outcomeReporter } from ${JSON.stringify(import.meta.resolve('../tools/read-report.ts'))};
    const reporters = [outcomeReporter(${JSON.stringify(report)})];
    await startVitest([], { ...${JSON.stringify(options)}, reporters });`;
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

describe('a vitest run', () => {
  it('is counted test by test, and says of each test, hook and file that failed what it saw', async () => {
    const outcome = await outcomeOf({
      'tests.test.ts': `
        it('passes', () => {});
        it('fails', () => { throw new Error('expected 1\\nto be 2'); });
        it.skip('is left out', () => {});
        it.todo('is to come');`,
      'skipped.test.ts': `
        const hasServer = false;
        it.skipIf(!hasServer)('asks the server', () => {});
        const isSystem = (name) => process.platform === name;
        describe.runIf(isSystem('none'))(
          'on another system', () => {
            it.each([1, 2])('works %s', () => {});
          });
        it('asks only then', (context) => { context.skip('the server is away'); });`,
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
      skipped: 7,
      notes: [
        'after.test.ts could not run\n    Error: Still in use',
        'before.test.ts › a group could not run\n    Error: No server',
        'skipped: before.test.ts › a group > needs the server: no reason given',
        'skipped: skipped.test.ts › asks only then: the server is away',
        'skipped: skipped.test.ts › asks the server: skipped if !hasServer',
        "skipped: skipped.test.ts › on another system > works 1: runs only if isSystem('none')",
        "skipped: skipped.test.ts › on another system > works 2: runs only if isSystem('none')",
        'skipped: tests.test.ts › is left out: no reason given',
        'skipped: tests.test.ts › is to come: no reason given',
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
      moduleId: '/silent.test.ts',
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

describe('a run that was ended', () => {
  /** What such a run says whose reporter had written this. */
  function outcomeAfter(write: (file: ProgressFile) => void, end = ''): Outcome {
    const folder = mkdtempSync(join(tmpdir(), 'rotavox-progress-'));
    try {
      const path = join(folder, 'outcome.jsonl');
      write(new ProgressFile(path));
      return readProgress(readFileSync(path, 'utf8') + end, 'no end after 20 min');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  it('says what had passed and failed, and which tests and hooks it waited for', () => {
    const outcome = outcomeAfter((file) => {
      file.begin('a.test.ts');
      for (const name of ['a.test.ts › passes', 'a.test.ts › fails', 'a.test.ts › hangs', 'b.test.ts'])
        file.begin(name);
      file.end('a.test.ts › passes', 'passed');
      file.end('a.test.ts › fails', 'failed', 'a.test.ts › fails\n    Error: no');
      file.begin('b.test.ts › beforeAll');
      file.begin('c.test.ts');
      file.end('c.test.ts');
      file.begin('d.test.ts');
    }, '{"ended":"a.test');
    expect(outcome).toEqual({
      passed: 1,
      failed: 2,
      skipped: 0,
      notes: [
        'a.test.ts › fails\n    Error: no',
        [
          'could not run to its end: no end after 20 min',
          'it waited for:',
          'a.test.ts › hangs',
          'b.test.ts › beforeAll',
          'd.test.ts',
        ].join('\n    '),
      ],
    });
  });

  it('lists only the first of many', () => {
    const { notes } = outcomeAfter((file) => {
      for (let place = 0; place < 15; place += 1) file.begin(`${place}.test.ts`);
    });
    expect(notes.join('\n')).toMatch(/11\.test\.ts\n {4}and 3 more$/);
  });

  it('also when vitest is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rotavox-vitest-'));
    try {
      writeFileSync(
        join(folder, 'hangs.test.ts'),
        `import { it } from ${JSON.stringify(import.meta.resolve('vitest'))};
        it('passes', () => {});
        it('hangs', () => new Promise(() => {}));`,
      );
      const path = join(folder, 'outcome.jsonl');
      const child = spawn(process.execPath, ['--input-type=module', '-e', runVitest(folder, path)], {
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await expect
        .poll(() => readIfThere(path), { timeout: 30_000 })
        .toContain('{"begun":"hangs.test.ts › hangs"}');
      child.kill('SIGKILL');
      await ended;
      expect(readProgress(readIfThere(path), 'ended by SIGKILL')).toEqual({
        passed: 1,
        failed: 1,
        skipped: 0,
        notes: ['could not run to its end: ended by SIGKILL\n    it waited for:\n    hangs.test.ts › hangs'],
      });
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});

describe('a Playwright run', () => {
  const journey = (
    outcome: ReturnType<Journey['outcome']>,
    { error, annotations = [] }: { error?: string; annotations?: Journey['annotations'] } = {},
  ): Journey => ({
    outcome: () => outcome,
    results: outcome === 'skipped' ? [] : [{ errors: error === undefined ? [] : [{ message: error }] }],
    annotations,
  });
  const name = (title: string): string => `test/journeys/browser/token.test.ts:7 › ${title}`;

  it('names what failed with the beginning of its error, and what was skipped with the reason', () => {
    const late = journey('unexpected', { error: 'Error: not visible\n\nCall log:\n  - waiting' });
    const elsewhere = journey('skipped', { annotations: [{ type: 'skip', description: 'only on Linux' }] });
    const journeys = [
      { name: name('comes'), journey: journey('expected') },
      { name: name('comes late'), journey: late },
      { name: name('comes by chance'), journey: journey('flaky', { error: 'Error: timeout' }) },
      { name: name('is elsewhere'), journey: elsewhere },
      { name: name('never began'), journey: journey('skipped') },
    ];
    expect(readJourneys(journeys, [])).toEqual({
      passed: 1,
      failed: 2,
      skipped: 2,
      notes: [
        'test/journeys/browser/token.test.ts:7 › comes late\n    Error: not visible',
        'test/journeys/browser/token.test.ts:7 › comes by chance\n    Error: timeout',
        'skipped: test/journeys/browser/token.test.ts:7 › is elsewhere: only on Linux',
        'skipped: test/journeys/browser/token.test.ts:7 › never began: the run ended before it',
      ],
    });
  });

  it('says of one that took too long what it was at, and what it waited for', () => {
    const errors = [
      { message: '\u001B[31mTest timeout of 240000ms exceeded.\u001B[39m' },
      {
        message:
          'Error: locator.click: Test timeout of 240000ms exceeded.\nCall log:\n  - waiting for the button\n',
      },
    ];
    const hung: Journey = { ...journey('unexpected'), results: [{ errors }] };
    expect(readJourneys([{ name: name('hangs'), journey: hung }], []).notes).toEqual([
      [
        'test/journeys/browser/token.test.ts:7 › hangs',
        'Test timeout of 240000ms exceeded.',
        'Error: locator.click: Test timeout of 240000ms exceeded.',
        'It was at:',
        '  - waiting for the button',
      ].join('\n    '),
    ]);
  });

  it('counts an error outside of any journey, and passes on its first line', () => {
    const journeys = [{ name: name('comes'), journey: journey('expected') }];
    expect(readJourneys(journeys, [{ message: 'No browser\nat all' }])).toMatchObject({
      passed: 1,
      failed: 1,
      notes: ['No browser'],
    });
  });

  it('without journeys is a failure', () => {
    expect(readJourneys([], [])).toMatchObject({ passed: 0, failed: 1 });
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
