import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChangeStream } from '../../../src/renderer/kit/live/change-stream.ts';

/** A connection that says what a test has it say, until it is closed. */
class ToldSource {
  readonly #listened = new EventTarget();
  #isClosed = false;

  addEventListener(name: string, listener: (event: MessageEvent) => void): void {
    this.#listened.addEventListener(name, (event) => listener(event as MessageEvent));
  }

  close(): void {
    this.#isClosed = true;
  }

  say(name: string): void {
    if (!this.#isClosed) this.#listened.dispatchEvent(new MessageEvent(name));
  }
}

describe("the stream's connection", () => {
  let sources: ToldSource[];
  let stream: ChangeStream;
  let heard: string[];

  /** Says it on every connection there ever was: one that is closed is not heard. */
  const say = (name: string): void => {
    for (const source of sources) source.say(name);
  };
  const hear = (name: string): (() => void) => stream.on(name, ({ type }) => void heard.push(type));

  beforeEach(() => {
    sources = [];
    heard = [];
    stream = new ChangeStream(() => {
      const source = new ToldSource();
      sources.push(source);
      return source;
    });
    for (const name of ['open', 'error']) hear(name);
  });

  for (const word of ['open', 'error'])
    it(`lets the first questions be asked with its first ${word}, which is not reported`, async () => {
      const order: string[] = [];
      const asked = stream.begun.then(() => order.push('asked'));
      stream.open();
      await Promise.resolve();
      order.push(word);
      say(word);
      await asked;
      expect(order).toEqual([word, 'asked']);
      expect(heard).toEqual([]);
    });

  it('lets the first questions be asked while it says nothing, and tells that it opens after all', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const seen: boolean[] = [];
    stream.watch(() => seen.push(stream.isLost()));
    stream.open();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await stream.begun;
    expect(seen).toEqual([true]);
    say('open');
    expect(seen).toEqual([true, false]);
    expect(heard, 'what was asked meanwhile may be old').toEqual(['open']);
  });

  it('is lost from an error until it is open, and tells each change of that once', () => {
    const seen: boolean[] = [];
    stream.watch(() => seen.push(stream.isLost()));
    stream.open();
    for (const word of ['open', 'error', 'error', 'open', 'error']) say(word);
    expect(seen).toEqual([true, false, true]);
  });

  it('tells that it is open after it was not: what was asked meanwhile may be old', () => {
    stream.open();
    for (const word of ['error', 'error', 'open']) say(word);
    expect(heard).toEqual(['error', 'open']);
  });

  it('tells that it is open again, after a loss and when it was opened anew', () => {
    stream.open();
    for (const word of ['open', 'error', 'open']) say(word);
    stream.open();
    say('open');
    expect(heard).toEqual(['error', 'open', 'open']);
  });

  it('begins with the second connection when the first was given up before it said anything', async () => {
    stream.open();
    stream.open();
    say('open');
    await stream.begun;
    say('open');
    expect(heard).toEqual(['open']);
  });

  it('tells every change from the beginning, whoever began to listen when', () => {
    hear('change');
    stream.open();
    say('open');
    say('change');
    const stop = hear('step');
    say('step');
    stop();
    say('step');
    expect(heard).toEqual(['change', 'step']);
  });
});
