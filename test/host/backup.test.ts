import { Decrypter } from 'age-encryption';
import { unpackTar } from 'modern-tar';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isFingerprintKey } from '../../src/agent/vault/token-fingerprints.ts';
import { MovableVault } from '../../src/agent/vault/movable-vault.ts';
import { RecordFile } from '../../src/calls/record-file.ts';
import type { RestoreSummary } from '../../src/contract/service/backup.ts';
import { type Vault, VaultUnavailable } from '../../src/core/vault.ts';
import { packBackup, type PackedEntry, unpackBackup } from '../../src/host/backup/backup-file.ts';
import { beginRestore, finishRestore } from '../../src/host/backup/finish-restore.ts';
import { backUpFolder, restoreFolder } from '../../src/host/backup/folder-backup.ts';
import { saveBackup } from '../../src/host/backup/save-backup.ts';
import { stageRestore } from '../../src/host/backup/stage-restore.ts';
import { writeBackup } from '../../src/host/backup/write-backup.ts';
import { lockFolder } from '../../src/host/folder-lock.ts';
import { openFolder } from '../../src/host/open-folder.ts';
import { type HostVault, openVaultChoice } from '../../src/host/open-vault-choice.ts';
import { startHost } from '../../src/host/start-host.ts';
import { allEntriesOf, vaultEntriesOf } from '../../src/host/vault-entries.ts';
import { canMount, mountSmallDisk } from '../chaos/full-disk.ts';
import { callRecord } from '../fixtures/call-records.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { cheapLogN, cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { issued } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { Keychain } from './keychain.ts';
import { runtimeFileOf } from './runtime-file-of.ts';

const passphrase = 'correct horse battery';
const say = (): void => undefined;
const clock = Date.now;

/** A host on a folder, called as its owner. */
async function hostOn(dataDir: string, vault?: HostVault) {
  const host = await startHost({ dataDir, port: 0, say, vault, backupLogN: cheapLogN });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await host.close();
    isOpen = false;
  };
  onTestFinished(close);
  const call = async (method: string, path: string, body?: unknown, headers = {}): Promise<Response> =>
    fetch(host.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${runtimeFileOf(dataDir).portal_key}`,
        ...(body === undefined || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: Buffer.isBuffer(body) ? Buffer.from(body) : JSON.stringify(body) }),
    });
  const json = async (method: string, path: string, body?: unknown): Promise<never> => {
    const reply = await call(method, path, body);
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as never;
  };
  const backup = async (): Promise<Buffer> => {
    const reply = await call('POST', '/portal/backup', { passphrase });
    expect(reply.status).toBe(200);
    return Buffer.from(await reply.arrayBuffer());
  };
  return { host, call, json, backup, close };
}

/** What a host holds, to compare it with what was restored. */
async function contentOf({ json }: Awaited<ReturnType<typeof hostOn>>) {
  const { credentials } = (await json('GET', '/portal/credentials')) as { credentials: { name: string }[] };
  const values = await Promise.all(
    credentials.map(
      ({ name }) => json('GET', `/portal/credentials/${name}/value`) as Promise<{ value: string }>,
    ),
  );
  return {
    settings: await json('GET', '/portal/settings'),
    recordings: await json('GET', '/portal/recordings'),
    values: values.map(({ value }) => value),
  };
}

/** A host with two tokens, a recording, a setting and a provider file; `first` and `second` are its credentials. */
async function usedHost() {
  const dataDir = join(makeFolder(), 'data');
  const used = await hostOn(dataDir);
  for (const name of ['first', 'second']) {
    const { access_token: value } = (await used.json('POST', '/portal/tokens', {
      name,
      validity_days: 7,
    })) as {
      access_token: string;
    };
    await used.json('POST', '/portal/credentials', { name, value, base_url: used.host.baseUrl });
  }
  const audio = Buffer.from(wavFile(400));
  const uploaded = await used.call('POST', '/portal/recordings?name=hello', audio);
  expect(uploaded.status).toBe(200);
  const { id } = (await uploaded.json()) as { id: string };
  await used.json('PATCH', '/portal/settings', { quiet_hours: { from: '22:00', to: '06:00' } });
  mkdirSync(join(dataDir, 'providers'));
  writeFileSync(join(dataDir, 'providers', 'mine.json'), '{"id":"mine"}');
  return { ...used, dataDir, audio, recordingId: id };
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  // In parts of any length, as a disk or a network gives them.
  for (let at = 0; at < bytes.length; at += 5000) yield bytes.subarray(at, at + 5000);
}

function restore(dataDir: string, bytes: Uint8Array, { replace = false, words = passphrase } = {}) {
  return restoreFolder({ dataDir, passphrase: words, source: bytesOf(bytes), replace, say });
}

/** The files of a folder with their content, by name. */
function filesIn(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      files[join(entry.parentPath, entry.name).slice(folder.length + 1)] = readFileSync(
        join(entry.parentPath, entry.name),
        'base64',
      );
  return files;
}

describe('a backup', () => {
  it('brings everything back, from a running host and from its folder, to a new folder', async () => {
    const used = await usedHost();
    const before = await contentOf(used);
    const running = await used.backup();
    await used.close();
    const records = new RecordFile(used.dataDir, say);
    const talk = callRecord({ caller: '+4930555', startedMs: Date.now() - 60_000 });
    records.save(talk);
    await records.close();
    const file = join(makeFolder(), 'a.backup');
    await backUpFolder(
      { dataDir: used.dataDir, passphrase, choice: undefined, say, logN: cheapLogN },
      (bytes) => saveBackup({ file, dataDir: used.dataDir }, bytes, passphrase),
    );
    const stopped = readFileSync(file);
    for (const bytes of [running, stopped]) {
      const dataDir = join(makeFolder(), 'data');
      expect(await restore(dataDir, bytes)).toMatchObject({
        folder: used.dataDir,
        credentials: 2,
        // Two tokens, and the key of their fingerprints.
        secrets: 3,
        aside: null,
      });
      expect(readFileSync(join(dataDir, 'providers', 'mine.json'), 'utf8')).toBe('{"id":"mine"}');
      const restored = await hostOn(dataDir);
      expect(await contentOf(restored)).toEqual(before);
      if (bytes === stopped)
        expect(await restored.json('GET', `/portal/calls/${talk.id}`)).toMatchObject({ caller: '+4930555' });
      const heard = await restored.call('GET', `/portal/recordings/${used.recordingId}/audio`);
      expect(Buffer.from(await heard.arrayBuffer()).equals(used.audio)).toBe(true);
      // It rotates nothing before somebody says that the other one does not run.
      expect(restored.host.movedFrom()).not.toBeNull();
      expect(readdirSync(dataDir)).not.toContain('restoring');
      await restored.close();
    }
  });

  it('shows nothing of what it holds, and every program for age opens it', { tags: ['long'] }, async () => {
    const used = await usedHost();
    const { values } = await contentOf(used);
    const bytes = await used.backup();
    for (const secret of [...values, 'first', 'hello', passphrase])
      expect(bytes.includes(secret), secret).toBe(false);
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    const entries = await unpackTar(await decrypter.decrypt(bytes));
    expect(entries.map(({ header }) => header.name)).toEqual([
      'manifest.json',
      'secrets.json',
      'journal/00000001.jsonl',
      'machine.json',
      expect.stringMatching(/^providers\/mine\.json$|^replay-keys\.json$/),
      ...entries.slice(5, -2).map(({ header }) => header.name),
      expect.stringMatching(/^recordings\//),
      'end.json',
    ]);
    expect(entries.every(({ header }) => header.mode === 0o600)).toBe(true);
  });

  it('takes the place of data that are there only when that is said, and keeps them whole', async () => {
    const used = await usedHost();
    const bytes = await used.backup();
    const before = await contentOf(used);
    await used.close();
    const other = await usedHost();
    await other.close();
    const files = filesIn(other.dataDir);
    await expect(restore(other.dataDir, bytes)).rejects.toThrow('There are data in');
    expect(filesIn(other.dataDir)).toEqual(files);
    const { aside } = await restore(other.dataDir, bytes, { replace: true });
    expect(filesIn(aside ?? '')).toEqual(files);
    expect(await contentOf(await hostOn(other.dataDir))).toEqual(before);
  });

  it('waits for nobody where it takes the place of the same data', async () => {
    const used = await usedHost();
    const bytes = await used.backup();
    const before = await contentOf(used);
    await used.close();
    await restore(used.dataDir, bytes, { replace: true });
    const again = await hostOn(used.dataDir);
    expect(again.host.movedFrom()).toBeNull();
    expect(await contentOf(again)).toEqual(before);
  });

  it('keeps a journal of an older version readable', { tags: ['long'] }, async () => {
    const dataDir = join(makeFolder(), 'data');
    cpSync(join(import.meta.dirname, '../fixtures/formats/1'), dataDir, { recursive: true });
    const before = filesIn(join(dataDir, 'journal'));
    const file = join(makeFolder(), 'a.backup');
    await backUpFolder({ dataDir, passphrase, choice: undefined, say, logN: cheapLogN }, (bytes) =>
      saveBackup({ file, dataDir }, bytes, passphrase),
    );
    const restored = join(makeFolder(), 'data');
    await restore(restored, readFileSync(file));
    const after = filesIn(join(restored, 'journal'));
    for (const name of Object.keys(before).filter((one) => one.endsWith('.jsonl')))
      expect(after[name]).toBe(before[name]);
  });

  // What people met elsewhere: pgbackrest#1198 and influxdb#7420 (root), bindery#2337 (a write-ahead log of the database from before).
  it.runIf(process.getuid?.() === 0)('is not restored by root into the folder of another user', async () => {
    const used = await usedHost();
    const bytes = await used.backup();
    const dataDir = makeFolder();
    chownSync(dataDir, 65_534, 65_534);
    await expect(restore(dataDir, bytes)).rejects.toThrow("sudo -u '#65534'");
    expect(filesIn(dataDir)).toEqual({});
  });

  it(
    'takes nothing of the call records from before, and opens with the same passphrase typed on another keyboard',
    { tags: ['long'] },
    async () => {
      const used = await usedHost();
      await used.close();
      const file = join(makeFolder(), 'a.backup');
      const place = { file, dataDir: used.dataDir };
      const composed = 'gr\u00fcne Gl\u00e4ser';
      await backUpFolder(
        { dataDir: used.dataDir, passphrase: composed, choice: undefined, say, logN: cheapLogN },
        (bytes) => saveBackup(place, bytes, composed),
      );
      const dataDir = join(makeFolder(), 'data');
      cpSync(used.dataDir, dataDir, { recursive: true });
      const left = ['calls.sqlite', 'calls.sqlite-wal', 'calls.sqlite-shm'];
      for (const name of left) writeFileSync(join(dataDir, name), 'from before');
      const { aside } = await restore(dataDir, readFileSync(file), {
        replace: true,
        words: composed.normalize('NFD'),
      });
      expect(readdirSync(dataDir).filter((name) => left.includes(name))).toEqual([]);
      expect(readdirSync(aside ?? '')).toEqual(expect.arrayContaining(left));
    },
  );

  it('is restored by the next start when a window sent it', { tags: ['long'] }, async () => {
    const used = await usedHost();
    const bytes = await used.backup();
    const before = await contentOf(used);
    const other = await usedHost();
    const begin = (): Promise<Response> => other.call('POST', '/portal/restore/begin');
    expect((await begin()).status).toBe(409);
    const header = (words: string) => ({
      'rotavox-backup-passphrase': Buffer.from(words).toString('base64url'),
    });
    const wrong = await other.call('POST', '/portal/restore', bytes, header('another passphrase'));
    expect([wrong.status, ((await wrong.json()) as { message: string }).message]).toEqual([
      409,
      expect.stringContaining('The passphrase does not open this backup.'),
    ]);
    const none = await other.call('POST', '/portal/restore', bytes);
    expect(none.status).toBe(400);
    const staged = await other.call('POST', '/portal/restore', bytes, header(passphrase));
    // The tokens, and the key of the fingerprints.
    expect((await staged.json()) as RestoreSummary).toMatchObject({ credentials: 2, secrets: 3 });
    await begin();
    // Another one is sent, which is none: what was begun is given up, and nothing takes the place of the data.
    expect(
      (await other.call('POST', '/portal/restore', Buffer.from('none'), header(passphrase))).status,
    ).toBe(409);
    expect(readdirSync(other.dataDir).filter((name) => name.startsWith('rest'))).toEqual([]);
    expect((await begin()).status).toBe(409);
    expect((await other.call('POST', '/portal/restore', bytes, header(passphrase))).status).toBe(200);
    const begun = await begin();
    const { aside } = (await begun.json()) as { aside: string };
    // Until then it goes on with its own data, and they are kept as they are at its end.
    await other.json('PATCH', '/portal/settings', { quiet_hours: null });
    const last = await contentOf(other);
    await other.close();
    expect(await contentOf(await hostOn(other.dataDir))).toEqual(before);
    expect(await contentOf(await hostOn(aside))).toEqual(last);
  });

  it('has its tokens behind the passphrase that the host starts with', { tags: ['long'] }, async () => {
    const used = await usedHost();
    const bytes = await used.backup();
    const { values } = await contentOf(used);
    const dataDir = join(makeFolder(), 'data');
    const lock = lockFolder(dataDir);
    await stageRestore({ dataDir, lock, source: bytesOf(bytes), passphrase, clock });
    beginRestore(dataDir, clock());
    lock.release();
    // One that cannot be used is noticed before anything is replaced.
    const short = { kind: 'file', passphrase: 'short', cost: cheapScrypt } as const;
    await expect(hostOn(dataDir, short)).rejects.toThrow('The passphrase');
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['restoring', 'restore.json']));
    const vault = { kind: 'file', passphrase: 'that of the host', cost: cheapScrypt } as const;
    const restored = await hostOn(dataDir, vault);
    expect((await contentOf(restored)).values).toEqual(values);
    expect(readdirSync(dataDir)).not.toContain('vault.key');
  });

  it('fits together when it is made while tokens change', { tags: ['long'] }, async () => {
    const dataDir = makeFolder();
    const lock = lockFolder(dataDir);
    onTestFinished(() => lock.release());
    const opened = await openFolder(dataDir, { clock, lock, say });
    onTestFinished(() => opened.close());
    const vault = new MovableVault(
      await openVaultChoice(undefined, { dataDir, entries: [], say, surroundings }),
    );
    let isOver = false;
    let changes = 0;
    // As a rotation does: the new token is stored first, then recorded, and only then is the old one removed.
    const change = async (): Promise<void> => {
      for (let nth = 0; !isOver; nth += 1) {
        const name = `key ${nth}`;
        await vault.write({ service: 'rotavox', account: name }, `token ${nth}`);
        await opened.ledger.transact(() => ({ events: [issued(`key${nth}`)], value: null }));
        if (nth > 0) await vault.remove({ service: 'rotavox', account: `key ${nth - 1}` });
        changes += 1;
      }
    };
    const changing = change();
    for (let nth = 0; nth < 2 || changes <= 10; nth += 1) {
      const source = {
        dataDir,
        opened,
        vault,
        machine: 'here',
        version: '1',
        nowMs: clock(),
        logN: cheapLogN,
      };
      let secrets: string[] = [];
      let recorded = -1;
      for await (const { name, content } of unpackBackup(await writeBackup(source, passphrase), passphrase)) {
        const text = (await buffer(content)).toString('utf8');
        if (name === 'secrets.json')
          secrets = (JSON.parse(text) as { entries: { account: string }[] }).entries.map(
            ({ account }) => account,
          );
        if (name.startsWith('journal/'))
          recorded = Math.max(
            recorded,
            ...[...text.matchAll(/"fam_key(\d+)"/g)].map(([, found]) => Number(found)),
          );
      }
      expect(secrets).toContain(`key ${Math.max(recorded, 0)}`);
    }
    isOver = true;
    await changing;
  });
});

const surroundings = {
  platform: 'linux',
  environment: {},
  keychain: {
    contact: () => Promise.reject(new VaultUnavailable({ code: 'no_session_bus' })),
  },
} as const;

describe('what is not a whole backup', () => {
  it('is refused, and nothing is left of it', async () => {
    const packed = async (...entries: [string, unknown][]): Promise<Buffer> => {
      const all = entries.map(([name, content]): PackedEntry => {
        const bytes = Buffer.from(`${JSON.stringify(content)}\n`);
        return { name, size: bytes.length, content: [bytes] };
      });
      return buffer(await packBackup(all, passphrase, cheapLogN));
    };
    const manifest = {
      format: 1,
      version: '1',
      made_at: '2026-01-01T00:00:00.000Z',
      machine: 'a',
      folder: '/a',
    };
    const none = ['secrets.json', { entries: [] }] as [string, unknown];
    const end = (entries: number) => ['end.json', { last_seq: 0, entries }] as [string, unknown];
    const whole = await packed(['manifest.json', manifest], none, end(2));
    const flipped = (at: number): Buffer => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    };
    const cases: [string, Buffer, string | RegExp][] = [
      ['an empty file', Buffer.alloc(0), 'not a backup'],
      ['another kind of file', Buffer.from('PK\u0003\u0004'.repeat(100)), 'not a backup'],
      ['only the first line', whole.subarray(0, 30), 'damaged'],
      ['the head alone', whole.subarray(0, 150), 'damaged'],
      ['half of it', whole.subarray(0, whole.length >> 1), 'damaged'],
      ['all but the last byte', whole.subarray(0, -1), 'damaged'],
      ['a byte more', Buffer.concat([whole, Buffer.from('x')]), 'damaged'],
      // Another salt, or none: which of the two it is depends on the byte.
      ['a changed head', flipped(60), /[Tt]his backup/],
      ['a changed byte', flipped(whole.length - 40), 'damaged'],
      [
        'a newer one',
        await packed(['manifest.json', { ...manifest, format: 2, more: true }]),
        'newer Rotavox',
      ],
      [
        'one with a journal of a newer version',
        await packed(
          ['manifest.json', manifest],
          none,
          ['journal/00000001.jsonl', { format: 99, segment: 1 }],
          end(3),
        ),
        'newer',
      ],
      ['one without an end', await packed(['manifest.json', manifest], none), 'damaged'],
      ['one that misses an entry', await packed(['manifest.json', manifest], none, end(3)), 'damaged'],
      [
        'one that misses events',
        await packed(['manifest.json', manifest], none, ['end.json', { last_seq: 4, entries: 2 }]),
        'damaged',
      ],
      [
        'one that leads out of the folder',
        await packed(['manifest.json', manifest], none, ['providers/../../a.json', {}], end(3)),
        'damaged',
      ],
      [
        'one with a foreign file',
        await packed(['manifest.json', manifest], none, ['lock', {}], end(3)),
        'damaged',
      ],
      [
        'one with a name twice',
        await packed(
          ['manifest.json', manifest],
          none,
          ['providers/a.json', {}],
          ['providers/a.json', {}],
          end(4),
        ),
        'damaged',
      ],
    ];
    for (const [what, bytes, reason] of cases) {
      const dataDir = join(makeFolder(), 'data');
      await expect(restore(dataDir, bytes), what).rejects.toThrow(reason);
      expect(filesIn(dataDir), what).toEqual({});
    }
    const dataDir = join(makeFolder(), 'data');
    await expect(restore(dataDir, whole, { words: 'another passphrase' })).rejects.toThrow(
      'passphrase does not open',
    );
    await expect(restore(dataDir, whole)).resolves.toMatchObject({ events: 0 });
  });

  it('is not written for a damaged journal, which is named', async () => {
    const used = await usedHost();
    const segment = join(used.dataDir, 'journal', '00000001.jsonl');
    const text = readFileSync(segment, 'latin1');
    writeFileSync(segment, text.replace('"name":"first"', '"name":"fjrst"'), 'latin1');
    const reply = await used.call('POST', '/portal/backup', { passphrase });
    expect(reply.status).toBe(409);
    expect(((await reply.json()) as { message: string }).message).toContain(segment);
    writeFileSync(segment, text, 'latin1');
    expect((await used.call('POST', '/portal/backup', { passphrase: 'short' })).status).toBe(400);
  });
});

describe('restoring with a keychain at both ends', () => {
  /** A backup that is unpacked in a folder whose own tokens are in the keychain, and whose restore was begun. */
  async function begunRestore() {
    const first = await usedHost();
    const bytes = await first.backup();
    const wanted = (await contentOf(first)).values;
    await first.close();
    const key = await inFolder(first.dataDir, async ({ state, vault }) => {
      const [entry] = allEntriesOf(state).filter(isFingerprintKey);
      if (entry === undefined) throw new Error('There is a key for fingerprints.');
      return { account: entry.account, value: (await vault.read(entry)) ?? '' };
    });
    const second = await usedHost();
    const before = (await contentOf(second)).values;
    await second.close();
    const keychain = new Keychain();
    const { dataDir } = second;
    // Its tokens are in the keychain, as on most machines.
    const opened = await inFolder(dataDir, async ({ state, vault }) => {
      for (const entry of allEntriesOf(state)) {
        const value = await vault.read(entry);
        if (value !== null) await keychain.write(entry, value);
      }
      return [...keychain.stored.keys()];
    });
    for (const name of ['vault.json', 'vault.key', 'vault-choice.json']) await rm(join(dataDir, name));
    const lock = lockFolder(dataDir);
    await stageRestore({ dataDir, lock, source: bytesOf(bytes), passphrase, clock });
    const aside = beginRestore(dataDir, clock());
    lock.release();
    return { dataDir, aside, keychain, accounts: opened, wanted, before, key };
  }

  async function inFolder<T>(
    dataDir: string,
    use: (folder: { state: Parameters<typeof vaultEntriesOf>[0]; vault: Vault }) => Promise<T>,
    keychain?: Vault,
  ): Promise<T> {
    const lock = lockFolder(dataDir);
    const opened = await openFolder(dataDir, { clock, lock, say });
    try {
      const { state } = opened.ledger;
      const entries = vaultEntriesOf(state);
      return await use({
        state,
        vault: await openVaultChoice(undefined, { dataDir, entries, say, keychain }),
      });
    } finally {
      await opened.close();
      lock.release();
    }
  }

  /** The tokens of the credentials of a folder. */
  function tokensOf(dataDir: string, keychain: Vault): Promise<string[]> {
    return inFolder(
      dataDir,
      async ({ state, vault }) => {
        const values: (string | null)[] = [];
        for (const entry of vaultEntriesOf(state)) values.push(await vault.read(entry));
        return values.filter((value) => value !== null);
      },
      keychain,
    );
  }

  it('has the tokens of the backup in the keychain and those from before in the folder that is kept, killed at every seventh step', async () => {
    expect(await restoredWhereKilled({ every: 7 })).toBeGreaterThan(3);
  });

  it(
    'has the tokens of the backup in the keychain and those from before in the folder that is kept, wherever it was killed',
    { tags: ['long'] },
    async () => {
      expect(await restoredWhereKilled({ every: 1 })).toBeGreaterThan(20);
    },
  );

  /** Kills a restore at steps that lie apart by `every`, then lets it end; returns how often it was killed. */
  async function restoredWhereKilled({ every }: { every: number }): Promise<number> {
    const begun = await begunRestore();
    const template = `${begun.dataDir}-template`;
    cpSync(begun.dataDir, template, { recursive: true });
    const stored = [...begun.keychain.stored];
    let kills = 0;
    for (let nth = 1; ; nth += every) {
      rmSync(begun.dataDir, { recursive: true });
      cpSync(template, begun.dataDir, { recursive: true });
      const keychain = new Keychain();
      for (const [account, value] of stored) keychain.stored.set(account, value);
      let steps = 0;
      const dead = new Error('killed');
      const finish = async (onStep?: () => void): Promise<unknown> => {
        const lock = lockFolder(begun.dataDir, { isRestoring: true });
        try {
          return await finishRestore({ dataDir: begun.dataDir, lock, clock, say, keychain, onStep });
        } catch (error) {
          return error;
        } finally {
          lock.release();
        }
      };
      const outcome = await finish(() => {
        steps += 1;
        if (steps >= nth) throw dead;
      });
      if (outcome === dead) {
        kills += 1;
        // What another command would do with half of it is refused.
        if (existsSync(join(begun.dataDir, 'restore.json')))
          expect(() => lockFolder(begun.dataDir)).toThrow('A restore in');
        expect(await finish()).toBeOneOf([true, false]);
      } else expect(outcome).toBe(true);
      expect((await tokensOf(begun.dataDir, keychain)).sort(), `killed at ${nth}`).toEqual(
        [...begun.wanted].sort(),
      );
      expect((await tokensOf(begun.aside, new Keychain())).sort(), `killed at ${nth}`).toEqual(
        [...begun.before].sort(),
      );
      expect((await readdir(begun.dataDir)).filter((name) => name.startsWith('restor'))).toEqual([]);
      if (outcome !== dead) return kills;
    }
  }

  /** Without the keys of fingerprints. */
  function tokensIn({ stored }: Keychain): string[] {
    const tokens = [...stored].filter(([account]) => !isFingerprintKey({ service: 'rotavox', account }));
    return tokens.map(([, value]) => value).sort();
  }

  it('has the key of the fingerprints with the tokens, also where one of the same data was left in the keychain', async () => {
    const { dataDir, keychain, wanted, key } = await begunRestore();
    const lock = lockFolder(dataDir, { isRestoring: true });
    onTestFinished(() => lock.release());
    keychain.stored.set(key.account, key.value);
    expect(await finishRestore({ dataDir, lock, clock, say, keychain })).toBe(true);
    expect(tokensIn(keychain)).toEqual([...wanted].sort());
    expect(keychain.stored.get(key.account)).toBe(key.value);
    expect(existsSync(join(dataDir, 'vault.json'))).toBe(false);
  });

  it('changes nothing while the keychain is locked, and goes on when it is not', async () => {
    const { dataDir, keychain, wanted, before } = await begunRestore();
    keychain.isLocked = true;
    const lock = lockFolder(dataDir, { isRestoring: true });
    onTestFinished(() => lock.release());
    const parts = { dataDir, lock, clock, say, keychain };
    await expect(finishRestore(parts)).rejects.toMatchObject({ code: 'VAULT_UNUSABLE' });
    expect(tokensIn(keychain)).toEqual([...before].sort());
    expect(readdirSync(dataDir)).toContain('restoring');
    keychain.isLocked = false;
    expect(await finishRestore(parts)).toBe(true);
    expect(tokensIn(keychain)).toEqual([...wanted].sort());
  });

  it('keeps the tokens in the file, and says so, where the keychain has those of another folder, also the same', async () => {
    const { dataDir, keychain, wanted } = await begunRestore();
    keychain.stored.clear();
    const others = ['first', wanted[0] ?? ''] as const;
    keychain.stored.set(...others);
    rmSync(join(dataDir, 'journal'), { recursive: true });
    const said: string[] = [];
    const lock = lockFolder(dataDir, { isRestoring: true });
    expect(await finishRestore({ dataDir, lock, clock, say: (line) => said.push(line), keychain })).toBe(
      true,
    );
    lock.release();
    expect(said.join()).toContain('The tokens of the backup are in an encrypted file in the data folder');
    expect([...keychain.stored]).toEqual([others]);
    expect((await tokensOf(dataDir, keychain)).sort()).toEqual([...wanted].sort());
  });
});

describe.runIf(canMount)('a full disk', () => {
  it(
    'leaves the backup from before, and the data that a backup was to take the place of',
    { tags: ['long'] },
    async () => {
      const used = await usedHost();
      const before = await contentOf(used);
      const bytes = await used.backup();
      const disk = mountSmallDisk(4_000_000);
      mkdirSync(disk.folder);
      const file = join(disk.folder, 'a.backup');
      const save = (content: Uint8Array): Promise<number> =>
        saveBackup({ file, dataDir: null }, bytesOf(content), passphrase);
      await save(bytes);
      disk.fill(4096);
      await expect(save(bytes)).rejects.toThrow('Its disk is full. What was there before is unchanged.');
      expect(readFileSync(file).equals(bytes)).toBe(true);
      expect(readdirSync(disk.folder)).toEqual(['a.backup']);
      disk.free();

      const dataDir = join(disk.folder, 'data');
      await used.close();
      cpSync(used.dataDir, dataDir, { recursive: true });
      const files = filesIn(dataDir);
      // Room for less and less of it, to the last step.
      for (const left of [0, 4096, 16_384, 32_768]) {
        disk.fill(left);
        await expect(restore(dataDir, bytes, { replace: true }), `${left} left`).rejects.toThrow(
          /full disk|disk is full/,
        );
        expect(filesIn(dataDir)).toEqual(files);
      }
      disk.free();
      await restore(dataDir, bytes, { replace: true });
      expect(await contentOf(await hostOn(dataDir))).toEqual(before);
    },
  );
});

it('a backup that is damaged anywhere is said to be, whatever is read at that moment', async () => {
  const one = (name: string, content: Buffer): PackedEntry => ({
    name,
    size: content.length,
    content: [content],
  });
  const entries = [
    one('manifest.json', Buffer.from('{}')),
    one('journal/1', Buffer.alloc(250_000, 7)),
    one('end.json', Buffer.from('{}')),
  ];
  const whole = await buffer(await packBackup(entries, passphrase, cheapLogN));
  const told = new Set<string>();
  for (let at = 30; at < whole.length; at += at < 300 ? 23 : 9_973) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0xa5;
    const inPieces = async function* (): AsyncGenerator<Uint8Array> {
      for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
    };
    const readAll = async (): Promise<void> => {
      for await (const { content } of unpackBackup(inPieces(), passphrase)) await buffer(content);
    };
    told.add(
      await readAll().then(
        () => 'nothing',
        (error: unknown) => (error as Error).constructor.name,
      ),
    );
  }
  expect([...told]).toEqual(['BackupUnreadable']);
});
