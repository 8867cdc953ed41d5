import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChangeStream } from '../../../src/renderer/kit/live/change-stream.ts';
import { followChanges } from '../../../src/renderer/kit/live/follow-changes.ts';

/** A stream that tells what a test has it tell. */
class ToldStream implements Pick<ChangeStream, 'on' | 'open'> {
  readonly #listeners = new Map<string, (event: MessageEvent) => void>();

  open(): void {
    this.tell('open');
  }

  on(name: string, listener: (event: MessageEvent) => void): () => void {
    this.#listeners.set(name, listener);
    return () => this.#listeners.delete(name);
  }

  tell(name: string, data: object = {}): void {
    this.#listeners.get(name)?.(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
}

/** A thing that is shown, each reading of which is answered by hand. */
function show(cache: QueryClient, name: string, about: readonly string[]) {
  const answers: (() => void)[] = [];
  let readings = 0;
  const observer = new QueryObserver(cache, {
    queryKey: [name],
    meta: { about },
    staleTime: Infinity,
    retry: false,
    queryFn: () => {
      readings += 1;
      const reading = readings;
      return new Promise<number>((resolve) => answers.push(() => resolve(reading)));
    },
  });
  const stop = observer.subscribe(() => undefined);
  return {
    stop,
    readings: () => readings,
    /** Answers the reading that is under way. */
    async answer(): Promise<void> {
      answers.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

describe('what a change has read again', () => {
  let cache: QueryClient;
  let stream: ToldStream;

  beforeEach(() => {
    vi.useFakeTimers();
    cache = new QueryClient();
    stream = new ToldStream();
    followChanges(cache, stream as unknown as ChangeStream);
  });
  afterEach(() => {
    cache.clear();
    vi.useRealTimers();
  });

  it('only what is about it', async () => {
    const tokens = show(cache, 'tokens', ['token.']);
    const menus = show(cache, 'menus', ['ivr.']);
    const all = show(cache, 'all', []);
    for (const one of [tokens, menus, all]) await one.answer();
    stream.tell('change', { kind: 'token.issued' });
    expect([tokens.readings(), menus.readings(), all.readings()]).toEqual([2, 1, 2]);
  });

  it('the first at once, those right after it together', async () => {
    const tokens = show(cache, 'tokens', ['token.']);
    await tokens.answer();
    stream.tell('change', { kind: 'token.issued' });
    await tokens.answer();
    for (let count = 0; count < 50; count += 1) stream.tell('change', { kind: 'token.rotated' });
    expect(tokens.readings()).toBe(2);
    await vi.advanceTimersByTimeAsync(1000);
    await tokens.answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(tokens.readings()).toBe(3);
  });

  it('once more what changed while it was being read, however often', async () => {
    const tokens = show(cache, 'tokens', ['token.']);
    for (let count = 0; count < 5; count += 1) {
      stream.tell('change', { kind: 'token.rotated' });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(tokens.readings()).toBe(1);
    await tokens.answer();
    expect(tokens.readings()).toBe(2);
    await tokens.answer();
    await vi.advanceTimersByTimeAsync(1000);
    expect(tokens.readings()).toBe(2);
  });

  for (const news of ['open', 'reset', 'error'])
    it(`everything after the stream's ${news}`, async () => {
      const tokens = show(cache, 'tokens', ['token.']);
      await tokens.answer();
      stream.tell(news);
      expect(tokens.readings()).toBe(2);
    });

  it('what nobody shows only when somebody does again', async () => {
    const tokens = show(cache, 'tokens', ['token.']);
    await tokens.answer();
    tokens.stop();
    stream.tell('change', { kind: 'token.issued' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(tokens.readings()).toBe(1);
    expect(cache.getQueryState(['tokens'])?.isInvalidated).toBe(true);
  });
});
