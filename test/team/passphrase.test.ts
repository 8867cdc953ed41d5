/** @module-tag long */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SharedVault } from '../../src/agent/vault/shared-vault.ts';
import { genesis } from '../../src/store/journal-line.ts';
import { changePassphrase, passphraseHost } from '../../src/host/change-passphrase.ts';
import { startHost } from '../../src/host/start-host.ts';
import { startTeamHost } from '../../src/host/start-team-host.ts';
import { copyHost } from '../../src/store/copy-lines.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';
import {
  afterChanges,
  expectOneOpensAfter,
  fileEntries,
  fileVault,
  newPassphrase,
  oldPassphrase,
  type SealedVault,
  teamEntries,
  teamVault,
} from './sealed-vaults.ts';
import { waitFor } from '../fixtures/wait-for.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await commonPostgres();
});

function change({ place }: SealedVault, from = oldPassphrase, to = newPassphrase) {
  const old = { passphrase: from, cost: cheapScrypt };
  return changePassphrase({ place, old, changed: { passphrase: to } });
}

const refused = (message: string) => ({
  code: 'VAULT_UNUSABLE',
  message: expect.stringContaining(message) as string,
});

describe.each([
  ['a data folder', fileVault, fileEntries],
  ['a team', () => teamVault(postgres), teamEntries],
])('the passphrase of %s', (_, make, entries) => {
  it('is changed for everything that it opens, and once', async () => {
    const vault: SealedVault = await make();
    const whole = await vault.read(oldPassphrase);
    expect(await change(vault)).toMatchObject({ entries });
    expect(await vault.read(newPassphrase)).toEqual(whole);
    await expect(vault.read(oldPassphrase)).rejects.toMatchObject({ problem: { code: 'wrong_passphrase' } });
    expect(await change(vault)).toMatchObject({ entries: null });
    expect(await vault.read(newPassphrase)).toEqual(whole);
  });

  it('stays for a wrong passphrase, and for a new one that is the same, short or empty', async () => {
    const vault: SealedVault = await make();
    const whole = await vault.read(oldPassphrase);
    await expect(change(vault, 'a wrong passphrase')).rejects.toMatchObject(refused('does not open'));
    await expect(change(vault, 'café-café', 'cafe\u0301-cafe\u0301')).rejects.toMatchObject(
      refused('the same'),
    );
    await expect(change(vault, oldPassphrase, 'short')).rejects.toMatchObject(refused('fewer than 8'));
    await expect(change(vault, oldPassphrase, '')).rejects.toMatchObject(refused('is empty'));
    expect(await vault.read(oldPassphrase)).toEqual(whole);
  });

  it('is the old one or the new one for everything, whenever the change of it is killed', async () => {
    await expectOneOpensAfter(await make(), [1, 2].map(afterChanges));
  });
});

it('a data folder keeps its passphrase while a host uses it, and where it has no file', async () => {
  const vault = await fileVault();
  if (vault.place.kind !== 'file') throw new Error('not a file');
  const { dataDir } = vault.place;
  const host = await startHost({
    dataDir,
    port: 0,
    vault: { kind: 'file', passphrase: oldPassphrase, cost: cheapScrypt },
    say: () => undefined,
  });
  await expect(change(vault)).rejects.toMatchObject({ code: 'DATA_DIR_HELD' });
  await host.close();
  expect(await change(vault)).toMatchObject({ entries: fileEntries });
  const none: SealedVault = { ...vault, place: { kind: 'file', dataDir: makeFolder() } };
  await expect(change(none)).rejects.toMatchObject(refused('no encrypted vault'));
});

it('a passphrase comes from the first lines of files', async () => {
  const vault = await fileVault();
  const [old, changed] = ['old', 'changed'].map((name) => join(makeFolder(), name));
  writeFileSync(old!, `${oldPassphrase}\n`, { mode: 0o600 });
  writeFileSync(changed!, '\n', { mode: 0o600 });
  const order = { place: vault.place, old: { passphraseFile: old, cost: cheapScrypt } };
  const empty = changePassphrase({ ...order, changed: { passphraseFile: changed } });
  await expect(empty).rejects.toMatchObject(refused(`${changed} is empty`));
  writeFileSync(changed!, `${newPassphrase}\n`);
  await changePassphrase({ ...order, changed: { passphraseFile: changed } });
  await vault.read(newPassphrase);
});

describe('the passphrase of a team', () => {
  it('gives the hosts another key to sign with, and leaves nothing that the old one opens', async () => {
    const vault = await teamVault(postgres);
    const before = await vault.open(oldPassphrase);
    const rows = await vault.rows();
    await change(vault);
    const after = await vault.open(newPassphrase);
    expect(after.clusterKey().equals(before.clusterKey())).toBe(false);
    const values = (all: typeof rows) => all.map(({ value }) => value);
    expect(await vault.rows()).toHaveLength(rows.length);
    expect(values(await vault.rows()).filter((value) => values(rows).includes(value))).toEqual([]);
    await expect(before.contact()).rejects.toMatchObject({ problem: { code: 'wrong_passphrase' } });
  });

  it('stays when one entry cannot be opened, which is named', async () => {
    const vault = await teamVault(postgres);
    const whole = await vault.rows();
    const cut = `value = replace(value, '"sealed":"', '"sealed":"AAAA')`;
    for (const [where, damage, message] of [
      [`name like '%nightly"]'`, cut, 'rotavox nightly is damaged'],
      [`name like '%nightly"]'`, `name = 'nightly'`, 'the entry “nightly” is damaged'],
      [`place = 'replay_key'`, cut, 'the key for repeated replies of the hour'],
      [`place = 'browser'`, cut, 'the list of signed-in browsers is damaged'],
      [`place = 'browser'`, `place = 'of a newer version'`, 'the entry “browsers” is damaged'],
    ]) {
      await vault.database.query(`update rotavox.entry set ${damage!} where ${where!}`);
      const rows = await vault.rows();
      expect(rows).not.toEqual(whole);
      await expect(change(vault)).rejects.toMatchObject(refused(message!));
      expect(await vault.rows()).toEqual(rows);
      await vault.database.query('delete from rotavox.entry');
      for (const { place, name, value, epoch, number } of whole)
        await vault.database.query('insert into rotavox.entry values ($1, $2, $3, $4, $5)', [
          ...[place, name, value, epoch, number].map(String),
        ]);
    }
    expect(await change(vault)).toMatchObject({ entries: teamEntries });
  });

  it('stays while a host leads, while a copy is not complete, and where there is no vault', async () => {
    const vault = await teamVault(postgres);
    const rows = await vault.rows();
    const lead = (host: string) => vault.database.lead(1, { host, address: '', leaseMs: 60_000 });
    await lead('a host');
    await expect(change(vault)).rejects.toMatchObject(refused('Stop all hosts'));
    await vault.database.query("update rotavox.leadership set epoch = 1, deadline = '-infinity'");
    await lead(copyHost);
    await expect(change(vault)).rejects.toMatchObject(refused('A copy into'));
    expect(await vault.rows()).toEqual(rows);
    await vault.database.resign(2);
    await vault.database.query('delete from rotavox.entry');
    await expect(change(vault)).rejects.toMatchObject(refused('There is no vault'));
  });

  it('stays when a host takes the lead before the change is stored', async () => {
    const vault = await teamVault(postgres);
    const rows = await vault.rows();
    await vault.database.query('update rotavox.leadership set epoch = 2');
    const late = SharedVault.changePassphrase(
      vault.entriesIn(1),
      {
        passphrase: oldPassphrase,
        newPassphrase,
        cost: cheapScrypt,
      },
      () => Promise.resolve({ seq: 0, head: genesis }),
    );
    await expect(late).rejects.toMatchObject({ refusal: { code: 'NOT_LEADING' } });
    expect(await vault.rows()).toEqual(rows);
  });

  it('can be changed again at once after a change that was killed', async () => {
    const vault = await teamVault(postgres);
    await vault.database.lead(1, { host: passphraseHost, address: '', leaseMs: 60_000 });
    expect(await change(vault)).toMatchObject({ entries: teamEntries });
  });

  it('is not known to be changed or not when the database does not answer at the end', async () => {
    const vault = await teamVault(postgres);
    await vault.database.query(`
      create function public.ended() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
    await vault.database.query(
      'create trigger ended after update on rotavox.entry for each statement execute function public.ended()',
    );
    await expect(change(vault)).rejects.toMatchObject(refused('Either everything has the new passphrase'));
    await vault.database.query('drop trigger ended on rotavox.entry');
    expect(await change(vault)).toMatchObject({ entries: teamEntries });
  });

  it('stops a host that ran meanwhile, which leads no more, and refuses one that starts with the old one', async () => {
    const vault = await teamVault(postgres);
    const said: string[] = [];
    const start = async (passphrase: string) => {
      const host = await startTeamHost({
        journal: vault.place.url,
        vault: { kind: 'postgres', passphrase, cost: cheapScrypt },
        dataDir: makeFolder(),
        port: 0,
        say: (message) => said.push(message),
      });
      onTestFinished(() => host.close());
      return host;
    };
    const running = await start(oldPassphrase);
    expect(running.role()).toBe('leader');
    // As if it was paused for longer than its lease, and went on while the passphrase is changed.
    await vault.database.query(
      `update rotavox.leadership set epoch = epoch + 1, host = $1, address = '', deadline = clock_timestamp() + interval '1 minute'`,
      [passphraseHost],
    );
    await change(vault);
    await waitFor(() => expect(said.join('\n')).toContain('was changed while this host ran'));
    const ready = await fetch(`${running.baseUrl}/v1/ready`);
    expect(ready.status).toBe(503);
    await expect(start(oldPassphrase)).rejects.toMatchObject(refused('does not open'));
    const next = await start(newPassphrase);
    expect(next.role()).toBe('leader');
    expect((await fetch(`${next.baseUrl}/v1/ready`)).status).toBe(200);
    expect((await fetch(`${running.baseUrl}/v1/ready`)).status).toBe(503);
  });
});
