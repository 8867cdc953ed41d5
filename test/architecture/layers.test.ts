import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, afterAll } from 'vitest';
import { findViolations, type Inspection } from './find-violations.ts';
import { layers } from './layers.ts';
import { tmpdir } from 'node:os';
import { plantViolations, attempts } from './planted-violations.ts';

const root = join(import.meta.dirname, '../..');

describe('the source', () => {
  let inspection: Inspection;
  beforeAll(async () => {
    inspection = await findViolations(root);
  }, 300_000);

  it('keeps to its layers', () => {
    expect(inspection.violations.map(({ from, to, rule }) => `${from} -> ${to} (${rule})`)).toEqual([]);
  });

  it('is read to the last file: an import nobody read is an import nobody checked', async () => {
    const entries = await readdir(join(root, 'src'), { recursive: true });
    const sources = entries.filter((name) => /\.[cm]?[jt]sx?$/.test(name)).map((name) => `src/${name}`);
    expect(sources).not.toEqual([]);
    expect(inspection.files).toEqual(expect.arrayContaining(sources));
  });

  it('has no module and no loose file that the layers table does not know', async () => {
    const entries = await readdir(join(root, 'src'), { withFileTypes: true });
    const strangers = entries
      .filter((entry) =>
        entry.isDirectory()
          ? !(entry.name in layers || entry.name === 'decisions')
          : entry.name !== 'README.md',
      )
      .map(
        (entry) => `src/${entry.name}: give it a row in test/architecture/layers.ts, or put it into a module`,
      );
    expect(strangers).toEqual([]);
  });
});

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
