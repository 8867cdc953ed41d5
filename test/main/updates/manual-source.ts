import type { UpdateSource } from '../../../src/main/updates/update-state.ts';

/** A source whose every step is ended by the test. */
export class ManualSource implements UpdateSource {
  readonly feed: string;
  readonly calls: string[] = [];
  isClosed = false;
  onPercent: (percent: number) => void = () => undefined;
  #step = Promise.withResolvers<string | null>();

  constructor(feed: string) {
    this.feed = feed;
  }

  /** Ends the current step, and lets what waits for it continue. */
  async end(version: string | null = null): Promise<void> {
    this.#step.resolve(version);
    await settle();
  }

  async fail(error: unknown): Promise<void> {
    this.#step.reject(error);
    await settle();
  }

  check(): Promise<string | null> {
    return this.#begin('check');
  }

  async download(onPercent: (percent: number) => void): Promise<void> {
    this.onPercent = onPercent;
    await this.#begin('download');
  }

  async installAndRestart(beforeEnd: () => Promise<void>): Promise<void> {
    await this.#begin('place');
    await beforeEnd();
    this.calls.push('restart');
  }

  async install(): Promise<void> {
    await this.#begin('install');
  }

  close(): void {
    this.isClosed = true;
  }

  #begin(call: string): Promise<string | null> {
    this.calls.push(call);
    this.#step = Promise.withResolvers();
    return this.#step.promise;
  }
}

/** A turn of the event loop: every promise that can continue has continued. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
