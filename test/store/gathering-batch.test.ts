import { Low } from 'lowdb';
import { describe, expect, it } from 'vitest';
import type { JournalCheck } from '../../src/contract/service/store-problem.ts';
import { StoreUnavailable } from '../../src/core/ledger.ts';
import { State } from '../../src/core/state.ts';
import type { Checkpoint } from '../../src/store/checkpoint-file.ts';
import type { EventLine, Journal, JournalBatch } from '../../src/store/journal.ts';
import { genesis } from '../../src/store/journal-line.ts';
import { Store, type StoreTrouble } from '../../src/store/store.ts';
import { issued, noon } from '../fixtures/make-events.ts';

const place = 'postgres://db/rotavox';

/** A journal whose appends are settled by the test, one at a time. */
class HeldJournal implements Journal {
  readonly place = place;
  readonly isCheckpointDue = false;
  lastSeq = 0;
  head = genesis;
  isCurrent = true;
  readonly appended: JournalBatch[] = [];
  #running: PromiseWithResolvers<undefined> | null = null;

  append(batch: JournalBatch): Promise<void> {
    expect(this.#running).toBeNull();
    expect(batch.firstSeq).toBe(this.lastSeq + 1);
    this.appended.push(batch);
    this.#running = Promise.withResolvers();
    return this.#running.promise;
  }

  /** Lets the append that is under way succeed, and waits until the store has taken note of it. */
  async accept(): Promise<void> {
    const batch = this.appended.at(-1);
    this.lastSeq += batch?.events.length ?? 0;
    this.head = batch?.head ?? this.head;
    this.#end()?.resolve(undefined);
    await nextTurn();
  }

  async refuse(code: string): Promise<void> {
    this.appended.pop();
    this.#end()?.reject(new StoreUnavailable({ code, path: place }));
    await nextTurn();
  }

  #end(): PromiseWithResolvers<undefined> | null {
    const running = this.#running;
    this.#running = null;
    return running;
  }

  assertCurrent(): void {
    if (!this.isCurrent) throw new StoreUnavailable({ code: 'NOT_LEADING', path: place });
  }

  assertReadable(): void {
    this.assertCurrent();
  }

  probe(): void {
    this.assertCurrent();
  }

  beginCheckpoint(): void {
    expect(this.#running).toBeNull();
  }

  endCheckpoint(isWritten: boolean): void {
    expect(isWritten).toBe(true);
  }

  seqsOf(): number[] {
    return [];
  }

  async *readLines(): AsyncGenerator<EventLine[]> {
    // has none
  }

  verify(): Promise<JournalCheck> {
    return Promise.resolve({ status: 'intact', verified_to: 0, head: genesis, segments: 1 });
  }

  close(): void {
    expect(this.#running).toBeNull();
  }
}

function nextTurn(): Promise<void> {
  return new Promise(setImmediate);
}

function open() {
  const journal = new HeldJournal();
  const written: { seq: number; head: string; tokens: number }[] = [];
  const adapter = {
    read: () => Promise.resolve(null),
    write: ({ seq, head, state }: Checkpoint) => {
      written.push({ seq, head, tokens: state.tokens.size });
      return Promise.resolve();
    },
  };
  const db = new Low<Checkpoint>(adapter, { seq: 0, head: genesis, segments: [], state: new State() });
  const troubles: StoreTrouble[] = [];
  const store = new Store(
    { journal, db, head: genesis },
    {
      clock: () => noon,
      policy: { minEvents: 1_000, shareOfTokens: 1 },
      onTrouble: (trouble) => troubles.push(trouble),
    },
  );
  const told: number[] = [];
  store.subscribe((event) => told.push(event.seq));
  const outcomes: string[] = [];
  return {
    journal,
    store,
    written,
    troubles,
    told,
    outcomes,
    /** Issues a token and notes how that ended. */
    issue(name: string): void {
      store
        .transact(() => ({ events: [issued(name)], value: name }))
        .then(
          (value) => outcomes.push(value),
          (error: unknown) => outcomes.push(`${name}: ${(error as StoreUnavailable).code}`),
        );
    },
    /** Counts the tokens without changing anything. */
    count(): void {
      void store
        .transact((state) => ({ events: [], value: state.tokens.size }))
        .then(
          (value) => outcomes.push(`count ${value}`),
          (error: unknown) => outcomes.push(`count: ${(error as StoreUnavailable).code}`),
        );
    },
  };
}

describe('a journal whose appends take time', () => {
  it('gets the next batch when the one under way is durable, and nobody is answered earlier', async () => {
    const { journal, store, issue, outcomes, told } = open();
    issue('a');
    await nextTurn();
    issue('b');
    issue('c');
    await nextTurn();
    issue('d');
    await nextTurn();
    expect(journal.appended.map(({ events }) => events.length)).toEqual([1]);
    expect(store.state.tokens.size).toBe(4);
    expect([outcomes, told, store.health().last_seq]).toEqual([[], [], 0]);
    await journal.accept();
    expect([outcomes, told, store.health().last_seq]).toEqual([['a'], [1], 1]);
    expect(journal.appended.map(({ events }) => events.length)).toEqual([1, 3]);
    await journal.accept();
    expect([outcomes, told]).toEqual([
      ['a', 'b', 'c', 'd'],
      [1, 2, 3, 4],
    ]);
  });

  it('answers a question when everything is durable that it could have seen', async () => {
    const { journal, issue, count, outcomes } = open();
    count();
    await nextTurn();
    expect(outcomes).toEqual(['count 0']);
    issue('a');
    await nextTurn();
    count();
    issue('b');
    count();
    await nextTurn();
    expect(outcomes).toEqual(['count 0']);
    await journal.accept();
    expect(outcomes).toEqual(['count 0', 'a', 'count 1']);
    await journal.accept();
    expect(outcomes).toEqual(['count 0', 'a', 'count 1', 'b', 'count 2']);
  });

  it('refuses the batch under way together with the one that gathers, and goes on after that', async () => {
    const { journal, store, issue, count, outcomes, told, troubles } = open();
    issue('a');
    await nextTurn();
    await journal.accept();
    issue('b');
    await nextTurn();
    issue('c');
    count();
    await journal.refuse('DATABASE_FULL');
    expect(outcomes).toEqual(['a', 'b: DATABASE_FULL', 'c: DATABASE_FULL', 'count 1']);
    expect(store.state.tokens.size).toBe(1);
    expect(store.health()).toMatchObject({ status: 'refusing', code: 'DATABASE_FULL', last_seq: 1 });
    expect(troubles).toHaveLength(1);
    issue('d');
    await nextTurn();
    await journal.accept();
    expect(outcomes.at(-1)).toBe('d');
    expect(told).toEqual([1, 2]);
    expect(store.health().status).toBe('ok');
  });

  it('takes back only the gathered batch when the one under way was accepted before', async () => {
    const { journal, store, issue, outcomes } = open();
    issue('a');
    await nextTurn();
    issue('b');
    await journal.accept();
    await journal.refuse('DATABASE_FULL');
    expect(outcomes).toEqual(['a', 'b: DATABASE_FULL']);
    expect(store.state.tokens.size).toBe(1);
  });

  it('decides nothing while the state may be old', async () => {
    const { journal, issue, count, outcomes } = open();
    journal.isCurrent = false;
    issue('a');
    count();
    await nextTurn();
    expect(outcomes).toEqual(['a: NOT_LEADING', 'count: NOT_LEADING']);
    expect(journal.appended).toEqual([]);
  });

  it('writes the state without the events that are not durable yet', async () => {
    const { journal, store, issue, outcomes, written } = open();
    issue('a');
    await nextTurn();
    issue('b');
    const done = store.checkpoint();
    await nextTurn();
    expect(written).toEqual([]);
    const { head } = journal.appended[0] ?? {};
    await journal.accept();
    await done;
    expect(written).toEqual([{ seq: 1, head, tokens: 1 }]);
    expect(store.state.tokens.size).toBe(2);
    await journal.refuse('DATABASE_FULL');
    expect(store.state.tokens.size).toBe(1);
    issue('c');
    await nextTurn();
    await journal.accept();
    expect(outcomes).toEqual(['a', 'b: DATABASE_FULL', 'c']);
  });

  it('closes when everything is durable and written', async () => {
    const { journal, store, issue, outcomes, written } = open();
    issue('a');
    await nextTurn();
    issue('b');
    const closed = store.close();
    await nextTurn();
    await journal.accept();
    await journal.accept();
    await closed;
    expect(outcomes).toEqual(['a', 'b']);
    expect(written.map(({ seq }) => seq)).toEqual([2]);
  });

  it.each(['accept', 'refuse'] as const)(
    'is left with the durable events only, after the batch under way: %s',
    async (outcome) => {
      const { journal, store, issue, outcomes, written } = open();
      issue('a');
      await nextTurn();
      await journal.accept();
      issue('b');
      await nextTurn();
      issue('c');
      const checkpoint = store.checkpoint();
      const left = store.abandon();
      if (outcome === 'accept') await journal.accept();
      else await journal.refuse('DATABASE_FULL');
      const { state, seq, head } = await left;
      await checkpoint;
      expect(outcomes).toEqual(['a', 'c: CLOSED', outcome === 'accept' ? 'b' : 'b: DATABASE_FULL']);
      expect([state.tokens.size, seq, head]).toEqual([journal.lastSeq, journal.lastSeq, journal.head]);
      await nextTurn();
      expect(written).toEqual([]);
      issue('d');
      await nextTurn();
      expect(outcomes.at(-1)).toBe('d: CLOSED');
    },
  );
});
