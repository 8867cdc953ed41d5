import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventGroups, historyResults } from '../../src/contract/history/history.ts';
import {
  type EventDraft,
  eventKindNames,
  type HistoryEvent,
} from '../../src/contract/history/audit-event.ts';
import { chooseEvents } from '../../src/core/history/choose-events.ts';
import { subjectNames } from '../../src/core/history/name-of-subject.ts';
import { seqsOf } from '../../src/core/history/seq-runs.ts';
import type { HistorySearch } from '../../src/core/ledger.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { credentialAdded } from '../fixtures/credential-events.ts';
import { configuration, issued, moved, noon, rotated } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

/** Usual and unusual texts: quotes, escapes, other alphabets. */
const reasons = [
  'Holiday',
  'He said "stop"',
  'C:\\tokens\\new',
  'line one\nΣΊΣΥΦΟΣ',
  'Straße 5',
  '",  "sealed":{"digest":"',
  'tab\there \u0001',
  '電話 😀',
];

function suspended(name: string, reason: string): EventDraft {
  const event = moved('token.suspended', name);
  return { ...event, data: { ...event.data, reason } } as EventDraft;
}

function named(name: string, called: string): EventDraft {
  const event = issued(name);
  return { ...event, data: { ...event.data, configuration: { ...configuration, name: called } } };
}

/** A store whose history goes over several segments, the last of them open. */
async function openHistory(): Promise<Store> {
  const policy = { minEvents: 12, shareOfTokens: 0 };
  const { store } = await openStore({ folder: makeFolder(), clock: () => noon, policy });
  const write = (event: EventDraft) => store.transact(() => ({ events: [event], value: null }));
  for (const [place, reason] of reasons.entries()) {
    const name = `f${place}`;
    await write(named(name, place % 2 === 0 ? 'nightly' : 'billing-sync'));
    await write(rotated(name, 1));
    await write(suspended(name, reason));
    await write(moved('token.resumed', name));
    await store.checkpoint();
  }
  await write(credentialAdded('crm-export'));
  return store;
}

async function seqsFor(store: Store, search: HistorySearch): Promise<number[]> {
  return [...seqsOf(await store.findEvents(search))];
}

async function everything(store: Store): Promise<HistoryEvent[]> {
  return store.history({ limit: 10_000 });
}

describe('searching the history', () => {
  it('needs no file without conditions, and knows where it begins and ends', async () => {
    const store = await openHistory();
    expect(await store.findEvents({})).toEqual([{ from: 33, count: 33 }]);
    expect(await store.findEvents({ before: 10, after: 4 })).toEqual([{ from: 9, count: 5 }]);
    expect(await store.findEvents({ limit: 2 })).toEqual([{ from: 33, count: 2 }]);
    expect(await store.findEvents({ after: 33 })).toEqual([]);
    expect(await store.findEvents({ before: 1 })).toEqual([]);
    await store.close();
  });

  it.each(reasons)('finds only the event that contains %j', async (reason) => {
    const store = await openHistory();
    const [seq, ...others] = await seqsFor(store, { text: reason });
    expect(others).toEqual([]);
    const [event] = await store.history({ text: reason.toUpperCase(), limit: 5 });
    expect(event).toMatchObject({ seq, data: { reason } });
    await store.close();
  });

  it('finds every event of a subject by its current name, whether or not the event contains it', async () => {
    const store = await openHistory();
    const found = await store.history({ text: 'billing', kinds: ['token.suspended'], limit: 100 });
    expect(found.map(({ subject }) => subject)).toEqual(['fam_f7', 'fam_f5', 'fam_f3', 'fam_f1']);
    expect(await seqsFor(store, { text: 'crm-export' })).toEqual([33]);
    await store.close();
  });

  it('never finds what is sealed, the links of the chain, or the names of fields', async () => {
    const store = await openHistory();
    for (const text of ['f1........', 'f1-2', '0000000000', 'hash', 'prev', 'digest', 'batch', 'token_id'])
      expect(await seqsFor(store, { text, before: 9 }), text).toEqual([]);
    await store.close();
  });

  it('returns at most the requested number, newest first', async () => {
    const store = await openHistory();
    const all = await seqsFor(store, { kinds: ['token.resumed'] });
    expect(all).toHaveLength(reasons.length);
    expect(await seqsFor(store, { kinds: ['token.resumed'], limit: 3 })).toEqual(all.slice(0, 3));
    expect(await seqsFor(store, { kinds: ['token.resumed'], before: all[2]! })).toEqual(all.slice(3));
    expect(await seqsFor(store, { kinds: ['token.resumed'], after: all[2]! })).toEqual(all.slice(0, 2));
    await store.close();
  });

  it('reads exactly the events that are asked for by their places', async () => {
    const store = await openHistory();
    const read = async (seqs: number[]) => (await store.history({ seqs, limit: 100 })).map(({ seq }) => seq);
    expect(await read([3, 33, 1, 3, 12])).toEqual([33, 12, 3, 1]);
    expect(await read([34, 0, 99])).toEqual([]);
    await store.close();
  });

  it('is over, with what it has, when the caller has gone', async () => {
    const store = await openHistory();
    const runs = await store.findEvents({ kinds: ['token.'], signal: { aborted: true } });
    const found = [...seqsOf(runs)];
    const all = await seqsFor(store, { kinds: ['token.'] });
    expect(found.length).toBeLessThan(all.length);
    expect(all.slice(0, found.length)).toEqual(found);
    await store.close();
  });

  it('continues during changes, and sees the events from before it began', async () => {
    const store = await openHistory();
    const searching = seqsFor(store, { text: 'holiday' });
    await store.transact(() => ({ events: [suspended('f0', 'Holiday again')], value: null }));
    expect(await searching).toEqual([3]);
    expect(await seqsFor(store, { text: 'holiday' })).toEqual([34, 3]);
    await store.close();
  });

  it('finds exactly the events that core chooses, for any search', async () => {
    const store = await openHistory();
    const events = await everything(store);
    const kinds = fc.uniqueArray(fc.constantFrom(...eventKindNames, ...eventGroups), { minLength: 1 });
    const text = fc.oneof(
      fc.constantFrom(...reasons, 'σ', 'ς', 'tok_', '"', '\\', '\n', 'ss', 'E', 'sealed', '127.0.0.1'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
      fc
        .constantFrom(...reasons)
        .chain((reason) =>
          fc.nat(reason.length - 1).map((from) => reason.slice(from, from + 3).toWellFormed()),
        ),
    );
    const searches = fc.record(
      {
        subject: fc.constantFrom('fam_f0', 'fam_f3', 'cred_crm-export', 'fam_gone'),
        kinds,
        result: fc.constantFrom(...historyResults),
        text,
        textKinds: kinds,
        seqs: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 20 }),
        before: fc.integer({ min: 1, max: 40 }),
        after: fc.nat(40),
        limit: fc.integer({ min: 1, max: 10 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(searches, async (search) => {
        const { seqs, before = Infinity, after = 0, limit = Infinity } = search;
        const choice = chooseEvents(search, subjectNames(store.state));
        const expected = events
          .filter(({ seq }) => seq < before && seq > after && (seqs?.includes(seq) ?? true))
          .filter((event) => choice.isChosen(event))
          .slice(0, limit);
        expect(await seqsFor(store, search)).toEqual(expected.map(({ seq }) => seq));
        expect(await store.history({ ...search, limit: search.limit ?? 100 })).toEqual(expected);
      }),
      { numRuns: 300 },
    );
    await store.close();
  });
});
