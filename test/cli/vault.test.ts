import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileVault } from '../../src/agent/vault/file-vault.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { freshDataDir, removeDataDir, rotavox, serviceOn } from './rotavox.ts';
import { serviceHereOn } from './service-here.ts';

const token = { service: 'rotavox', account: 'a' };

/** A data folder with a file vault, and files with passphrases beside it. */
async function folderForTest({ isUsed = true } = {}) {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  if (isUsed) {
    const vault = await FileVault.open({ path: dataDir, passphrase: 'the old passphrase' });
    await vault.write(token, 'token of a');
  }
  const fileWith = (passphrase: string) => {
    const file = join(dirname(dataDir), passphrase.replaceAll(' ', '-'));
    writeFileSync(file, `${passphrase}\n`, { mode: 0o600 });
    return file;
  };
  const opens = async (passphrase: string) => {
    const opened = await FileVault.open({ path: dataDir, passphrase });
    expect(await opened.read(token)).toBe('token of a');
  };
  return { dataDir, old: fileWith('the old passphrase'), changed: fileWith('the new passphrase'), opens };
}

const passphrase = ['vault', 'passphrase'];

describe('rotavox vault passphrase', () => {
  it('sets one in place of a key file without asking for an old one, and serve then takes it', async () => {
    const dataDir = await freshDataDir();
    onTestFinished(() => removeDataDir(dataDir));
    const service = await serviceHereOn(dataDir);
    expect(
      (await service.cli('token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'a')).code,
    ).toBe(0);
    const { stdout: token } = await service.cli('get', 'a');
    const file = join(dirname(dataDir), 'new');
    writeFileSync(file, 'the new passphrase\n', { mode: 0o600 });
    const set = [...passphrase, '--new-passphrase-file', file];
    expect((await rotavox(set, { dataDir })).stderr).toContain('quit it first');
    await service.stop();
    const done = await rotavox(set, { dataDir });
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toContain('its key file is removed');
    expect((await rotavox(set, { dataDir })).code).toBe(2);
    const refused = await rotavox(['serve', '--port', '0'], { dataDir });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    const again = await serviceOn(dataDir, ['--vault-passphrase-file', file]);
    expect((await again.cli('get', 'a')).stdout).toBe(token);
    expect(await again.json('status')).toMatchObject({ vault: { kind: 'file', key: 'passphrase' } });
  });

  it(
    'changes it with two files, says what to do next, and says so when it was changed before',
    { tags: ['long'] },
    async () => {
      const { dataDir, old, changed } = await folderForTest();
      const args = [...passphrase, '--vault-passphrase-file', old, '--new-passphrase-file', changed];
      const first = await rotavox(args, { dataDir });
      expect(first).toMatchObject({ code: 0 });
      expect(first.stdout).toBe(
        `The passphrase of ${join(dataDir, 'vault.json')} is changed. 1 entry was encrypted again.\n`,
      );
      expect(first.stderr).toContain('Start Rotavox with the new passphrase');
      const { code, stdout } = await rotavox([...args, '--json'], { dataDir });
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        { place: join(dataDir, 'vault.json'), changed: false, entries: 0 },
      ]);
    },
  );

  it.each([
    ['no old passphrase and no terminal', ['--new-passphrase-file', 'x'], {}, '--vault-passphrase-file'],
    ['no new passphrase and no terminal', ['--vault-passphrase-file', 'x'], {}, '--new-passphrase-file'],
    ['an empty file name', ['--vault-passphrase-file', 'x', '--new-passphrase-file', ''], {}, 'needs a file'],
    ['a folder and a team', ['--data-dir', 'x', '--journal', 'postgres://x/y'], {}, 'Name a data folder'],
    ['a journal that is none', [], { ROTAVOX_JOURNAL: 'file:///x' }, 'must be the address of a database'],
  ])('is not carried out with %s', async (_what, args, env, why) => {
    const result = await rotavox([...passphrase, ...args], { env });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(why);
  });

  it('takes a folder that is named rather than the team of the environment, and ends with 1 where it has no vault', async () => {
    const { dataDir, old, changed } = await folderForTest({ isUsed: false });
    const args = [
      '--data-dir',
      dirname(dataDir),
      '--vault-passphrase-file',
      old,
      '--new-passphrase-file',
      changed,
    ];
    const result = await rotavox([...passphrase, ...args], {
      env: { ROTAVOX_JOURNAL: 'postgres://127.0.0.1:1/x' },
    });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain(`no encrypted vault in ${dirname(dataDir)}`);
  });

  it.skipIf(!hasTerminals)(
    'asks on a terminal, twice for the new one, and shows none',
    { tags: ['long'] },
    async () => {
      const { dataDir, opens } = await folderForTest();
      const run = (again: string) => {
        const terminal = inTerminal(`exec ${shellLine(passphrase)}`, dataDir);
        return { terminal, typed: typeAll(terminal, again) };
      };
      const differs = run('another one');
      expect(await differs.typed).toBe(2);
      expect(differs.terminal.screen()).toContain('two different');
      const same = run('the new passphrase');
      expect(await same.typed).toBe(0);
      expect(same.terminal.screen()).not.toMatch(/the (?:old|new) passphrase\r/);
      await opens('the new passphrase');
    },
  );
});

async function typeAll(terminal: ReturnType<typeof inTerminal>, again: string): Promise<number | null> {
  for (const [question, answer] of [
    ['Passphrase of the file vault', 'the old passphrase'],
    ['New passphrase (', 'the new passphrase'],
    ['New passphrase again', again],
  ] as const) {
    await terminal.shows(question);
    terminal.type(`${answer}\r`);
  }
  return terminal.ended;
}
