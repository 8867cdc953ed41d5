import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from './find-violations.ts';
import type { Inspection } from './find-violations.ts';
import { plantViolations, attempts } from './planted-violations.ts';

// A file of its own: vitest lists every test of a file that failed, and here they are many.
describe('the layers', () => {
  const planted = attempts();
  let folder: string;
  let found: Inspection;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-layers-'));
    await plantViolations(folder, planted);
    found = await findViolations(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const rulesBrokenBy = (file: string): string[] =>
    found.violations.filter(({ from }) => from === file).map(({ rule }) => rule);

  it.each(planted.filter(({ breaks }) => breaks !== null))('catch $file importing $imports', (visitor) => {
    expect(rulesBrokenBy(visitor.file)).toContainEqual(expect.stringContaining(visitor.breaks ?? ''));
  });

  it.each(planted.filter(({ breaks }) => breaks === null))('let $file import $imports', ({ file }) => {
    expect(found.files).toContain(file);
    expect(rulesBrokenBy(file)).toEqual([]);
  });

  it('catch two files that import each other', () => {
    expect(rulesBrokenBy('src/core/circle-a.ts')).toEqual(['no cycles']);
  });
});
