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
  ['is empty', '', 'empty'],
  ['has an empty first line', '\nsecond line\n', 'empty'],
  ['has fewer than eight characters', 'seven77\n', 'too_short'],
  ['has fewer than eight characters, each of several bytes', '🔑🔑🔑🔑🔑🔑🔑\n', 'too_short'],
  ['is not text', Buffer.from([0xff, 0xfe, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46]), null],
])(
  'refuses a file that %s, says which and why, and does not repeat what is in it',
  async (_, content, fault) => {
    const path = fileWith(content);
    const reading = readPassphraseFile(path);
    await expect(reading).rejects.toMatchObject({ name: 'VaultUnavailable', code: 'locked' });
    const problem =
      fault === null
        ? { code: 'passphrase_file_not_text', path }
        : { code: 'passphrase_unsuitable', path, fault };
    await expect(reading).rejects.toHaveProperty('problem', problem);
  },
);

it.runIf(process.platform !== 'win32').each([
  ['read by its group', 0o640],
  ['read by everybody', 0o604],
  ['written by its group', 0o620],
  ['read by everybody, though written by nobody', 0o444],
])('refuses a file that may be %s, with the reason', async (_, mode) => {
  const path = fileWith('correct horse\n', mode);
  await expect(readPassphraseFile(path)).rejects.toMatchObject({
    code: 'locked',
    problem: { code: 'passphrase_file_shared', path },
  });
});

it('refuses what is not there, and what is no file', async () => {
  const folder = makeFolder();
  await expect(readPassphraseFile(join(folder, 'none'))).rejects.toMatchObject({
    problem: { code: 'passphrase_file_unreadable', path: join(folder, 'none'), systemCode: 'ENOENT' },
  });
  mkdirSync(join(folder, 'folder'), { mode: 0o700 });
  await expect(readPassphraseFile(join(folder, 'folder'))).rejects.toMatchObject({
    problem: { code: 'passphrase_file_unreadable', systemCode: 'EISDIR' },
  });
});

it('judges a passphrase that came another way by the same rule', () => {
  expect(faultOfPassphrase('')).toBe('empty');
  expect(faultOfPassphrase('1234567')).toBe('too_short');
  expect(faultOfPassphrase('12345678')).toBeNull();
});
