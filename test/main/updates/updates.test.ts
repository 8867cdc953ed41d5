import { beforeEach, describe, expect, it } from 'vitest';
import type { UpdateState } from '../../../src/contract/service/update.ts';
import { UpdateError, type UpdateSource } from '../../../src/main/updates/update-state.ts';
import { type UpdateMeans, Updates } from '../../../src/main/updates/run-updates.ts';
import { ManualTimer } from '../../fakes/manual-timer.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const feedUrl = 'https://updates.example.com';

describe('updates', () => {
  let time: ManualTimer;
  let feed: string | null;
  let sources: ManualSource[];
  let seen: UpdateState[];
  let log: string[];
  let closeHost: () => Promise<void>;
  let means: () => UpdateMeans;
  beforeEach(() => {
    time = new ManualTimer(Date.parse('2026-01-01T12:00:00Z'));
    feed = feedUrl;
    sources = [];
    seen = [];
    log = [];
    closeHost = async () => void log.push('host closed');
    means = () => ({
      kind: 'source',
      open: (address) => {
        const source = new ManualSource(address);
        sources.push(source);
        return source;
      },
    });
  });

  function start(): Updates {
    return new Updates({
      feed: () => feed,
      means: () => means(),
      clock: time.clock,
      startTimer: (ms, act) => time.start(ms, act),
      beforeInstall: () => closeHost(),
      onChange: (state) => seen.push(state),
    });
  }

  async function startReady(): Promise<Updates> {
    const updates = start();
    void updates.check();
    await sources[0]!.end('2.0.0');
    void updates.download();
    await sources[0]!.end();
    expect(updates.state).toEqual({ kind: 'ready', version: '2.0.0' });
    return updates;
  }

  it('have no source, no timer and nothing to do without a feed', async () => {
    feed = null;
    means = () => {
      throw new Error('asked how this copy is replaced, for no feed');
    };
    const updates = start();
    expect(updates.state).toEqual({ kind: 'off' });
    await updates.check();
    await updates.download();
    await updates.install();
    updates.wake();
    await time.advance(2 * dayMs);
    expect({ sources, seen, timers: time.waiting }).toEqual({ sources: [], seen: [], timers: 0 });
  });

  it('report why they are not available, and send no request', async () => {
    means = () => ({ kind: 'obstacle', why: { code: 'checkout' } });
    const updates = start();
    expect(updates.state).toEqual({ kind: 'cannot', why: { code: 'checkout' } });
    await updates.check();
    expect({ seen, timers: time.waiting }).toEqual({ seen: [], timers: 0 });
  });

  it('are found, downloaded and installed, each at a click', async () => {
    const updates = start();
    void updates.check();
    const [source] = sources;
    expect(source!.feed).toBe(feedUrl);
    await source!.end('2.0.0');
    expect(source!.calls).toEqual(['check']);
    void updates.download();
    source!.onPercent(0);
    source!.onPercent(50);
    source!.onPercent(50);
    await source!.end();
    void updates.install();
    await source!.end();
    expect(seen).toEqual([
      { kind: 'checking', asked: true },
      { kind: 'available', version: '2.0.0', asked: true },
      { kind: 'downloading', version: '2.0.0', percent: null },
      { kind: 'downloading', version: '2.0.0', percent: 0 },
      { kind: 'downloading', version: '2.0.0', percent: 50 },
      { kind: 'ready', version: '2.0.0' },
      { kind: 'installing', version: '2.0.0' },
    ]);
    expect(source!.calls).toEqual(['check', 'download', 'place', 'restart']);
  });

  it('close the host before the program ends, and not before the new version is in its place', async () => {
    const updates = await startReady();
    const closed = Promise.withResolvers<undefined>();
    closeHost = async () => {
      log.push('host is closing');
      await closed.promise;
    };
    const installing = updates.install();
    expect(log).toEqual([]);
    await sources[0]!.end();
    expect(log).toEqual(['host is closing']);
    expect(sources[0]!.calls).not.toContain('restart');
    closed.resolve(undefined);
    await installing;
    expect(sources[0]!.calls.at(-1)).toBe('restart');
  });

  it('leave the host alone when the new version cannot be put in its place', async () => {
    const updates = await startReady();
    void updates.install();
    await sources[0]!.fail(new UpdateError({ code: 'disk_full' }));
    expect(log).toEqual([]);
    expect(updates.state).toEqual({
      kind: 'failed',
      step: 'install',
      problem: { code: 'disk_full' },
      asked: true,
    });
  });

  it('do not end the program when the host could not be closed', async () => {
    const updates = await startReady();
    closeHost = () => Promise.reject(new Error('the disk is full'));
    void updates.install();
    await sources[0]!.end();
    expect(sources[0]!.calls).not.toContain('restart');
    expect(updates.state).toMatchObject({ kind: 'failed', step: 'install' });
  });

  it('are the state after any failure, and the next check has a new source', async () => {
    const updates = start();
    const failing = updates.check();
    await sources[0]!.fail(new TypeError('x is not a function\n    at somewhere'));
    await failing;
    expect(sources[0]!.isClosed).toBe(true);
    const { problem } = updates.state as Extract<UpdateState, { kind: 'failed' }>;
    expect(problem).toEqual({ code: 'unexpected', detail: 'x is not a function' });

    void updates.check();
    expect(sources).toHaveLength(2);
    await sources[1]!.end();
    expect(updates.state).toMatchObject({ kind: 'current', checkedAt: '2026-01-01T12:00:00.000Z' });
  });

  it('make one request of two clicks', async () => {
    const updates = start();
    void updates.check();
    void updates.check();
    await sources[0]!.end('2.0.0');
    void updates.download();
    void updates.download();
    await sources[0]!.end();
    void updates.install();
    void updates.install();
    await sources[0]!.end();
    expect(sources[0]!.calls).toEqual(['check', 'download', 'place', 'restart']);
  });

  it('are checked daily, without a request to the person', async () => {
    const updates = start();
    await time.advance(5 * minuteMs);
    await sources[0]!.end();
    expect(updates.state).toMatchObject({ kind: 'current', asked: false });
    await time.advance(dayMs);
    await sources[0]!.fail(new UpdateError({ code: 'disk_full' }));
    expect(updates.state).toMatchObject({ kind: 'failed', asked: false });
    await time.advance(60 * minuteMs);
    await sources[1]!.end('2.0.0');
    expect(updates.state).toMatchObject({ kind: 'available', asked: false });
    await time.advance(3 * dayMs);
    expect(updates.state.kind).toBe('available');
    expect(sources[1]!.calls).toEqual(['check']);
  });

  it('show the outcome of a daily check that a person meanwhile asked for', async () => {
    const updates = start();
    await time.advance(5 * minuteMs);
    void updates.check();
    await sources[0]!.end();
    expect(sources[0]!.calls).toEqual(['check']);
    expect(updates.state).toMatchObject({ kind: 'current', asked: true });
  });

  it('forget a feed that was changed, with its later results', async () => {
    const updates = start();
    void updates.check();
    feed = 'https://other.example.com';
    updates.feedChanged();
    expect(sources[0]!.isClosed).toBe(true);
    await sources[0]!.end('6.6.6');
    expect(updates.state).toEqual({ kind: 'idle' });
    void updates.check();
    expect(sources[1]!.feed).toBe('https://other.example.com');
  });

  it('stop in the middle of a download when the feed is turned off', async () => {
    const updates = start();
    void updates.check();
    await sources[0]!.end('2.0.0');
    void updates.download();
    feed = null;
    updates.feedChanged();
    sources[0]!.onPercent(99);
    await sources[0]!.end();
    expect(updates.state).toEqual({ kind: 'off' });
    expect({ isClosed: sources[0]!.isClosed, timers: time.waiting }).toEqual({ isClosed: true, timers: 0 });
    await updates.close({ install: true });
    expect(sources[0]!.calls).not.toContain('install');
  });

  it('take no notice when a setting changes but not the feed', async () => {
    const updates = await startReady();
    const before = seen.length;
    updates.feedChanged();
    expect({ kind: updates.state.kind, isClosed: sources[0]!.isClosed }).toEqual({
      kind: 'ready',
      isClosed: false,
    });
    expect(seen).toHaveLength(before);
  });

  it('check the feed again after an installation that failed', async () => {
    const updates = await startReady();
    void updates.install();
    feed = null;
    updates.feedChanged();
    expect(updates.state.kind).toBe('installing');
    await sources[0]!.fail(new UpdateError({ code: 'disk_full' }));
    expect(updates.state).toEqual({ kind: 'off' });
  });

  it('install what is ready at a clean quit, and nothing at any other', async () => {
    const first = await startReady();
    await first.close();
    expect(sources[0]!.calls).not.toContain('install');

    sources = [];
    const second = await startReady();
    const closing = second.close({ install: true });
    expect({ calls: sources[0]!.calls.at(-1), isClosed: sources[0]!.isClosed }).toEqual({
      calls: 'install',
      isClosed: false,
    });
    await sources[0]!.end();
    await closing;
    expect(sources[0]!.isClosed).toBe(true);
    expect(time.waiting).toBe(0);
  });

  it('do not keep a quit from ending', async () => {
    const updates = await startReady();
    const closing = updates.close({ install: true });
    await sources[0]!.fail(new UpdateError({ code: 'disk_full' }));
    await closing;
    expect(updates.state).toMatchObject({ kind: 'failed', step: 'install' });
    expect(time.waiting).toBe(0);
  });

  it('send no request after they are closed', async () => {
    const updates = start();
    await updates.close();
    await updates.check();
    await time.advance(2 * dayMs);
    expect(sources).toEqual([]);
  });
});

/** A source whose every step is ended by the test. */
class ManualSource implements UpdateSource {
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
