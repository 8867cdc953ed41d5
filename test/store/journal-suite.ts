import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { StoreUnavailable } from '../../src/core/ledger.ts';
import { seqsOf } from '../../src/core/history/seq-runs.ts';
import type { State } from '../../src/core/state.ts';
import { tableCodecs } from '../../src/store/checkpoint-records.ts';
import { encodeLine, genesis } from '../../src/store/journal-line.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { issued, moved, noon, rotated } from '../fixtures/make-events.ts';

/** One journal, which can be opened by one store after the other. */
export interface JournalUnderTest {
  /** What is said of a line that is whole and was written by nobody who may. */
  readonly foreignLine: 'link_differs' | 'not_by_host';
  /** Replays what there is. The store is closed with the test at the latest. */
  open(): Promise<Store>;
  /** Every append is refused from now on, with this code, or accepted again. */
  refuse(code: string | null): Promise<void>;
  /** What is stored of the events, without newlines. */
  lines(): Promise<string[]>;
  /** Changes the line of an event behind the back of the program; null removes it. */
  change(seq: number, line: string | null): Promise<void>;
  /** Makes the newest stored state unreadable. */
  spoilCheckpoint(): Promise<void>;
}

const write = (store: Store, ...events: EventDraft[]) =>
  store.transact(() => ({ events, value: store.state.tokens.size }));

const suspended = moved('token.suspended', 'b');

const drafts = [
  issued('a'),
  rotated('a', 1),
  issued('b'),
  { ...suspended, data: { ...suspended.data, reason: 'ç "quoted" \\ 電話 😀\n\u0000' } } as EventDraft,
  issued('d'),
  moved('token.resumed', 'b'),
  rotated('a', 2),
];

/** What a checkpoint would hold: equal for equal states. */
function rowsOf(state: State): string[] {
  return tableCodecs.flatMap((codec) => [...codec.rows(state)].map((row) => codec.encode(row))).sort();
}

/** The lines that these events have in every journal, each in a batch of its own. */
function expectedLines(): string[] {
  let head = genesis;
  return drafts.map((draft, place) => {
    const event = { ...draft, seq: place + 1, at: new Date(noon).toISOString() };
    const encoded = encodeLine(event, event.seq, head);
    ({ head } = encoded);
    return encoded.line.trimEnd();
  });
}

async function filled(journal: JournalUnderTest): Promise<Store> {
  const store = await journal.open();
  for (const draft of drafts) await write(store, draft);
  return store;
}

async function problemOf(opening: Promise<unknown>): Promise<unknown> {
  const error = await opening.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreError);
  return (error as StoreError).problem;
}

/**
 * What both adapters of the port `Journal` do. `long` are the tags of what no person waits for: of an adapter that takes time, the
 * long run tries all, and the short one that it writes, refuses and finds a change.
 */
export function journalSuite(
  name: string,
  make: () => Promise<JournalUnderTest>,
  { long = [] }: { readonly long?: readonly 'long'[] } = {},
): void {
  const tagged = { tags: [...long] };
  describe(name, () => {
    it('has the same bytes as every other journal, and goes on where it ended', async () => {
      const journal = await make();
      const first = await filled(journal);
      const rows = rowsOf(first.state);
      await first.close();
      expect(await journal.lines()).toEqual(expectedLines());

      const second = await journal.open();
      expect(rowsOf(second.state)).toEqual(rows);
      expect(second.health()).toEqual({ status: 'ok', last_seq: drafts.length });
      await write(second, issued('c'), rotated('c', 1));
      const lines = await journal.lines();
      expect(lines.slice(0, drafts.length)).toEqual(expectedLines());
      expect(lines.slice(drafts.length).map((line) => JSON.parse(line) as object)).toMatchObject([
        { seq: 8, batch: 8 },
        { seq: 9, batch: 8 },
      ]);
      const { hash } = JSON.parse(lines.at(-1) ?? '') as { hash: string };
      expect(await second.verify()).toMatchObject({ status: 'intact', verified_to: 9, head: hash });
    });

    it(
      'makes requests of the same turn durable together, and those that come meanwhile after them',
      tagged,
      async () => {
        const journal = await make();
        const store = await journal.open();
        const names = Array.from({ length: 40 }, (_, place) => `n${place}`);
        await Promise.all(
          names.map(async (one, place) => {
            for (let turn = 0; turn < place % 4; turn += 1) await new Promise(setImmediate);
            await write(store, issued(one));
          }),
        );
        expect(store.health().last_seq).toBe(40);
        const batches = (await journal.lines()).map((line) => (JSON.parse(line) as { batch: number }).batch);
        expect(batches).toEqual(batches.toSorted((a, b) => a - b));
        expect(new Set(batches).size).toBeLessThan(20);
        expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: 40 });
      },
    );

    it('finds events by subject, number, text and kind, the newest first', tagged, async () => {
      const store = await filled(await make());
      const find = async (search: Parameters<Store['findEvents']>[0]) => [
        ...seqsOf(await store.findEvents(search)),
      ];
      expect(await find({})).toEqual([7, 6, 5, 4, 3, 2, 1]);
      expect(await find({ subject: 'fam_a' })).toEqual([7, 2, 1]);
      expect(await find({ subject: 'fam_a', before: 7, limit: 1 })).toEqual([2]);
      expect(await find({ subject: 'fam_a', after: 1 })).toEqual([7, 2]);
      expect(await find({ subject: 'fam_nobody' })).toEqual([]);
      expect(await find({ seqs: [3, 99, 5, 3], kinds: ['token.issued'] })).toEqual([5, 3]);
      expect(await find({ text: '"QUOTED" \\ 電話' })).toEqual([4]);
      expect(await find({ kinds: ['token.rotated'] })).toEqual([7, 2]);
      const events = await store.history({ subject: 'fam_b', limit: 2 });
      expect(events.map(({ seq, kind }) => [seq, kind])).toEqual([
        [6, 'token.resumed'],
        [4, 'token.suspended'],
      ]);
    });

    it('reads a long history in parts', tagged, async () => {
      const journal = await make();
      const store = await journal.open();
      const names = Array.from({ length: 1_234 }, (_, place) => `n${place}`);
      await Promise.all(names.map((one) => write(store, issued(one))));
      const found = [...seqsOf(await store.findEvents({ text: 'fam_n123' }))];
      expect(found).toHaveLength(5);
      expect((await store.history({ limit: 10_000 })).map(({ seq }) => seq)).toEqual(
        names.map((_, place) => 1_234 - place),
      );
    });

    it('changes nothing when it refuses, says why, and accepts changes again after that', async () => {
      const journal = await make();
      const store = await filled(journal);
      const rows = rowsOf(store.state);
      await journal.refuse('53100');
      const refused = Promise.allSettled([
        write(store, issued('x')),
        write(store, rotated('a', 3)),
        store.transact((state) => ({ events: [], value: state.tokens.size })),
      ]);
      const [one, other, question] = await refused;
      for (const result of [one, other]) {
        expect(result.status).toBe('rejected');
        const reason: unknown = (result as PromiseRejectedResult).reason;
        expect(reason).toBeInstanceOf(StoreUnavailable);
        expect((reason as StoreUnavailable).code).toBe('53100');
      }
      expect(question).toMatchObject({ status: 'fulfilled', value: store.state.tokens.size });
      expect(rowsOf(store.state)).toEqual(rows);
      expect(store.look()).toMatchObject({ status: 'refusing', code: '53100', last_seq: drafts.length });
      expect(await journal.lines()).toEqual(expectedLines());

      await journal.refuse(null);
      await expect.poll(() => store.look().status).toBe('ok');
      await write(store, issued('y'));
      expect((await journal.lines()).slice(0, -1)).toEqual(expectedLines());
      expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: drafts.length + 1 });
    });

    it(
      'replays only what follows the stored state, and everything where that is unreadable',
      tagged,
      async () => {
        const journal = await make();
        const store = await filled(journal);
        await store.checkpoint();
        await write(store, issued('after'));
        const rows = rowsOf(store.state);
        await store.abandon();
        const second = await journal.open();
        expect(rowsOf(second.state)).toEqual(rows);
        await second.abandon();
        await journal.spoilCheckpoint();
        const third = await journal.open();
        expect(rowsOf(third.state)).toEqual(rows);
        expect(await third.verify()).toMatchObject({ status: 'intact', verified_to: 8 });
      },
    );

    it.each([
      ['has other content', (line: string) => line.replace('"fam_b"', '"fam_B"'), 3, 'hash_differs'],
      ['has other content at its end', (line: string) => `${line.slice(0, -2)} }`, 3, 'line_end_changed'],
      ['is not an event', () => '{}', 3, 'not_an_event'],
    ])('says which event %s', tagged, async (_, change, seq, kind) => {
      const journal = await make();
      const store = await filled(journal);
      await journal.change(seq, change((await journal.lines())[seq - 1] ?? ''));
      const found = await store.verify();
      expect(found).toMatchObject({ status: 'damaged', verified_to: seq - 1, problem: { damage: { kind } } });
      await store.abandon();
      expect(await problemOf(journal.open())).toMatchObject({
        code: 'JOURNAL_DAMAGED',
        damage: { kind },
      });
    });

    it('finds a line that was replaced by another whole line', async () => {
      const journal = await make();
      const store = await filled(journal);
      const forged = encodeLine({ ...issued('z'), seq: 3, at: new Date(noon).toISOString() }, 3, genesis);
      await journal.change(3, forged.line.trimEnd());
      expect(await store.verify()).toMatchObject({
        status: 'damaged',
        verified_to: 2,
        problem: { damage: { kind: journal.foreignLine } },
      });
    });

    it('finds a missing event', tagged, async () => {
      const journal = await make();
      const store = await filled(journal);
      await journal.change(4, null);
      expect(await store.verify()).toMatchObject({ status: 'damaged', verified_to: 3 });
      await store.abandon();
      expect(await problemOf(journal.open())).toMatchObject({ code: 'JOURNAL_DAMAGED' });
    });
  });
}
