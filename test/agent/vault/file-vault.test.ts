import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileVault } from '../../../src/agent/vault/file-vault.ts';
import type { VaultFile } from '../../../src/agent/vault/vault-file.ts';
import { VaultKey } from '../../../src/agent/vault/vault-file.ts';
import { canLimitFileSize, limitFileSize } from '../../chaos/full-disk.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { describeVaultSuite } from './vault-suite.ts';

const passphrase = 'correct horse';
const a = { service: 'rotavox', account: 'a' };
const b = { service: 'rotavox', account: 'b' };

function open(folder: string, words = passphrase): Promise<FileVault> {
  return FileVault.open({ path: folder, passphrase: words, cost: cheapScrypt });
}

describeVaultSuite('the file vault', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-test-'));
  return {
    vault: await open(folder),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
});

/** A vault with two entries in a new folder, and its file. */
async function makeVault() {
  const folder = makeFolder();
  const vault = await open(folder);
  await vault.write(a, 'value of a');
  await vault.write(b, 'value of b');
  const file = join(folder, 'vault.json');
  return {
    folder,
    vault,
    file,
    text: () => readFileSync(file, 'utf8'),
    json: () => JSON.parse(readFileSync(file, 'utf8')) as VaultFile,
    damage: (change: (content: VaultFile) => unknown) => {
      const content = JSON.parse(readFileSync(file, 'utf8')) as VaultFile;
      writeFileSync(file, JSON.stringify(change(content) ?? content));
    },
  };
}

describe('a file vault', () => {
  it('has its entries again when it is opened again', async () => {
    const { folder } = await makeVault();
    const again = await open(folder);
    expect(await again.read(a)).toBe('value of a');
    expect(await again.read(b)).toBe('value of b');
  });

  it('says in the file itself what it is, with its format and the cost that it requires', async () => {
    const folder = makeFolder();
    const vault = await FileVault.open({ path: folder, passphrase });
    await vault.write(a, 'value of a');
    const file = JSON.parse(readFileSync(join(folder, 'vault.json'), 'utf8')) as VaultFile;
    expect(file).toMatchObject({
      notice: expect.stringContaining('not the OS keychain') as string,
      format: 1,
      key: { derived_by: 'scrypt', N: 131_072, r: 8, p: 1 },
    });
    // The key is derived with the cost that the file names, and opens with no other.
    const salt = Buffer.from(file.key.salt, 'base64');
    const opens = async (cost: typeof cheapScrypt) =>
      (await VaultKey.derive(passphrase, salt, cost)).open(file.check, ['rotavox vault 1', 'check']) !== null;
    expect(await opens(file.key)).toBe(true);
    expect(await opens(cheapScrypt)).toBe(false);
    await expect(open(folder)).rejects.toMatchObject({ code: 'failed' });
  });

  it('never has a value or the passphrase in its file, in any form that can be read', async () => {
    const { vault, text } = await makeVault();
    const value = 'rvx_plaintext-value';
    await vault.write(a, value);
    for (const secret of [value, passphrase]) {
      for (const form of ['utf8', 'base64', 'hex'] as const) {
        expect(text()).not.toContain(Buffer.from(secret).toString(form).replace(/=+$/, ''));
      }
    }
  });

  it('seals the same value differently each time', async () => {
    const { vault, json } = await makeVault();
    await vault.write(a, 'same');
    const [first] = json().entries.filter(({ account }) => account === 'a');
    await vault.write(a, 'same');
    const [second] = json().entries.filter(({ account }) => account === 'a');
    expect(second?.nonce).not.toBe(first?.nonce);
    expect(second?.sealed).not.toBe(first?.sealed);
  });

  it.runIf(process.platform !== 'win32')('is for its owner only, whatever it was before', async () => {
    const folder = join(makeFolder(), 'new', 'folder');
    const vault = await open(folder);
    const file = join(folder, 'vault.json');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    await vault.write(a, 'value');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing but its file, and takes away what a killed program left of it', async () => {
    const { folder } = await makeVault();
    writeFileSync(join(folder, 'vault.json.0123456789abcdef.new'), 'half');
    writeFileSync(join(folder, 'vault.json.backup'), 'not ours');
    mkdirSync(join(folder, 'vault.json.00000000000000ff.new'));
    await open(folder);
    expect(readdirSync(folder).sort()).toEqual([
      'vault.json',
      'vault.json.00000000000000ff.new',
      'vault.json.backup',
    ]);
  });

  it('takes an accented passphrase however the keyboard put it together', async () => {
    const folder = makeFolder();
    await (await open(folder, 'café-café')).write(a, 'value');
    const again = await open(folder, 'cafe\u0301-cafe\u0301');
    expect(await again.read(a)).toBe('value');
  });

  it('follows its file when a backup is put in its place', async () => {
    const { vault, file, text } = await makeVault();
    const backup = text();
    await vault.write(a, 'newer');
    writeFileSync(file, backup);
    expect(await vault.read(a)).toBe('value of a');
    await vault.write(b, 'newer');
    expect(await vault.read(a)).toBe('value of a');
  });
});

describe('a file vault that cannot be used', () => {
  const locked = { name: 'VaultUnavailable', code: 'locked' };
  const failed = { name: 'VaultUnavailable', code: 'failed' };

  it('is locked for a wrong passphrase, and changes nothing', async () => {
    const { folder, file, text } = await makeVault();
    const before = text();
    const opening = open(folder, 'wrong horse');
    await expect(opening).rejects.toMatchObject(locked);
    await expect(opening).rejects.toHaveProperty('problem', { code: 'wrong_passphrase', path: file });
    expect(text()).toBe(before);
  });

  it('is locked when its file is replaced by one of another passphrase, and does not write into that', async () => {
    const { vault, file, text } = await makeVault();
    const other = makeFolder();
    await open(other, 'another passphrase');
    writeFileSync(file, readFileSync(join(other, 'vault.json')));
    const before = text();
    await expect(vault.read(a)).rejects.toMatchObject(locked);
    await expect(vault.write(a, 'value')).rejects.toMatchObject(locked);
    await expect(vault.remove(a)).rejects.toMatchObject(locked);
    expect(text()).toBe(before);
  });

  it('does not open a value whose bits were changed, keeps the others, and can be given it again', async () => {
    const { vault, damage, file } = await makeVault();
    for (const part of ['sealed', 'nonce'] as const) {
      await vault.write(a, 'value of a');
      damage(({ entries, ...rest }) => ({
        ...rest,
        entries: entries.map((one) => {
          if (one.account !== 'a') return one;
          const bytes = Buffer.from(one[part], 'base64');
          bytes[0]! ^= 1;
          return { ...one, [part]: bytes.toString('base64') };
        }),
      }));
      await expect(vault.read(a)).rejects.toMatchObject({
        ...failed,
        problem: { code: 'vault_entry_damaged', path: file, ...a },
      });
      expect(await vault.read(b)).toBe('value of b');
    }
    await vault.write(a, 'given again');
    expect(await vault.read(a)).toBe('given again');
  });

  it('does not open the value of one entry in place of another', async () => {
    const { vault, damage } = await makeVault();
    damage(({ entries: [first, second], ...rest }) => ({
      ...rest,
      entries: [
        { ...first, nonce: second?.nonce, sealed: second?.sealed },
        { ...second, nonce: first?.nonce, sealed: first?.sealed },
      ],
    }));
    await expect(vault.read(a)).rejects.toMatchObject(failed);
    await expect(vault.read(b)).rejects.toMatchObject(failed);
  });

  it('does not open the value of an entry that was renamed, also where the two names run on alike', async () => {
    const { vault, damage } = await makeVault();
    damage(({ entries, ...rest }) => ({
      ...rest,
      entries: entries.map((one) =>
        one.account === 'a' ? { ...one, service: 'rotavo', account: 'xa' } : one,
      ),
    }));
    await expect(vault.read({ service: 'rotavo', account: 'xa' })).rejects.toMatchObject(failed);
  });

  it.each([
    ['is cut short', (text: string) => text.slice(0, -20)],
    ['is empty', () => ''],
    ['is another program’s', () => '{"format":"zip"}'],
    ['has no entries', (text: string) => text.replace('"entries"', '"entrees"')],
    ['names other costs for its key', (text: string) => text.replace('"N": 2', '"N": 4')],
    ['has a field that nobody knows', (text: string) => text.replace('{', '{"extra":1,')],
    ['has a nonce that is not base64', (text: string) => text.replace(/"nonce": "./, '"nonce": "*')],
    ['has an entry twice', (text: string) => text.replace('"account": "b"', '"account": "a"')],
  ])('fails when its file %s, names it and changes nothing', async (_, change) => {
    const { folder, vault, file, text } = await makeVault();
    const damaged = change(text());
    expect(damaged).not.toBe(text());
    writeFileSync(file, damaged);
    const refusal = { ...failed, problem: { code: 'vault_file_damaged', path: file } };
    await expect(open(folder)).rejects.toMatchObject(refusal);
    await expect(vault.read(a)).rejects.toMatchObject(refusal);
    await expect(vault.write(a, 'value')).rejects.toMatchObject(refusal);
    await expect(vault.remove(a)).rejects.toMatchObject(refusal);
    expect(text()).toBe(damaged);
  });

  it('fails when its file is of a newer format, and changes nothing', async () => {
    const { folder, file } = await makeVault();
    const newer = '{"format":2,"anything":"else"}';
    writeFileSync(file, newer);
    const opening = open(folder);
    await expect(opening).rejects.toMatchObject(failed);
    const problem = { code: 'vault_file_too_new', path: file, format: 2, newestFormat: 1 };
    await expect(opening).rejects.toHaveProperty('problem', problem);
    expect(readFileSync(file, 'utf8')).toBe(newer);
  });

  it('fails when its file is gone, and does not silently create a new one', async () => {
    const { vault, folder, file } = await makeVault();
    rmSync(file);
    await expect(vault.read(a)).rejects.toMatchObject({
      problem: { code: 'vault_file_missing', path: file },
    });
    await expect(vault.write(a, 'value')).rejects.toMatchObject(failed);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('fails when its folder is gone or is no folder, and continues when it exists again', async () => {
    const { vault, folder, file, text } = await makeVault();
    const content = text();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file in its place');
    await expect(vault.read(a)).rejects.toMatchObject({
      problem: { code: 'vault_file_unusable', path: file, systemCode: 'ENOTDIR' },
    });
    await expect(open(folder)).rejects.toMatchObject(failed);
    rmSync(folder);
    mkdirSync(folder);
    writeFileSync(file, content);
    expect(await vault.read(a)).toBe('value of a');
  });
});

describe('a file vault whose passphrase is changed', () => {
  const changed = 'another passphrase';
  const change = (folder: string, words = passphrase, newPassphrase = changed) =>
    FileVault.changePassphrase(folder, { passphrase: words, newPassphrase, cost: cheapScrypt });

  it('has the same entries and opens with the new one only, also where it was open before', async () => {
    const { folder, vault, file, json } = await makeVault();
    const before = json();
    writeFileSync(join(folder, 'vault.json.0123456789abcdef.new'), 'half');
    expect(await change(folder)).toBe(2);
    expect(readdirSync(folder)).toEqual(['vault.json']);
    const after = json();
    expect(after.key.salt).not.toBe(before.key.salt);
    expect(after).toEqual({
      ...before,
      key: { ...before.key, salt: after.key.salt },
      check: after.check,
      entries: before.entries.map(({ service, account }, place) => ({
        ...after.entries[place],
        service,
        account,
      })),
    });
    const again = await open(folder, changed);
    expect([await again.read(a), await again.read(b)]).toEqual(['value of a', 'value of b']);
    const locked = { code: 'locked', problem: { code: 'wrong_passphrase', path: file } };
    await expect(open(folder)).rejects.toMatchObject(locked);
    await expect(vault.read(a)).rejects.toMatchObject(locked);
    await expect(vault.write(a, 'late')).rejects.toMatchObject(locked);
    expect(await again.read(a)).toBe('value of a');
  });

  it('says so when it was changed before, and changes nothing', async () => {
    const { folder, text } = await makeVault();
    await change(folder);
    const before = text();
    expect(await change(folder)).toBeNull();
    expect(text()).toBe(before);
  });

  it('stays as it is for a wrong passphrase, an entry that is damaged, and where there is none', async () => {
    const { folder, file, text, damage } = await makeVault();
    const before = text();
    await expect(change(folder, 'wrong horse')).rejects.toMatchObject({
      code: 'locked',
      problem: { code: 'wrong_passphrase', path: file },
    });
    expect(text()).toBe(before);
    damage(({ entries: [first, second], ...rest }) => ({
      ...rest,
      entries: [first, { ...first, account: second?.account }],
    }));
    const damagedText = text();
    await expect(change(folder)).rejects.toMatchObject({
      problem: { code: 'vault_entry_damaged', path: file, ...b },
    });
    expect(text()).toBe(damagedText);
    rmSync(file);
    await expect(change(folder)).rejects.toMatchObject({ problem: { code: 'vault_file_missing' } });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(canLimitFileSize)('stays as it is on a full disk', async () => {
    const { folder, file, text } = await makeVault();
    const before = text();
    limitFileSize(process.pid, 200);
    onTestFinished(() => limitFileSize(process.pid, 'unlimited'));
    await expect(change(folder)).rejects.toMatchObject({
      problem: { code: 'vault_file_unusable', path: file, systemCode: 'EFBIG' },
    });
    expect(text()).toBe(before);
    expect(readdirSync(folder)).toEqual(['vault.json']);
  });
});

describe('a file vault on a full disk', () => {
  it.runIf(canLimitFileSize)(
    'fails, keeps the previous token whole, and goes on when there is room',
    async () => {
      const { folder, vault, file } = await makeVault();
      limitFileSize(process.pid, 200);
      onTestFinished(() => limitFileSize(process.pid, 'unlimited'));
      await expect(vault.write(a, 'newer')).rejects.toMatchObject({
        problem: { code: 'vault_file_unusable', path: file, systemCode: 'EFBIG' },
      });
      await expect(vault.remove(b)).rejects.toMatchObject({ code: 'failed' });
      limitFileSize(process.pid, 'unlimited');
      expect(readdirSync(folder)).toEqual(['vault.json']);
      expect(await vault.read(a)).toBe('value of a');
      await vault.write(a, 'newer');
      expect(await vault.read(a)).toBe('newer');
    },
  );
});

describe('a file vault whose program is killed', () => {
  for (const [writes, tags] of [
    [1, ['long']],
    [8, []],
    [40, ['long']],
  ] as const) {
    const title = `holds the last value that was acknowledged, or the one after it (${writes} writes)`;
    it(title, { tags: [...tags] }, async () => {
      const folder = makeFolder();
      const script = join(import.meta.dirname, 'file-vault-child.ts');
      const child = spawn(process.execPath, [script, folder, passphrase], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = once(child, 'close');
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await gone;
      });
      let acknowledged = -1;
      for await (const line of createInterface(child.stdout)) {
        acknowledged = Number(line);
        if (acknowledged >= writes) child.kill('SIGKILL'); // during the next write
      }
      await gone;

      expect(acknowledged).toBeGreaterThanOrEqual(writes);
      const vault = await open(folder);
      const value = await vault.read({ service: 'rotavox', account: 'counter' });
      const [count = '', filling = ''] = (value ?? '').split(' ');
      expect([acknowledged, acknowledged + 1]).toContain(Number(count));
      expect(filling).toBe('x'.repeat((Number(count) % 7) * 1_000));
      expect(readdirSync(folder)).toEqual(['vault.json']);
    });
  }
});
