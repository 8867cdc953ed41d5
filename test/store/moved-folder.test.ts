import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { HistoryUnreadable, StoreUnavailable } from '../../src/core/ledger.ts';
import { lockFolder } from '../../src/host/folder-lock.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openRecordingFiles } from '../../src/store/open-recording-files.ts';
import { ReplayKeys } from '../../src/store/replay-keys.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreTrouble } from '../../src/store/store.ts';
import { filesBelow, makeFolder } from '../fixtures/make-folder.ts';
import { issued, noon, rotated } from '../fixtures/make-events.ts';

interface Setup {
  readonly folder: string;
  readonly store: Store;
  /** The reports about the disk, in order. */
  readonly told: StoreTrouble[];
  readonly assertHeld: () => void;
}

async function makeSetup(): Promise<Setup> {
  const folder = join(makeFolder(), 'data');
  const lock = lockFolder(folder);
  const assertHeld = () => lock.assertHeld();
  const told: StoreTrouble[] = [];
  const onTrouble = (trouble: StoreTrouble) => told.push(trouble);
  const { store } = await openStore({ folder, clock: () => noon, onTrouble, assertHeld });
  await write(store, issued('a'));
  return { folder, store, told, assertHeld };
}

function write(store: Store, event: EventDraft): Promise<null> {
  return store.transact(() => ({ events: [event], value: null }));
}

/** Ways in which a folder in use can disappear, and what is reported. */
const losses: Readonly<Record<string, { code: string; lose: (folder: string) => void }>> = {
  'whose data folder is moved': {
    code: 'DATA_FOLDER_MOVED',
    lose: (folder) => renameSync(folder, `${folder}-moved`),
  },
  'whose data folder is deleted': {
    code: 'DATA_FOLDER_MOVED',
    lose: (folder) => rmSync(folder, { recursive: true }),
  },
  'whose data folder is replaced by a copy': {
    code: 'DATA_FOLDER_MOVED',
    lose(folder) {
      renameSync(folder, `${folder}-moved`);
      cpSync(`${folder}-moved`, folder, { recursive: true, preserveTimestamps: true });
    },
  },
  'whose data folder is replaced by an empty one': {
    code: 'DATA_FOLDER_MOVED',
    lose(folder) {
      renameSync(folder, `${folder}-moved`);
      mkdirSync(folder);
    },
  },
  'whose journal is deleted': {
    code: 'DATA_FOLDER_MOVED',
    lose: (folder) => rmSync(join(folder, 'journal'), { recursive: true }),
  },
  'whose open segment is replaced': {
    code: 'DATA_FOLDER_MOVED',
    lose(folder) {
      const segment = join(folder, 'journal/00000001.jsonl');
      const bytes = readFileSync(segment);
      writeFileSync(`${segment}.copy`, bytes);
      renameSync(`${segment}.copy`, segment);
    },
  },
  'whose lock is deleted': { code: 'LOCK_LOST', lose: (folder) => rmSync(join(folder, 'lock')) },
  'whose lock is another one': {
    code: 'LOCK_LOST',
    lose(folder) {
      rmSync(join(folder, 'lock'));
      writeFileSync(join(folder, 'lock'), '{"pid":1,"started":"1"}');
    },
  },
};

describe.each(Object.entries(losses))('a store %s while it is open', (_what, { code, lose }) => {
  it('refuses changes, rolls them back, reports it once and writes nothing', async () => {
    const { folder, store, told } = await makeSetup();
    lose(folder);
    const before = existsSync(folder) ? filesBelow(folder) : null;
    await expect(write(store, rotated('a', 1))).rejects.toMatchObject({ name: 'StoreUnavailable', code });
    await expect(write(store, issued('b'))).rejects.toThrow(StoreUnavailable);
    expect(store.state.tokens.size).toBe(1);
    expect(store.health()).toMatchObject({ status: 'refusing', code, last_seq: 1 });
    expect(told).toHaveLength(1);
    expect(told[0]?.refusal?.code).toBe(code);
    expect(told[0]?.refusal?.path).toContain(folder);
    await store.checkpoint();
    await store.close();
    expect(existsSync(folder) ? filesBelow(folder) : null).toEqual(before);
  });

  it('is noticed by a check, without a change', async () => {
    const { folder, store, told } = await makeSetup();
    const heard: string[] = [];
    store.onHealth(() => heard.push(store.health().status));
    expect(store.look()).toEqual({ status: 'ok', last_seq: 1 });
    lose(folder);
    expect(store.look()).toMatchObject({ status: 'refusing', code, ...told[0]?.refusal });
    expect(store.look().status).toBe('refusing');
    expect(heard).toEqual(['refusing']);
  });
});

describe('a data folder that was moved', () => {
  it('is used again when it is moved back: nothing is lost, and it is reported', async () => {
    const { folder, store } = await makeSetup();
    const heard: string[] = [];
    store.onHealth(() => heard.push(store.health().status));
    renameSync(folder, `${folder}-moved`);
    await expect(write(store, rotated('a', 1))).rejects.toMatchObject({ code: 'DATA_FOLDER_MOVED' });
    renameSync(`${folder}-moved`, folder);
    await write(store, rotated('a', 1));
    expect(heard).toEqual(['refusing', 'ok']);
    expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: 2 });
    await store.close();
    const { store: again } = await openStore({ folder, clock: () => noon });
    expect(again.state.tokens.size).toBe(2);
  });

  it.each([
    ['and nothing is there', 'whose data folder is moved'],
    ['and a copy is there, which may be another one by now', 'whose data folder is replaced by a copy'],
  ])('cannot be read %s, and the refusal has its path', async (_what, loss) => {
    const { folder, store } = await makeSetup();
    losses[loss]?.lose(folder);
    for (const read of [
      () => store.verify(),
      () => store.history({ limit: 10 }),
      () => store.findEvents({ text: 'a' }),
    ]) {
      const failure: unknown = await read().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(HistoryUnreadable);
      expect((failure as HistoryUnreadable).problem).toMatchObject({
        kind: 'unreadable',
        refusal: { path: expect.stringContaining(folder) as string },
      });
    }
  });

  it('gets neither audio nor keys, nor does another folder in its place', async () => {
    const { folder, store, assertHeld } = await makeSetup();
    const files = openRecordingFiles(folder, store.state, assertHeld);
    const audio = { digest: '0'.repeat(64), format: 'wav' } as const;
    await files.keep(audio, new Uint8Array(10));
    const keys = new ReplayKeys(folder, () => noon, assertHeld);
    losses['whose data folder is replaced by a copy']?.lose(folder);
    rmSync(join(folder, 'lock')); // another Rotavox has used it meanwhile
    const before = filesBelow(folder);
    expect(() => keys.current()).toThrow(StoreUnavailable);
    await expect(files.keep({ ...audio, digest: '1'.repeat(64) }, new Uint8Array(10))).rejects.toThrow(
      StoreUnavailable,
    );
    await expect(files.forget(audio)).rejects.toThrow(StoreUnavailable);
    expect(filesBelow(folder)).toEqual(before);
    expect(readdirSync(`${folder}-moved`)).not.toContain('replay-keys.json');
  });
});

it('a lock that a file system gives another number is still known by what is in it', async () => {
  const { folder, store } = await makeSetup();
  const lock = join(folder, 'lock');
  const content = readFileSync(lock);
  rmSync(lock);
  writeFileSync(lock, content);
  await write(store, rotated('a', 1));
  expect(store.look().status).toBe('ok');
});
