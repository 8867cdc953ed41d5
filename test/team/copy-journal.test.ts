/** @module-tag long */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { FileVault } from '../../src/agent/vault/file-vault.ts';
import { RecordFile } from '../../src/calls/record-file.ts';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { copyJournal, type JournalCopy } from '../../src/host/copy-journal.ts';
import { FolderLines } from '../../src/store/copy-lines.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ReplayKeys } from '../../src/store/replay-keys.ts';
import { PostgresDatabase } from '../../src/store/team/postgres-database.ts';
import { callRecord } from '../fixtures/call-records.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { credentialAdded } from '../fixtures/credential-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { issued, rotated } from '../fixtures/make-events.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await commonPostgres();
});

const ofFolder = { kind: 'file', passphrase: 'of the folder', cost: cheapScrypt } as const;
const ofTeam = { kind: 'postgres', passphrase: 'of the team', cost: cheapScrypt } as const;
const current = { service: 'rotavox', account: 'nightly' };
const pending = { service: 'rotavox', account: 'nightly (pending)' };
/** The key of its fingerprint. */
const fingerprintKey = { service: 'rotavox', account: '(fingerprints aaaaaaaa)' };

async function emptyDatabase(): Promise<string> {
  return postgres.url({ role: 'rotavox', database: await postgres.database() });
}

/** A closed data folder with a history, a credential with two entries in its vault, and a replay key. */
async function folderWith(events: readonly EventDraft[]): Promise<string> {
  const folder = makeFolder();
  const { store } = await openStore({ folder });
  for (const event of events) await store.transact(() => ({ events: [event], value: null }));
  await store.close();
  const vault = await FileVault.open({ path: folder, ...ofFolder });
  await vault.write(current, 'the current token');
  await vault.write(pending, 'the pending token');
  await vault.write(fingerprintKey, 'the key');
  new ReplayKeys(folder).current();
  const calls = new RecordFile(folder, () => undefined);
  calls.save(...talks);
  await calls.close();
  return folder;
}

function copy(folder: string, url: string, differences: Partial<JournalCopy> = {}) {
  return copyJournal({
    folder,
    url,
    direction: 'into database',
    vault: ofFolder,
    teamVault: ofTeam,
    onCopied: () => undefined,
    say: () => undefined,
    ...differences,
  });
}

const startedMs = Date.now() - 3_600_000;
const talks = [callRecord({ startedMs }), callRecord({ startedMs, keys: ['2', '1'] })];
const keyed = { sealed: { fingerprint: `h1.aaaaaaaa${'x'.repeat(43)}` } };
const history = [issued('a'), rotated('a', 1), { ...credentialAdded('nightly'), ...keyed }];

it('moves everything into a database, and back into a folder that is the same', async () => {
  const url = await emptyDatabase();
  const folder = await folderWith(history);
  const copied = await copy(folder, url);
  expect(copied).toMatchObject({ events: 3, tokens: 2, recordings: 0, calls: 2 });

  const back = join(makeFolder(), 'back');
  expect(await copy(back, url, { direction: 'into folder' })).toEqual(copied);
  const lines = (dataDir: string) => [...new FolderLines(dataDir).lines()].flat();
  expect(lines(back)).toEqual(lines(folder));
  const vault = await FileVault.open({ path: back, ...ofFolder });
  expect(await vault.read(current)).toBe('the current token');
  expect(await vault.read(pending)).toBe('the pending token');
  expect(await vault.read(fingerprintKey)).toBe('the key');
  const [[epoch, key] = ['', null]] = [...new ReplayKeys(folder).all];
  expect(new ReplayKeys(back).get(epoch)).toEqual(key);
  const calls = new RecordFile(back, () => undefined);
  for (const talk of talks) expect(await calls.read(talk.id)).toEqual(talk);
  expect((await calls.find({})).calls.map(({ id }) => id)).toEqual(talks.map(({ id }) => id).reverse());
  await calls.close();
  expect(readdirSync(dirname(back))).toEqual(['back']);
  const { store } = await openStore({ folder: back });
  expect(await store.verify()).toMatchObject({ status: 'intact', head: copied.head });
  await store.close();
});

it('keeps hosts from leading until an interrupted copy is complete, and then goes on', async () => {
  const url = await emptyDatabase();
  const folder = await folderWith(history);
  const wrong = { kind: 'file', passphrase: 'another one', cost: cheapScrypt } as const;
  await expect(copy(folder, url, { vault: wrong })).rejects.toMatchObject({ code: 'VAULT_UNUSABLE' });

  const database = await PostgresDatabase.open(url);
  onTestFinished(() => database.close());
  const { epoch } = await database.look();
  const host = { host: 'a host', address: '', leaseMs: 1_000 };
  expect(await database.lead(epoch, host)).toBeNull();
  expect(await copy(folder, url)).toMatchObject({ events: 3, tokens: 2 });
  const { epoch: last } = await database.look();
  expect(await database.lead(last, host)).not.toBeNull();
});

it('refuses while a host leads, a database with other data, and folders that are not right', async () => {
  const url = await emptyDatabase();
  const folder = await folderWith(history);
  const database = await PostgresDatabase.open(url);
  onTestFinished(() => database.close());
  await database.lead(0, { host: 'a host', address: '', leaseMs: 60_000 });
  await expect(copy(folder, url)).rejects.toThrow('Stop all hosts');
  await database.resign(1);
  await copy(folder, url);
  await expect(copy(await folderWith([issued('b')]), url)).rejects.toThrow('has other data');
  await expect(copy(join(folder, 'none'), url)).rejects.toThrow('There is no data folder');
  await expect(copy(folder, url, { direction: 'into folder' })).rejects.toThrow('exists already');
  expect(existsSync(join(folder, 'lock'))).toBe(false);
});

it('copies events that are large', async () => {
  const drafts = ['a', 'b', 'c'].map((name) => {
    const event = issued(name);
    return { ...event, data: { ...event.data, more: 'x'.repeat(3_000_000) } } as EventDraft;
  });
  const folder = await folderWith(drafts);
  const parts = [...new FolderLines(folder).lines()];
  expect(parts.map((part) => part.length)).toEqual([1, 1, 1]);
  expect(await copy(folder, await emptyDatabase())).toMatchObject({ events: 3 });
});

it('does not take a journal in a database for whole that has lost its last events', async () => {
  const url = await emptyDatabase();
  await copy(await folderWith(history), url);
  await postgres.query('delete from rotavox.journal where seq = 3', {
    database: new URL(url).pathname.slice(1),
  });
  const back = join(makeFolder(), 'back');
  await expect(copy(back, url, { direction: 'into folder' })).rejects.toThrow(/3/);
  expect(existsSync(back)).toBe(false);
});

it('does not finish a copy of a database in which a host led meanwhile', async () => {
  const url = await emptyDatabase();
  await copy(await folderWith(history), url);
  const back = join(makeFolder(), 'back');
  const database = new URL(url).pathname.slice(1);
  await postgres.query(
    `create function rotavox.keep() returns trigger language plpgsql as $$ begin
      return case when new.epoch > old.epoch then new end;
    end $$;
    create trigger keep before update on rotavox.leadership for each row execute function rotavox.keep()`,
    { database },
  );
  await expect(copy(back, url, { direction: 'into folder' })).rejects.toThrow('A host was started');
  expect(existsSync(back)).toBe(false);
});
