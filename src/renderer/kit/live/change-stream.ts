import { PortalSource } from './portal-source.ts';

type Listener = (event: MessageEvent) => void;

/** A connection to the stream: what of an `EventSource` is used. */
interface Source {
  addEventListener(name: string, listener: Listener): void;
  close(): void;
}

/**
 * The window's one connection to the service's stream of changes, however many views listen.
 *
 * One, because a browser gives an address six connections in all. It opens itself again, and tells the service the
 * last event that it saw.
 *
 * Invariants:
 * 1. What is asked after `begun` misses no change: the stream is open and tells it, or it is not, and opening it is told.
 * 2. Its first word, `open` or `error`, is told by `begun` only: nobody has asked for anything yet that might be old.
 */
export class ChangeStream {
  readonly #connect: () => Source;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #begun = Promise.withResolvers();
  #hasBegun = false;
  #source: Source | undefined;

  constructor(connect: () => Source) {
    this.#connect = connect;
  }

  /** Resolved once the stream has been opened for the first time, or could not be. */
  get begun(): Promise<unknown> {
    return this.#begun.promise;
  }

  /** Opens it, or opens it anew: without waiting for its own next attempt. */
  open(): void {
    this.#source?.close();
    this.#source = this.#connect();
    // Before the listeners, from whom they keep the first word.
    for (const name of ['open', 'error']) this.#source.addEventListener(name, (event) => this.#hear(event));
    for (const name of this.#listeners.keys()) this.#attach(name);
  }

  /** Hears the events of a name; `open` and `error` are the connection's own. Returns how to stop. */
  on(name: string, listener: Listener): () => void {
    const known = this.#listeners.get(name);
    const listeners = known ?? new Set();
    listeners.add(listener);
    if (known === undefined) {
      this.#listeners.set(name, listeners);
      this.#attach(name);
    }
    return () => listeners.delete(listener);
  }

  #hear(word: Event): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    word.stopImmediatePropagation();
    this.#begun.resolve(undefined);
  }

  #attach(name: string): void {
    this.#source?.addEventListener(name, (event) => {
      for (const listener of this.#listeners.get(name) ?? []) listener(event);
    });
  }
}

export const changeStream = new ChangeStream(() => new PortalSource());
