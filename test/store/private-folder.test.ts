import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closeDataFolder } from '../../src/store/private-folder.ts';
import type { FolderClosing } from '../../src/system/close-folder.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

it('the access rights of a data folder are changed, but not those of a folder with other files', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'journal'));
  writeFileSync(join(folder, 'lock'), '');
  const closed: string[] = [];
  const close = (path: string): FolderClosing => {
    closed.push(path);
    return { kind: 'closed' };
  };
  expect(closeDataFolder(folder, close)).toEqual({ kind: 'closed' });
  writeFileSync(join(folder, 'letter.txt'), '');
  expect(closeDataFolder(folder, close)).toEqual({ kind: 'not_needed' });
  expect(closed).toEqual([folder]);
});
