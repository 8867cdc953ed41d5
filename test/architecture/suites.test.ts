import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { steps } from '../tools/steps.ts';
import { suites } from '../tools/suites.ts';

const root = join(import.meta.dirname, '../..');
const folders = [
  ...suites.flatMap((suite) => suite.folders),
  'components',
  'journeys/browser',
  'journeys/designer',
  'journeys/electron',
  'journeys/month',
  'journeys/packaged',
  'journeys/takeover',
];

describe('the test command', () => {
  it('runs every test file there is', async () => {
    const files = await readdir(join(root, 'test'), { recursive: true });
    const tests = files.filter((file) => /\.(test|spec)\./.test(file));
    const forgotten = tests.filter(
      (file) => !/\.test\.tsx?$/.test(file) || !folders.some((folder) => file.startsWith(`${folder}/`)),
    );
    expect(tests).toContain('architecture/suites.test.ts');
    expect(
      forgotten.map((file) => `test/${file}: name it *.test.ts, in a folder that test/tools/suites.ts knows`),
    ).toEqual([]);
  });

  it('has a step for every suite', () => {
    const names = steps.map(({ name }) => name);
    expect(suites.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has a suite for every module that is built', async () => {
    const built = (await readdir(join(root, 'src'), { withFileTypes: true })).filter(
      (entry) =>
        // Decisions are records in words.
        entry.isDirectory() && entry.name !== 'decisions',
    );
    expect(built.length).toBeGreaterThan(5);
    expect(built.map(({ name }) => name).filter((module) => !folders.includes(module))).toEqual([]);
  });
});
