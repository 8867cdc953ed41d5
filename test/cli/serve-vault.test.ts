import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileVault } from '../../src/agent/vault/file-vault.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { builtRotavox, freshDataDir, removeDataDir, rotavox, serviceOn } from './rotavox.ts';

async function folderForTest(): Promise<{ dataDir: string; passphraseFile: string }> {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  const passphraseFile = join(dirname(dataDir), 'passphrase');
  await writeFile(passphraseFile, 'correct horse battery staple\n', { mode: 0o600 });
  return { dataDir, passphraseFile };
}

const issue = ['token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'a'];

describe('rotavox serve with a file vault', () => {
  it(
    'opens what it has kept again, with the passphrase file from an option or the environment',
    { tags: ['long'] },
    async () => {
      const { dataDir, passphraseFile } = await folderForTest();
      const first = await serviceOn(dataDir, ['--vault', 'file', '--vault-passphrase-file', passphraseFile]);
      expect((await first.cli(...issue)).code).toBe(0);
      const { stdout: value } = await first.cli('get', 'a');
      await first.stop();
      const second = await serviceOn(dataDir, [], {
        ROTAVOX_VAULT: 'file',
        ROTAVOX_VAULT_PASSPHRASE_FILE: passphraseFile,
      });
      expect((await second.cli('get', 'a')).stdout).toBe(value);
    },
  );

  it('ends with 1 and what to do when the file of the passphrase is open to others', async () => {
    const { dataDir, passphraseFile } = await folderForTest();
    await chmod(passphraseFile, 0o644);
    const args = ['--vault', 'file', '--vault-passphrase-file', passphraseFile];
    const shared = await builtRotavox(['serve', '--port', '0', ...args], { dataDir });
    expect(shared).toMatchObject({ code: 1, stdout: '' });
    expect(shared.stderr).toContain('chmod 600');
  });

  it('ends with 1 and what to do when the passphrase is wrong', { tags: ['long'] }, async () => {
    const { dataDir, passphraseFile } = await folderForTest();
    await FileVault.open({ path: dataDir, passphrase: 'correct horse battery staple' });
    await writeFile(passphraseFile, 'another passphrase\n');
    const args = ['--vault', 'file', '--vault-passphrase-file', passphraseFile];
    const wrong = await builtRotavox(['serve', '--port', '0', ...args], { dataDir });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('passphrase');
    expect(wrong.stderr).not.toContain('another passphrase');
  });

  it.each([
    ['no passphrase and no terminal', ['--vault', 'file'], {}, '--vault-passphrase-file'],
    ['a passphrase for the keychain', ['--vault-passphrase-file', 'x'], {}, '--vault file'],
    ['an empty file name', ['--vault', 'file', '--vault-passphrase-file', ''], {}, 'needs a file'],
    [
      'a ROTAVOX_VAULT that is none',
      [],
      { ROTAVOX_VAULT: 'paper' },
      'ROTAVOX_VAULT must be keychain, file or postgres',
    ],
    ['a vault in PostgreSQL without a journal there', ['--vault', 'postgres'], {}, 'add --journal'],
  ])('is not started with %s', async (_what, args, env, why) => {
    const { dataDir } = await folderForTest();
    const result = await rotavox(['serve', '--port', '0', ...args], { dataDir, env });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(why);
  });

  it.skipIf(!hasTerminals)(
    'asks for the passphrase on a terminal, once and without showing it',
    { tags: ['long'] },
    async () => {
      const { dataDir } = await folderForTest();
      const terminal = inTerminal(`exec ${shellLine(['serve', '--port', '0', '--vault', 'file'])}`, dataDir);
      await terminal.shows('Passphrase of the file vault');
      terminal.type('correct horse battery staple\r');
      await terminal.shows('Rotavox runs at');
      expect(await rotavox(issue, { dataDir })).toMatchObject({ code: 0 });
      terminal.type('\u0003');
      expect(await terminal.ended).toBe(0);
      expect(terminal.screen()).not.toContain('correct');
    },
  );
});
