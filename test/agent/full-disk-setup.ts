import { ManualTimer } from '../fakes/manual-timer.ts';
import { noon } from '../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop/loop-setup.ts';
import type { EventKind } from '../../src/contract/history/audit-event.ts';
import { type Decision, type Ledger, StoreUnavailable } from '../../src/core/ledger.ts';
import type { State } from '../../src/core/state.ts';
import type { Store } from '../../src/store/store.ts';

/** A setup in which the agent's disk can be full while the service's is not. */
export async function setUpFullDisk(): Promise<{ setup: LoopSetup; ledger: RefusingLedger }> {
  const time = new ManualTimer(noon);
  const made: RefusingLedger[] = [];
  const setup = await setUpLoop({
    time,
    ledgerFor(store) {
      const ledger = new RefusingLedger(store, time.clock);
      made.push(ledger);
      return ledger;
    },
  });
  const [ledger] = made;
  if (ledger === undefined) throw new Error('The setup made no ledger');
  return { setup, ledger };
}

/** A store whose disk is full for some kinds of events, or for all: their decisions are refused and change nothing. */
export class RefusingLedger implements Ledger {
  refuses: 'nothing' | 'everything' | EventKind = 'nothing';
  refusal: Error = new StoreUnavailable({ code: 'ENOSPC', path: '/data' });
  /** How many decisions it has refused. */
  refused = 0;
  readonly #store: Store;
  readonly #clock: () => number;

  constructor(store: Store, clock: () => number) {
    this.#store = store;
    this.#clock = clock;
  }

  get state(): State {
    return this.#store.state;
  }

  transact<T>(decide: (state: State, nowMs: number) => Decision<T>): Promise<T> {
    if (this.refuses === 'nothing') return this.#store.transact(decide);
    const { events } = decide(this.#store.state, this.#clock());
    const isRefused = events.some(({ kind }) => this.refuses === 'everything' || this.refuses === kind);
    if (!isRefused) return this.#store.transact(decide);
    this.refused += 1;
    return Promise.reject(this.refusal);
  }

  assertCurrent(): void {
    this.#store.assertCurrent();
  }

  history(...[filter]: Parameters<Ledger['history']>): ReturnType<Ledger['history']> {
    return this.#store.history(filter);
  }

  findEvents(...[search]: Parameters<Ledger['findEvents']>): ReturnType<Ledger['findEvents']> {
    return this.#store.findEvents(search);
  }

  verify(): ReturnType<Ledger['verify']> {
    return this.#store.verify();
  }

  health(): ReturnType<Ledger['health']> {
    return this.#store.health();
  }

  look(): ReturnType<Ledger['look']> {
    return this.#store.look();
  }

  onHealth(...[listener]: Parameters<Ledger['onHealth']>): () => void {
    return this.#store.onHealth(listener);
  }

  subscribe(...[listener]: Parameters<Ledger['subscribe']>): () => void {
    return this.#store.subscribe(listener);
  }
}
