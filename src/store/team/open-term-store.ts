import { Low } from 'lowdb';
import { performance } from 'node:perf_hooks';
import type { Checkpoint } from '../checkpoint-file.ts';
import type { JournalBatch } from '../journal.ts';
import { defaultCheckpointPolicy, Store, type StoreParts } from '../store.ts';
import { CheckpointTable } from './checkpoint-table.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { PostgresJournal } from './postgres-journal.ts';
import type { Replica } from './replica.ts';
import type { Term } from './term.ts';

export interface TermStoreParts extends Omit<StoreParts, 'policy'> {
  readonly database: PostgresDatabase;
  readonly term: Term;
  /** Its state becomes the store's, until that is abandoned. */
  readonly replica: Replica;
  /** The last event in the newest checkpoint that this host knows. */
  readonly checkpointSeq: number;
  /** A batch of so many events became durable, in milliseconds. */
  readonly onAppend: (ms: number, events: number) => void;
}

/** The store of a host that leads, for one term. */
export function openTermStore(parts: TermStoreParts): Store {
  const { database, term, replica, checkpointSeq, onAppend } = parts;
  const journal = new PostgresJournal(database, {
    get epoch() {
      return term.epoch;
    },
    get last() {
      return term.last;
    },
    isCurrent: () => term.isCurrent(),
    async append(batch: JournalBatch) {
      const begunAt = performance.now();
      await term.append(batch);
      onAppend(performance.now() - begunAt, batch.events.length);
    },
  });
  const { head } = term.last;
  const data: Checkpoint = { seq: checkpointSeq, head, segments: [], state: replica.state };
  const db = new Low<Checkpoint>(new CheckpointTable(database, () => term.epoch), data);
  const { clock, onTrouble } = parts;
  return new Store({ journal, db, head }, { clock, onTrouble, policy: defaultCheckpointPolicy });
}
