import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { copyLines, FolderLines, JournalsDiffer, NewFolderLines } from '../../src/store/copy-lines.ts';
import { openStore } from '../../src/store/open-store.ts';
import { issued, moved, noon, rotated, tokenIdNamed } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

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
