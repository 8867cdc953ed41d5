import { eventStreamPath } from '../../../contract/address.ts';

type Listener = (event: MessageEvent) => void;

/**
 * The window's one connection to the service's stream of changes, however many views listen.
 *
 * One, because a browser gives an address six connections in all. The browser reopens it by itself, and tells the
 * service the last event that it saw.
 */
export class ChangeStream {
  readonly #listeners = new Map<string, Set<Listener>>();
  #source: EventSource | undefined;

  /** Opens it, or opens it anew: without waiting for the browser's own next attempt. */
  open(): void {
    this.#source?.close();
    this.#source = new EventSource(eventStreamPath);
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

  #attach(name: string): void {
    this.#source?.addEventListener(name, (event) => {
      for (const listener of this.#listeners.get(name) ?? []) listener(event);
    });
  }
}

export const changeStream = new ChangeStream();
