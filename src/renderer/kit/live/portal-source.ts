import { readEvents } from '../../../client/read-events.ts';
import { eventStreamPath } from '../../../contract/address.ts';

const firstRetryMs = 1000;

/**
 * The service's stream of changes as a browser's `EventSource` has it, which cannot send the page key.
 *
 * It opens itself again after a loss and says which event it saw last. After a refusal it does not: that would be the same
 * again, and what the window asks next tells why.
 */
export class PortalSource {
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
      const events = readEvents(body, {
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
