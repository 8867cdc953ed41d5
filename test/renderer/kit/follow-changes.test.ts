import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChangeStream } from '../../../src/renderer/kit/live/change-stream.ts';
import { followChanges } from '../../../src/renderer/kit/live/follow-changes.ts';
import { readStale } from '../../../src/renderer/kit/live/window-cache.ts';

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

  describe('of what can be read in parts', () => {
    type Reading = 'all' | readonly string[];

    /** A list that is shown; each reading of it, or of parts of it, is answered by hand. */
    function showParts() {
      const readings: Reading[] = [];
      const answers: ((how: 'ok' | 'failed') => void)[] = [];
      const answered = (reading: Reading) => {
        readings.push(reading);
        return new Promise<'ok' | 'failed'>((resolve) => answers.push(resolve));
      };
      const failure = { kind: 'refused', reason: 'no' } as const;
      const resource = {
        key: ['list'],
        async read() {
          return (await answered('all')) === 'ok' ? { kind: 'ok' as const, value: ['all'] } : failure;
        },
        readPart: (_known: string[], subjects: ReadonlySet<string>) =>
          answered([...subjects]).then((how) =>
            how === 'ok'
              ? { kind: 'ok' as const, value: (known: string[]) => [...known, ...subjects] }
              : failure,
          ),
      };
      const observer = new QueryObserver(cache, {
        queryKey: resource.key,
        meta: { about: ['credential.'] },
        staleTime: Infinity,
        retry: false,
        queryFn: async ({ signal }) => {
          const reply = await readStale<string[]>(cache, resource, signal);
          if (reply.kind !== 'ok') throw new Error(reply.kind);
          return { value: reply.value };
        },
      });
      observer.subscribe(() => undefined);
      return {
        readings,
        known: () => cache.getQueryData<{ value: string[] }>(resource.key)?.value,
        async answer(how: 'ok' | 'failed' = 'ok'): Promise<void> {
          answers.shift()?.(how);
          await vi.advanceTimersByTimeAsync(0);
        },
      };
    }
    const change = (subject: string, kind = 'credential.rotated') => stream.tell('change', { kind, subject });

    it('only what changed, into what is known by then', async () => {
      const list = showParts();
      await list.answer();
      change('one');
      cache.setQueryData(['list'], { value: ['ours'] }); // the answer to a change of our own
      await list.answer();
      expect(list.readings).toEqual(['all', ['one']]);
      expect(list.known()).toEqual(['ours', 'one']);
    });

    it('together what changed close together, and nothing for what it is not about', async () => {
      const list = showParts();
      await list.answer();
      change('one');
      await list.answer();
      for (const subject of ['two', 'three', 'two']) change(subject);
      change('elsewhere', 'ivr.updated');
      await vi.advanceTimersByTimeAsync(200);
      await list.answer();
      expect(list.readings).toEqual(['all', ['one'], ['two', 'three']]);
    });

    it('what changed while it was being read, after that', async () => {
      const list = showParts();
      change('one');
      await vi.advanceTimersByTimeAsync(200);
      await list.answer();
      await list.answer();
      expect(list.readings).toEqual(['all', ['one']]);
    });

    it('all of it after a reading that failed, after a gap, and after very many changes', async () => {
      const list = showParts();
      await list.answer();
      change('one');
      await list.answer('failed');
      await vi.advanceTimersByTimeAsync(200);
      change('two');
      await list.answer();
      stream.tell('reset');
      await list.answer();
      await vi.advanceTimersByTimeAsync(200);
      for (let count = 0; count < 200; count += 1) change(`one of many ${count}`, 'credential.added');
      await list.answer(); // the first at once
      await vi.advanceTimersByTimeAsync(200);
      await list.answer();
      expect(list.readings).toEqual(['all', ['one'], 'all', 'all', ['one of many 0'], 'all']);
    });

    it('all of it when somebody asks for it', async () => {
      const list = showParts();
      await list.answer();
      void cache.refetchQueries({ queryKey: ['list'], exact: true });
      expect(list.readings).toEqual(['all', 'all']);
    });
  });
});
