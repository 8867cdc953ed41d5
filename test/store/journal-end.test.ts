import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type OpenedStore, openStore } from '../../src/store/open-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { storeProblemText } from '../../src/text/service/store-text.ts';
import { filesBelow, makeFolder, writtenPart } from '../fixtures/make-folder.ts';
import { issued, moved, noon, rotated, tokenIdNamed } from '../fixtures/make-events.ts';
import { StoreUnavailable } from '../../src/core/ledger.ts';
import { journalSuite } from './journal-suite.ts';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { copyLines, FolderLines, JournalsDiffer, NewFolderLines } from '../../src/store/copy-lines.ts';

const minuteMs = 60_000;

/** A folder and a manual clock. */
class Setup {
  readonly folder = makeFolder();
  readonly segment = join(this.folder, 'journal/00000001.jsonl');
  readonly record = join(this.folder, 'journal/end.json');
  nowMs = noon;
  #count = 0;

  open(folder = this.folder): Promise<OpenedStore> {
    return openStore({ folder, clock: () => this.nowMs });
  }

  async write({ store }: OpenedStore, count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) {
      this.#count += 1;
      await store.transact(() => ({ events: [issued(`t${this.#count}`)], value: null }));
    }
  }

  /** Leaves this many whole lines beside the header, as if nothing had ever followed them, and no state file. */
  cutTo(events: number): void {
    const lines = readFileSync(this.segment, 'utf8')
      .split('\n')
      .slice(0, events + 1);
    writeFileSync(this.segment, `${lines.join('\n')}\n`);
    for (const name of ['state.json', 'journal/00000002.jsonl'])
      rmSync(join(this.folder, name), { force: true });
  }

  recorded(): unknown {
    return JSON.parse(readFileSync(this.record, 'utf8'));
  }

  /** The message of a refused start, which has changed nothing. */
  async refusal(): Promise<string> {
    const before = filesBelow(this.folder);
    const refusal: unknown = await this.open().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreError);
    expect(refusal).toMatchObject({ code: 'JOURNAL_DAMAGED' });
    expect(filesBelow(this.folder)).toEqual(before);
    return storeProblemText((refusal as StoreError).problem);
  }
}

describe('a journal that was cut at the end of a line, without a state file', () => {
  it('is refused after a stop with the file, the line and what to do, and continues when the loss is accepted', async () => {
    const setup = new Setup();
    const first = await setup.open();
    await setup.write(first, 5);
    await first.store.close();
    setup.cutTo(3);
    const words = await setup.refusal();
    expect(words).toContain(`${setup.segment}, line 5: events 4 to 5 are missing`);
    expect(words).toContain(`delete ${setup.record}.`);
    rmSync(setup.record);
    const { store, repairs } = await setup.open();
    expect([store.state.tokens.size, repairs]).toEqual([3, []]);
    expect(setup.recorded()).toEqual({ format: 1, last_seq: 3 });
  });

  it('is refused after a kill, for what was there a minute before the last change', async () => {
    const setup = new Setup();
    const killed = await setup.open();
    await setup.write(killed, 3);
    setup.nowMs += minuteMs;
    await setup.write(killed, 1);
    expect(setup.recorded()).toEqual({ format: 1, last_seq: 1 });
    setup.nowMs += minuteMs;
    await setup.write(killed, 1);
    expect(setup.recorded()).toEqual({ format: 1, last_seq: 4 });
    setup.cutTo(3);
    expect(await setup.refusal()).toContain('events 4 to 4 are missing');
  });

  it('is refused for the last change too, once the clock was checked twice since', async () => {
    const setup = new Setup();
    const killed = await setup.open();
    await setup.write(killed, 3);
    for (let looks = 0; looks < 2; looks += 1) {
      setup.nowMs += minuteMs;
      killed.store.look();
    }
    setup.cutTo(2);
    expect(await setup.refusal()).toContain('events 3 to 3 are missing');
  });

  it('and within a line is not taken for a torn last write', async () => {
    const setup = new Setup();
    const first = await setup.open();
    await setup.write(first, 5);
    await first.store.close();
    setup.cutTo(4);
    writeFileSync(setup.segment, readFileSync(setup.segment).subarray(0, -20));
    expect(await setup.refusal()).toContain('events 4 to 5 are missing');
  });

  it('is refused as well when its state file is there and unreadable', async () => {
    const setup = new Setup();
    const first = await setup.open();
    await setup.write(first, 5);
    await first.store.close();
    setup.cutTo(3);
    writeFileSync(join(setup.folder, 'state.json'), '{"format":');
    expect(await setup.refusal()).toContain('events 4 to 5 are missing');
  });
});

describe('the record of the journal’s end', () => {
  it('is made for a folder of a version that had none', async () => {
    const setup = new Setup();
    const older = await setup.open();
    await setup.write(older, 2);
    await older.store.close();
    rmSync(setup.record);
    const { store, repairs } = await setup.open();
    expect([store.state.tokens.size, repairs]).toEqual([2, []]);
    expect(setup.recorded()).toEqual({ format: 1, last_seq: 2 });
    expect(statSync(setup.record).mode & 0o777).toBe(0o600);
  });

  it('goes along with a backup of the folder, and fits a journal of any later day', async () => {
    const setup = new Setup();
    const first = await setup.open();
    await setup.write(first, 2);
    await first.store.close();
    const backup = makeFolder();
    cpSync(setup.folder, backup, { recursive: true });
    const second = await setup.open();
    await setup.write(second, 3);
    await second.store.close();

    const restored = await setup.open(backup);
    expect(restored.store.state.tokens.size).toBe(2);
    await restored.store.close();
    const early = readFileSync(setup.record);
    cpSync(join(setup.folder, 'journal'), join(backup, 'journal'), { recursive: true });
    writeFileSync(join(backup, 'journal/end.json'), early);
    expect((await setup.open(backup)).store.state.tokens.size).toBe(5);
  });

  it('is not ahead of the journal in a copy that was made file by file while changes went on', async () => {
    const setup = new Setup();
    const running = await setup.open();
    await setup.write(running, 2);
    setup.nowMs += 10 * minuteMs;
    await setup.write(running, 2);
    const copy = makeFolder();
    cpSync(setup.segment, join(copy, 'journal/00000001.jsonl'), { recursive: true });
    setup.nowMs += minuteMs - 1;
    await setup.write(running, 50);
    cpSync(setup.record, join(copy, 'journal/end.json'));
    expect((await setup.open(copy)).store.state.tokens.size).toBe(4);
  });

  it.each([
    ['is not JSON', 'what is this'],
    ['is cut', '{"format":1,"last_'],
    ['names no event', '{"format":1,"last_seq":-1}'],
    ['has another format', '{"format":2,"last_seq":9}'],
  ])('that %s is written again, and that is reported', async (_what, content) => {
    const setup = new Setup();
    const first = await setup.open();
    await setup.write(first, 2);
    await first.store.close();
    writeFileSync(setup.record, content);
    const { store, repairs } = await setup.open();
    expect(repairs).toEqual([{ kind: 'journal_end_rewritten' }]);
    await store.close();
    expect(setup.recorded()).toEqual({ format: 1, last_seq: 2 });
    expect((await setup.open()).repairs).toEqual([]);
  });

  it('is not written while the clock is stopped, so that a change never waits for it', async () => {
    const setup = new Setup();
    const opened = await setup.open();
    await setup.write(opened, 20);
    expect(existsSync(setup.record) ? readFileSync(setup.record, 'utf8') : '').toBe('');
    expect(writtenPart(readFileSync(setup.segment)).toString().split('\n')).toHaveLength(22);
  });
});

journalSuite('the journal in files', () => {
  const folder = makeFolder();
  const journalFolder = join(folder, 'journal');
  let refusal: string | null = null;
  const segments = () =>
    readdirSync(journalFolder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(journalFolder, name));
  /** The lines of a segment; its header is the first. */
  const linesOf = (path: string) => readFileSync(path, 'utf8').replaceAll('\0', '').split('\n').slice(0, -1);
  return Promise.resolve({
    foreignLine: 'link_differs',
    async open() {
      const { store } = await openStore({
        folder,
        clock: () => noon,
        assertHeld: () => {
          if (refusal !== null) throw new StoreUnavailable({ code: refusal, path: folder });
        },
      });
      return store;
    },
    refuse(code) {
      refusal = code;
      return Promise.resolve();
    },
    lines: () => Promise.resolve(segments().flatMap((path) => linesOf(path).slice(1))),
    change(seq, line) {
      for (const path of segments()) {
        const lines = linesOf(path);
        const place = lines.findIndex((one) => one.startsWith(`{"seq":${seq},`));
        if (place > 0) lines.splice(place, 1, ...(line === null ? [] : [line]));
        writeFileSync(path, lines.map((one) => `${one}\n`).join(''));
      }
      return Promise.resolve();
    },
    spoilCheckpoint() {
      const path = join(folder, 'state.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('fam_a', 'fam_q'));
      return Promise.resolve();
    },
  });
});

const clock = () => noon;
const lifetime = [issued('a'), rotated('a', 1), issued('b'), moved('token.suspended', 'b')];

/** A closed data folder with these events. */
async function folderWith(events: readonly EventDraft[]): Promise<string> {
  const folder = makeFolder();
  const { store } = await openStore({ folder, clock });
  for (const event of events) await store.transact(() => ({ events: [event], value: null }));
  await store.close();
  return folder;
}

const copy = (from: string, to: string) =>
  copyLines(new FolderLines(from), new NewFolderLines(to), () => undefined);

it('copies a journal so that its chain is the same and its state can be built', async () => {
  const [from, to] = [await folderWith(lifetime), makeFolder()];
  const end = await copy(from, to);
  expect(end.seq).toBe(lifetime.length);
  const { store } = await openStore({ folder: to, clock });
  expect(store.state.tokens.get(tokenIdNamed('a', 2))?.status).toBe('Active');
  expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: 4, head: end.head });
  await store.close();
});

it('goes on where an interrupted copy ended', async () => {
  const from = await folderWith(lifetime);
  const to = makeFolder();
  const source = new FolderLines(from);
  const interrupted = new NewFolderLines(to);
  // One segment is written, then the copy stops.
  const [[first, second] = []] = [...source.lines()];
  const { hash } = JSON.parse(second?.line ?? '') as { hash: string };
  await interrupted.append([first!, second!], { seq: 0, head: '0'.repeat(43) }, hash);
  await interrupted.finish();
  const told: number[] = [];
  await copyLines(source, new NewFolderLines(to), (seq) => told.push(seq));
  expect(told).toEqual([4]);
  expect(readdirSync(join(to, 'journal'))).toEqual(['00000001.jsonl', '00000002.jsonl']);
  expect([...new FolderLines(to).lines()].flat()).toEqual([...source.lines()].flat());
});

it('refuses a target with another journal, and changes nothing there', async () => {
  const from = await folderWith(lifetime);
  for (const other of [[issued('c')], [...lifetime, issued('d')]]) {
    const to = await folderWith(other);
    const before = [...new FolderLines(to).lines()].flat();
    await expect(copy(from, to)).rejects.toBeInstanceOf(JournalsDiffer);
    expect([...new FolderLines(to).lines()].flat()).toEqual(before);
  }
});

it('finds damage in what is copied', async () => {
  const from = await folderWith(lifetime);
  const path = join(from, 'journal', '00000001.jsonl');
  const bytes = readFileSync(path);
  const place = bytes.indexOf('token.rotated');
  bytes[place] = 0x54;
  writeFileSync(path, bytes);
  await expect(copy(from, makeFolder())).rejects.toMatchObject({
    problem: { code: 'JOURNAL_DAMAGED', line: 3, damage: { kind: 'hash_differs' } },
  });
});
