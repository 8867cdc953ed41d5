import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import type { DeliveryOutcome } from '../../../src/agent/delivery/delivery-outcome.ts';
import type { DeliveryProblem } from '../../../src/contract/credential/delivery-problem.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext, makeVault } from './preview-setup.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';

function deliverTo(path: string, value = 'secret-value', variable = 'TOKEN'): Promise<DeliveryOutcome> {
  return deliver({ kind: 'dotenv', path, variable }, value, makeContext());
}

function makeDotenv(content: string | Buffer): string {
  const path = join(makeFolder(), '.env');
  writeFileSync(path, content);
  return path;
}

describe('a dotenv target', () => {
  it('gets one variable changed; the rest of the file and its mode stay', async () => {
    const path = makeDotenv('# ours\r\nA=1\r\nexport TOKEN="old" # from the portal\r\nB=2');
    chmodSync(path, 0o640);
    expect(await deliverTo(path)).toEqual({ ok: true, note: null });
    expect(readFileSync(path, 'utf8')).toBe(
      '# ours\r\nA=1\r\nexport TOKEN="secret-value" # from the portal\r\nB=2',
    );
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('is made for its owner only when it is missing', async () => {
    const path = join(makeFolder(), '.env');
    expect(await deliverTo(path)).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe('TOKEN=secret-value\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is changed where a symbolic link leads', async () => {
    const path = makeDotenv('TOKEN=old\n');
    const link = join(makeFolder(), 'link');
    symlinkSync(path, link);
    expect(await deliverTo(link)).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe('TOKEN=secret-value\n');
  });

  it('that has the token already is left alone', async () => {
    const path = makeDotenv("TOKEN='secret-value'\n");
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    expect(await deliverTo(path)).toEqual({ ok: true, note: null });
    expect(statSync(path, { bigint: true })).toMatchObject({ ino, mtimeNs });
  });

  it('loses no variable when several are delivered into it at once', async () => {
    const path = makeDotenv('KEEP=1\n');
    const link = join(makeFolder(), 'link');
    symlinkSync(path, link);
    const variables = Array.from({ length: 20 }, (_, index) => `TOKEN_${index}`);
    const outcomes = await Promise.all(
      variables.map((variable, index) =>
        deliverTo(index % 2 === 0 ? path : link, `value-of-${variable}`, variable),
      ),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({
      KEEP: '1',
      ...Object.fromEntries(variables.map((variable) => [variable, `value-of-${variable}`])),
    });
  });
});

describe('a dotenv target that cannot be', () => {
  async function expectTrouble(
    path: string,
    value: string,
    { retry, code }: { retry: boolean; code: DeliveryProblem['code'] },
  ): Promise<void> {
    const before = readFileSync(path);
    const outcome = await deliverTo(path, value);
    expect(outcome).toMatchObject({ ok: false, retry, problem: { code, path } });
    expect(JSON.stringify(outcome)).not.toContain('secret-value');
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(join(path, '..'))).toEqual(['.env']);
  }

  it.each([
    ['a line break', 'secret-value\nB=2'],
    ['a carriage return', 'secret-value\rB=2'],
    ['a NUL', 'secret-value\0'],
    ['a backslash at its end', 'secret-value\\'],
    ['quotes that no style carries', `secret-value'"`],
  ])('refuses a token with %s for good', async (_, value) => {
    await expectTrouble(makeDotenv('TOKEN=old\n'), value, { retry: false, code: 'not_quotable' });
  });

  it('says that the file is no text', async () => {
    const path = makeDotenv(Buffer.from('\uFEFFTOKEN=old\n', 'utf16le'));
    await expectTrouble(path, 'secret-value', { retry: true, code: 'not_text' });
  });

  it('says that an open quote would include the change', async () => {
    const path = makeDotenv("NOTE='tis open\nTOKEN=old\n");
    await expectTrouble(path, '#secret-value', { retry: true, code: 'quotes_open' });
  });

  it('says that the path is a folder', async () => {
    const folder = makeFolder();
    const outcome = await deliverTo(folder);
    expect(outcome).toEqual({ ok: false, retry: true, problem: { code: 'is_folder', path: folder } });
  });
});

const entry = { service: 'billing-app', account: 'api' };
const target = { kind: 'keychain', ...entry } as const;
const locked = { code: 'keychain_locked', platform: 'linux' } as const;

describe('a keychain target', () => {
  it.each(['keychain', 'memory'] as const)('gets the token through a vault of kind %s', async (kind) => {
    const vault = makeVault(kind);
    expect(await deliver(target, 'new', makeContext({ vault }))).toEqual({ ok: true, note: null });
    expect(await vault.read(entry)).toBe('new');
  });

  it('is impossible where tokens are kept in an encrypted file; nothing is written', async () => {
    const vault = makeVault('file');
    const outcome = await deliver(target, 'new', makeContext({ vault }));
    expect(outcome).toEqual({ ok: false, retry: false, problem: { code: 'no_keychain', ...entry } });
    expect(await vault.read(entry)).toBeNull();
  });

  it.each([
    { service: 'rotavox', account: 'billing' },
    { service: 'rotavox-probe', account: 'unlocked' },
    { service: 'Rotavox Safe Storage', account: 'Rotavox' },
  ])('may not be one of the entries of Rotavox itself: %j', async (own) => {
    const vault = makeVault('keychain');
    await vault.write(own, 'kept');
    expect(await deliver({ kind: 'keychain', ...own }, 'new', makeContext({ vault }))).toMatchObject({
      ok: false,
      retry: false,
      problem: { code: 'own_entry', ...own },
    });
    expect(await vault.read(own)).toBe('kept');
  });

  it('that is locked is reported, with the entry, and tried again', async () => {
    const vault = makeVault('keychain', {
      write: () => Promise.reject(new VaultUnavailable(locked)),
    });
    const outcome = await deliver(target, 'secret-value', makeContext({ vault }));
    const problem = { code: 'entry_not_written', ...entry, problem: locked };
    expect(outcome).toEqual({ ok: false, retry: true, problem });
  });

  it('does not count as delivered when something else is read back', async () => {
    for (const found of ['old', null]) {
      const vault = makeVault('keychain', { read: async () => found });
      expect(await deliver(target, 'new', makeContext({ vault }))).toMatchObject({ ok: false, retry: true });
    }
  });

  it('lets a bug of the vault through', async () => {
    const vault = makeVault('keychain', { write: () => Promise.reject(new TypeError('a bug')) });
    await expect(deliver(target, 'new', makeContext({ vault }))).rejects.toThrow('a bug');
  });
});
