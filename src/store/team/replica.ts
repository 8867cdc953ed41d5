import { applyEvent } from '../../core/apply-event.ts';
import type { State } from '../../core/state.ts';
import { checkLine, decodeLine, type JournaledEvent } from '../journal-line.ts';
import { damaged, StoreError } from '../store-error.ts';
import type { StoredLine } from './team-database.ts';

/** An event of the journal by its number and the hash of its line. */
export interface JournalHead {
  readonly seq: number;
  readonly head: string;
}

/** The state in memory of a host, and the event up to which it has replayed the journal. It outlives the terms of the host. */
export class Replica {
  readonly state: State;
  readonly #place: string;
  #last: JournalHead;

  /** `last`: the last event that `state` contains. `place`: the journal's, for messages. */
  constructor(state: State, last: JournalHead, place: string) {
    this.state = state;
    this.#last = last;
    this.#place = place;
  }

  get last(): JournalHead {
    return this.#last;
  }

  /** Called when a term is over, with the last durable event: `state` was changed and rolled back to it by the store. */
  continueFrom(last: JournalHead): void {
    this.#last = last;
  }

  /** Checks lines that follow each other and applies them. Throws `StoreError` at the first that does not fit, which changes nothing. */
  replay(lines: readonly StoredLine[]): void {
    for (const { seq, line } of lines) this.#replayLine(seq, line);
  }

  #replayLine(seq: number, line: string): void {
    const expected = this.#last.seq + 1;
    if (seq !== expected) throw this.#damaged({ kind: 'event_missing', seq: expected, found_seq: seq });
    const checked = checkLine(Buffer.from(line), this.#last.head);
    if (!checked.ok) throw this.#damaged(checked.damage);
    const event: JournaledEvent = decodeLine(line);
    if (event.seq !== seq) throw this.#damaged({ kind: 'event_missing', seq, found_seq: event.seq });
    try {
      applyEvent(this.state, event);
    } catch (cause) {
      this.state.undo.rollBack();
      throw new StoreError(this.#damaged({ kind: 'not_an_event' }).problem, { cause });
    }
    this.state.undo.forget();
    this.#last = { seq, head: checked.head };
  }

  #damaged(damage: Parameters<typeof damaged>[2]): StoreError {
    return damaged(this.#place, this.#last.seq + 1, damage);
  }
}
