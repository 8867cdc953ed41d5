import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cruiseHouse } from './cruise-house.ts';
import type { Inspection } from './cruise-house.ts';
import { floors } from './floors.ts';

const root = join(import.meta.dirname, '../..');

describe('the house', () => {
  let house: Inspection;
  beforeAll(async () => {
    house = await cruiseHouse(root);
  });

  it('keeps to its floors', () => {
    expect(house.trespasses.map(({ from, to, rule }) => `${from} -> ${to} (${rule})`)).toEqual([]);
  });

  it('is read to the last file: an import nobody read is an import nobody checked', async () => {
    const entries = await readdir(join(root, 'src'), { recursive: true });
    const sources = entries.filter((name) => /\.[cm]?[jt]sx?$/.test(name)).map((name) => `src/${name}`);
    expect(sources).not.toEqual([]);
    expect(house.files).toEqual(expect.arrayContaining(sources));
  });

  it('has no room and no loose file that the floors table does not know', async () => {
    const entries = await readdir(join(root, 'src'), { withFileTypes: true });
    const strangers = entries
      .filter((entry) =>
        entry.isDirectory()
          ? !(entry.name in floors || entry.name === 'decisions')
          : entry.name !== 'README.md',
      )
      .map((entry) => `src/${entry.name}: give it a row in test/house/floors.ts, or a room to live in`);
    expect(strangers).toEqual([]);
  });
});
