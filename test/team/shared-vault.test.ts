import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileVault } from '../../src/agent/vault/file-vault.ts';
import { SharedVault } from '../../src/agent/vault/shared-vault.ts';
import type { VaultFile } from '../../src/agent/vault/vault-file.ts';
import { openTeamVault } from '../../src/host/open-vault-choice.ts';
import { TableEntries } from '../../src/store/team/table-entries.ts';
import { describeVaultSuite } from '../agent/vault/vault-suite.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { teamTables } from './team-database.ts';

const passphrase = 'correct horse';
const a = { service: 'rotavox', account: 'a' };
const server = teamTables();

function open(entries: TableEntries, words = passphrase): Promise<SharedVault> {
  return SharedVault.open({ entries, passphrase: words, cost: cheapScrypt });
}

async function openTeam() {
  const team = await server.open();
  onTestFinished(() => team.close());
  const entries = (epoch: number | null) => new TableEntries(team.host(epoch));
  return { ...team, entries, vault: (epoch: number | null) => open(entries(epoch)) };
}

describeVaultSuite('the vault of a team', async () => {
  const team = await server.open();
  return { vault: await open(new TableEntries(team.host(1))), close: () => team.close() };
});

describe('the vault of a team', () => {
  it('has one key, whichever hosts open it first and at once, and before any leads', async () => {
    const { vault } = await openTeam();
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => vault(null)));
    const leader = await vault(1);
    await leader.write(a, 'value of a');
    for (const one of [first, ...others]) {
      expect(await one?.read(a)).toBe('value of a');
      expect(one?.clusterKey().equals(leader.clusterKey())).toBe(true);
    }
    expect(leader.clusterKey().symmetricKeySize).toBe(32);
  });

  it('is read by a follower and written by the leader only', async () => {
    const { vault, lead } = await openTeam();
    const [leader, follower] = [await vault(1), await vault(null)];
    await leader.write(a, 'first');
    await lead(2);
    for (const one of [leader, follower]) {
      const refused = { code: 'failed', problem: { code: 'vault_not_leading' } };
      await expect(one.write(a, 'second')).rejects.toMatchObject(refused);
      await expect(one.remove(a)).rejects.toMatchObject(refused);
      expect(await one.read(a)).toBe('first');
    }
  });

  it('refuses a wrong passphrase and changes nothing', async () => {
    const { entries, vault, query } = await openTeam();
    await (await vault(1)).write(a, 'value of a');
    const before = await query('select * from rotavox.entry order by name');
    const problem = { code: 'wrong_passphrase', path: entries(1).place };
    await expect(open(entries(1), 'wrong horse')).rejects.toMatchObject({ code: 'locked', problem });
    await expect(
      openTeamVault({ kind: 'postgres', passphrase: 'wrong horse', cost: cheapScrypt }, entries(1)),
    ).rejects.toMatchObject({
      code: 'VAULT_UNUSABLE',
      message: expect.stringContaining('passphrase') as string,
    });
    expect(await query('select * from rotavox.entry order by name')).toEqual(before);
  });

  it('never has a value or the passphrase in the database, in any form that can be read', async () => {
    const { vault, query } = await openTeam();
    const value = 'rvx_plaintext-value';
    await (await vault(1)).write(a, value);
    const text = JSON.stringify(await query('select * from rotavox.entry'));
    for (const secret of [value, passphrase]) {
      for (const form of ['utf8', 'base64', 'hex'] as const) {
        expect(text).not.toContain(Buffer.from(secret).toString(form).replace(/=+$/, ''));
      }
    }
  });

  it('has what a file vault had, when its key and its entries were copied as they are', async () => {
    const { entries, vault } = await openTeam();
    const folder = mkdtempSync(join(tmpdir(), 'rotavox-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = await FileVault.open({ path: folder, passphrase, cost: cheapScrypt });
    await file.write(a, 'value of a');
    const {
      notice: _,
      entries: sealed,
      ...key
    } = JSON.parse(readFileSync(join(folder, 'vault.json'), 'utf8')) as VaultFile;
    await entries(1).create('vault', 'key', JSON.stringify(key));
    for (const { service, account, ...value } of sealed) {
      await entries(1).write('vault', JSON.stringify([service, account]), JSON.stringify(value));
    }
    expect(await (await vault(null)).read(a)).toBe('value of a');
  });

  it('notices an entry that was changed, or put in the place of another', async () => {
    const { entries, vault } = await openTeam();
    const leader = await vault(1);
    await leader.write(a, 'value of a');
    const sealed = (await entries(1).read('vault', '["rotavox","a"]')) ?? '';
    for (const [account, value] of [
      ['b', sealed],
      ['c', sealed.replace(/"sealed":".{4}/, '"sealed":"AAAA')],
      ['d', 'no JSON'],
      ['e', '{"nonce":"AAAA","sealed":"AAAA"}'],
    ] as const) {
      await entries(1).write('vault', JSON.stringify(['rotavox', account]), value);
      const problem = { code: 'vault_entry_damaged', path: entries(1).place, service: 'rotavox', account };
      await expect(leader.read({ service: 'rotavox', account })).rejects.toMatchObject({ problem });
    }
  });

  it('seals other secrets of the team, each for its own name', async () => {
    const { vault } = await openTeam();
    const [{ sealer: leader }, { sealer: follower }] = [await vault(1), await vault(null)];
    const sealed = leader.seal('secret', 'one');
    expect(sealed).not.toContain('secret');
    expect(follower.open(sealed, 'one')).toBe('secret');
    expect(follower.open(sealed, 'two')).toBeNull();
    expect(follower.open('no JSON', 'one')).toBeNull();
  });

  it.each([
    ['is damaged', "update rotavox.entry set value = '{}'", 'vault_key_damaged'],
    ['is missing', 'delete from rotavox.entry', 'vault_key_missing'],
    ['is from a newer version', `update rotavox.entry set value = '{"format":2}'`, 'vault_file_too_new'],
    ['cannot be read', 'alter table rotavox.entry rename to elsewhere', 'vault_database_unusable'],
  ])('says so when its key %s', async (_, change, code) => {
    const { entries, vault, query } = await openTeam();
    const leader = await vault(1);
    await query(change);
    await expect(leader.contact()).rejects.toMatchObject({
      code: 'failed',
      problem: { code, path: entries(1).place },
    });
    if (code !== 'vault_key_missing') await expect(vault(1)).rejects.toMatchObject({ problem: { code } });
  });
});
