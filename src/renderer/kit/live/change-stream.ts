import { useEffect, useEffectEvent } from 'react';
import { readEvents } from '../../../client/read-events.ts';
import { eventStreamPath } from '../../../contract/address.ts';

/** How long the first questions wait for it. */
const firstWordMs = 5_000;

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
 * 3. A stream that says nothing does not keep the window empty: some programs between, such as virus scanners, hold an answer back until
 *    it ends (Fyrd/caniuse#2148, elazarl/goproxy#475). It is lost then, until its first word, which is told.
 */
export class ChangeStream {
  readonly #connect: () => Source;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #begun = Promise.withResolvers();
  #hasBegun = false;
  #isLost = false;
  readonly #watchers = new Set<() => void>();
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
    if (this.#source === undefined) setTimeout(() => this.#goOnWithout(), firstWordMs);
    this.#source?.close();
    this.#source = this.#connect();
    // Before the listeners, from whom they keep the first word.
    for (const name of ['open', 'error'])
      this.#source.addEventListener(name, (event) => this.#hear(name, event));
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

  /** Whether it is not open, though it was to be: until it opens again, what the window shows may be old. */
  readonly isLost = (): boolean => this.#isLost;

  /** Calls back when `isLost` changes. Returns how to stop. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  #hear(name: string, word: Event): void {
    this.#setLost(name === 'error');
    if (this.#hasBegun) return;
    word.stopImmediatePropagation();
    this.#begin();
  }

  #goOnWithout(): void {
    if (this.#hasBegun) return;
    this.#setLost(true);
    this.#begin();
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#begun.resolve(undefined);
  }

  #setLost(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    for (const watcher of this.#watchers) watcher();
  }

  #attach(name: string): void {
    this.#source?.addEventListener(name, (event) => {
      for (const listener of this.#listeners.get(name) ?? []) listener(event);
    });
  }
}

export const changeStream = new ChangeStream(() => new PortalSource());

const firstRetryMs = 1000;

/**
 * The service's stream of changes as a browser's `EventSource` has it, which cannot send the page key.
 *
 * It opens itself again after a loss and says which event it saw last. After a refusal it does not: that would be the same
 * again, and what the window asks next tells why.
 */
class PortalSource {
  readonly #told = new EventTarget();
  readonly #closing = new AbortController();
  #lastId: string | undefined;
  #retryMs = firstRetryMs;

  constructor() {
    void this.#follow();
  }

  addEventListener(name: string, listener: (event: MessageEvent) => void): void {
    this.#told.addEventListener(name, (event) => listener(event as MessageEvent));
  }

  close(): void {
    this.#closing.abort();
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed()) {
      const isRefused = await this.#read();
      this.#tell(new MessageEvent('error'));
      if (isRefused) return;
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs));
    }
  }

  /** Reads until the stream is over; answers whether it was refused. */
  async #read(): Promise<boolean> {
    try {
      const { status, body } = await fetch(eventStreamPath, {
        headers: {
          accept: 'text/event-stream',
          ...(this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }),
        },
        cache: 'no-store',
        signal: this.#closing.signal,
      });
      // A service that is stopping or in trouble is asked again.
      if (status !== 200 || body === null) return status < 500;
      this.#tell(new MessageEvent('open'));
      const events = readEvents(body.getReader(), {
        onRetry: (ms) => (this.#retryMs = ms),
        onTooLong: () => {
          throw new Error('The stream of changes sent a message without an end.');
        },
      });
      for await (const { event = 'message', id, data } of events) {
        this.#lastId = id ?? this.#lastId;
        this.#tell(new MessageEvent(event, { data }));
      }
    } catch {
      // Nothing answered, the stream broke off, or it was closed.
    }
    return false;
  }

  #tell(event: MessageEvent): void {
    if (!this.#isClosed()) this.#told.dispatchEvent(event);
  }

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }
}

/** Hears the events of a name on the window's stream while the view is there. */
export function useStreamEvent(name: string, listener: (event: MessageEvent) => void): void {
  const hear = useEffectEvent(listener);
  useEffect(() => changeStream.on(name, (event) => hear(event)), [name]);
}
