import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faultOfPassphrase, readPassphraseFile } from '../../../src/agent/vault/read-passphrase-file.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';

function fileWith(content: string | Buffer, mode = 0o600): string {
  const path = join(makeFolder(), 'passphrase');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

it.each([
  ['with a line break', 'correct horse\n', 'correct horse'],
  ['without one', 'correct horse', 'correct horse'],
  ['with the line break of Windows', 'correct horse\r\n', 'correct horse'],
  ['with more lines, which do not count', 'correct horse\nsecond line\n', 'correct horse'],
  ['with spaces, which do count', '  correct horse \n', '  correct horse '],
  ['with the mark that some editors put first', '\ufeffcorrect horse\n', 'correct horse'],
  ['of exactly eight characters, counted as people do', '🔑🔑🔑🔑🔑🔑🔑🔑\n', '🔑🔑🔑🔑🔑🔑🔑🔑'],
])('reads a first line %s', async (_, content, passphrase) => {
  expect(await readPassphraseFile(fileWith(content))).toBe(passphrase);
});

it.each([
  ['is empty', '', 'is empty'],
  ['has an empty first line', '\nsecond line\n', 'is empty'],
  ['has fewer than eight characters', 'seven77\n', 'fewer than 8'],
  ['has fewer than eight characters, each of several bytes', '🔑🔑🔑🔑🔑🔑🔑\n', 'fewer than 8'],
  ['is not text', Buffer.from([0xff, 0xfe, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46]), 'UTF-8'],
])('refuses a file that %s, names it and does not repeat what is in it', async (_, content, words) => {
  const path = fileWith(content);
  const reading = readPassphraseFile(path);
  await expect(reading).rejects.toMatchObject({ name: 'VaultUnavailable', code: 'locked' });
  await expect(reading).rejects.toThrow(words);
  await expect(reading).rejects.toThrow(path);
  await expect(reading).rejects.not.toThrow('seven77');
});

it.runIf(process.platform !== 'win32').each([
  ['read by its group', 0o640],
  ['read by everybody', 0o604],
  ['written by its group', 0o620],
  ['read by everybody, though written by nobody', 0o444],
])('refuses a file that may be %s and says how to close it', async (_, mode) => {
  const path = fileWith('correct horse\n', mode);
  await expect(readPassphraseFile(path)).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining(`chmod 600 ${path}`) as string,
  });
});

it('refuses what is not there, and what is no file', async () => {
  const folder = makeFolder();
  await expect(readPassphraseFile(join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)');
  mkdirSync(join(folder, 'folder'), { mode: 0o700 });
  await expect(readPassphraseFile(join(folder, 'folder'))).rejects.toThrow('cannot be read (EISDIR)');
});

it('judges a passphrase that came another way by the same rule', () => {
  expect(faultOfPassphrase('')).toBe('is empty');
  expect(faultOfPassphrase('1234567')).toContain('fewer than 8');
  expect(faultOfPassphrase('12345678')).toBeNull();
});
