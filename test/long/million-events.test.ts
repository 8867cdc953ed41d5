/**
 * Both journals with 1,000,000 events: they are opened, searched and checked, and stay in bounds that a person waits for.
 *
 * The times are printed; the suite's own time limit bounds them.
 */
import { expect, it, onTestFinished } from 'vitest';
import { seqsOf } from '../../src/core/history/seq-runs.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { issued, moved, noon } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { openDatabase, openLeadingStore } from '../team/team-database.ts';
import { startPostgres } from '../tools/postgres.ts';

const events = 1_000_000;
const families = 1_000;
/** Nothing renews the lease of a store that is opened without a host, and all of this happens within one. */
const leaseMs = 3_600_000;
/** Requests of one turn share a batch. */
const together = 500;

const places = {
  files: () => {
    const folder = makeFolder();
    return Promise.resolve(async () => (await openStore({ folder, clock: () => noon })).store);
  },
  PostgreSQL: async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.close());
    const database = await openDatabase(
      postgres.url({ role: 'rotavox', database: await postgres.database() }),
    );
    return async () => (await openLeadingStore(database, { leaseMs })).store;
  },
};

/** Each family is issued, then suspended and resumed by turns. */
async function fill(store: Store): Promise<void> {
  for (let done = 0; done < events; done += together) {
    const batch = Array.from({ length: together }, (_, place) => done + place).map((at) => {
      const [family, round] = [`f${at % families}`, Math.floor(at / families)];
      if (round === 0) return issued(family);
      return moved(round % 2 === 1 ? 'token.suspended' : 'token.resumed', family);
    });
    await Promise.all(batch.map((event) => store.transact(() => ({ events: [event], value: null }))));
  }
}

it.each(['files', 'PostgreSQL'] as const)('a million events in %s', async (place) => {
  const open = await places[place]();
  const took: Record<string, number> = {};
  const timed = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    const fromMs = performance.now();
    const result = await act();
    took[what] = Math.round(performance.now() - fromMs);
    return result;
  };
  const store = await open();
  await timed('write', () => fill(store));
  await timed('checkpoint', () => store.checkpoint());
  await store.close();

  const again = await timed('open', open);
  expect(again.health()).toEqual({ status: 'ok', last_seq: events });
  expect(again.state.tokens.size).toBe(families);
  const one = await timed('subject', () => again.history({ subject: 'fam_f7', limit: 100 }));
  expect(one.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 100 }, (_, round) => events - families * (round + 1) + 8),
  );
  const kinds = await timed('everything', () => again.findEvents({ kinds: ['token.issued'] }));
  expect([...seqsOf(kinds)]).toHaveLength(families);
  expect(await timed('verify', () => again.verify())).toMatchObject({
    status: 'intact',
    verified_to: events,
  });
  await again.close();
  console.log(`${place}, ms: ${JSON.stringify(took)}`);
});
