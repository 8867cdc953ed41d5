/** Vaults with something of every kind in them, and changes of their passphrase that are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { FileVault } from '../../src/agent/vault/file-vault.ts';
import { SharedVault } from '../../src/agent/vault/shared-vault.ts';
import { passphraseHost, type PassphraseOrder } from '../../src/host/change-passphrase.ts';
import { BrowserEntry } from '../../src/store/browser-file.ts';
import { FencedTables } from '../../src/store/team/fenced-tables.ts';
import { PostgresDatabase } from '../../src/store/team/postgres-database.ts';
import { ReplayKeyEntries } from '../../src/store/team/replay-key-entries.ts';
import { TableEntries } from '../../src/store/team/table-entries.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import type { Postgres } from '../tools/postgres.ts';
import { waitFor } from '../fixtures/wait-for.ts';

export const oldPassphrase = 'the old passphrase';
export const newPassphrase = 'the new passphrase';

const tokens = ['nightly', 'nightly (pending)', 'with "quotes" and é'].map((account) => ({
  service: 'rotavox',
  account,
}));

export interface SealedVault {
  readonly place: PassphraseOrder['place'];
  /** Everything in it. Rejects when this passphrase does not open it. */
  read(passphrase: string): Promise<readonly string[]>;
  /** After a kill: waits for what the killed program had sent, and from then on nothing of it can arrive, as the next host does it. */
  settle(): Promise<unknown>;
}

/** A data folder with a file vault. */
export async function fileVault(): Promise<SealedVault> {
  const dataDir = makeFolder();
  const open = (passphrase: string) => FileVault.open({ path: dataDir, passphrase, cost: cheapScrypt });
  const vault = await open(oldPassphrase);
  for (const token of tokens) await vault.write(token, `token of ${token.account}`);
  return {
    place: { kind: 'file', dataDir },
    async read(passphrase) {
      const opened = await open(passphrase);
      return Promise.all(tokens.map(async (token) => String(await opened.read(token))));
    },
    settle: () => Promise.resolve(),
  };
}

/** A database that a host has led and left. */
export async function teamVault(postgres: Postgres) {
  const url = postgres.url({ role: 'rotavox', database: await postgres.database() });
  const database = await PostgresDatabase.open(url);
  onTestFinished(() => database.close());
  const entriesIn = (epoch: number | null) => new TableEntries(new FencedTables(database, () => epoch));
  const open = (passphrase: string, epoch: number | null = null) =>
    SharedVault.open({ entries: entriesIn(epoch), passphrase, cost: cheapScrypt });
  await database.lead(0, { host: 'a host', address: '', leaseMs: 60_000 });
  const vault = await open(oldPassphrase, 1);
  for (const token of tokens) await vault.write(token, `token of ${token.account}`);
  await ReplayKeyEntries.open(entriesIn(1), vault.sealer);
  const browser = { public_key: 'A'.repeat(122), port: 7682, used_at: '2026-11-23T12:00:00Z' };
  await (await BrowserEntry.open(entriesIn(1), vault.sealer)).write([browser]);
  await database.resign(1);
  return {
    place: { kind: 'postgres', url },
    database,
    entriesIn,
    open,
    rows: () => database.query('select * from rotavox.entry order by place, name'),
    async read(passphrase: string) {
      const opened = await open(passphrase);
      const { sealer } = opened;
      const keys = await entriesIn(null).list('replay_key');
      const browsers = await BrowserEntry.open(entriesIn(null), sealer);
      return [
        ...(await Promise.all(tokens.map((token) => opened.read(token)))),
        ...keys.map(({ name, value }) => sealer.open(value, `replay key ${name}`)),
        browsers.read().map(({ public_key }) => public_key)[0] ?? null,
      ].map(String);
    },
    async settle() {
      // What the killed program had sent can be its own takeover, which moves the epoch once more.
      await waitFor(async () => {
        const { epoch } = await database.look();
        const lead = await database.lead(epoch, { host: passphraseHost, address: '', leaseMs: 1_000 });
        expect(lead).not.toBeNull();
      });
    },
  } satisfies SealedVault & Record<string, unknown>;
}

/** How many entries each vault has besides what says how its key is derived. */
export const fileEntries = tokens.length;
/** With the keys of three hours and the list of browsers. */
export const teamEntries = tokens.length + 4;

/**
 * Kills a program that changes the passphrase there and back, once for each of `kills`, which says when: it gets the lines that the
 * program prints. Expects after each kill that exactly one of both passphrases opens everything.
 */
export async function expectOneOpensAfter(
  vault: SealedVault,
  kills: readonly ((lines: AsyncIterable<string>) => Promise<void>)[],
): Promise<void> {
  const whole = await vault.read(oldPassphrase);
  expect(whole).not.toContain('null');
  let [current, other] = [oldPassphrase, newPassphrase];
  let ownEnds = 0;
  for (const [round, instant] of kills.entries()) {
    const args = [
      join(import.meta.dirname, 'passphrase-child.ts'),
      JSON.stringify(vault.place),
      current,
      other,
    ];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
    const gone = once(child, 'close');
    await instant(createInterface(child.stdout));
    child.kill('SIGKILL');
    await gone;
    // Where the database answered too late it ended by itself, as suddenly for the vault as by a kill.
    if (child.exitCode === tooLate) ownEnds += 1;
    else expect([child.exitCode, child.signalCode], `kill ${round + 1}: ${said}`).toEqual([null, 'SIGKILL']);
    await vault.settle();
    const read = await Promise.allSettled([vault.read(current), vault.read(other)]);
    const expected = [{ value: whole }, { reason: { problem: { code: 'wrong_passphrase' } } }];
    const isCurrent = read[0].status === 'fulfilled';
    expect(read, `after kill ${round + 1}`).toMatchObject(isCurrent ? expected : expected.toReversed());
    if (!isCurrent) [current, other] = [other, current];
  }
  expect(ownEnds, 'most of them were killed').toBeLessThanOrEqual(kills.length / 4);
}

/** Its exit code where the database answered too late; see `passphrase-child.ts`. */
const tooLate = 75;

/** Resolves when the program has changed the passphrase so often. The next change is under way then. */
export function afterChanges(count: number) {
  return async (lines: AsyncIterable<string>): Promise<void> => {
    let seen = 0;
    for await (const _ of lines) {
      seen += 1;
      if (seen === count) return;
    }
  };
}
