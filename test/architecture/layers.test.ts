import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from './find-violations.ts';
import type { Inspection } from './find-violations.ts';
import { layers } from './layers.ts';

const root = join(import.meta.dirname, '../..');

describe('the source', () => {
  let inspection: Inspection;
  beforeAll(async () => {
    inspection = await findViolations(root);
  });

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
