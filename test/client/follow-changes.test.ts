import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Connection, createClient } from '../../src/client/create-client.ts';
import { followChanges, type StreamMessage, StreamRefused } from '../../src/client/follow-events.ts';
import { ServiceUnreachable, UnexpectedAnswer } from '../../src/client/read-refusal.ts';
import type { CalledService } from '../cli/rotavox.ts';
import { serviceHere, serviceHereOn } from '../cli/service-here.ts';
import { standIn } from './stand-in.ts';

async function connectionTo(service: CalledService): Promise<Connection> {
  return { baseUrl: service.baseUrl, authorization: `Bearer ${await service.portalKey()}` };
}

async function issue(service: CalledService): Promise<void> {
  const outcome = await createClient(await connectionTo(service)).call('issueToken', {
    body: { name: 'a', validity_days: 7 },
  });
  if (!outcome.ok) throw new Error(outcome.message);
}

/** A follower that a test reads step by step; ended with the test. */
function follow(connect: () => Connection | Promise<Connection>, lastSeq?: number) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const stream = followChanges(connect, { signal: controller.signal, lastSeq });
  return {
    stream,
    abort: () => controller.abort(),
    async next(): Promise<StreamMessage> {
      const { value, done } = await stream.next();
      if (done === true) throw new Error('the stream has ended');
      return value;
    },
  };
}

const change = (seq: number): string =>
  `event: change\nid: ${String(seq)}\ndata: ${JSON.stringify({
    seq,
    at: '2026-11-21T12:00:00.000Z',
    kind: 'token.issued',
    subject: 'fam_a',
  })}\n\n`;

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 100\n\n');
}

describe('following the changes of the service', () => {
  it('tells each change after the stream is open, and ends when it is aborted', async () => {
    const service = await serviceHere();
    await issue(service);
    const follower = follow(() => connectionTo(service));
    expect(await follower.next()).toEqual({ kind: 'open' });
    await issue(service);
    expect(await follower.next()).toMatchObject({
      kind: 'change',
      notice: { seq: 2, kind: 'token.issued', subject: expect.stringMatching(/^fam_/) as string },
    });
    follower.abort();
    expect(await follower.stream.next()).toEqual({ value: undefined, done: true });
  });

  it('is first told what came after the last event that it knows', async () => {
    const service = await serviceHere();
    for (let count = 0; count < 3; count += 1) await issue(service);
    const follower = follow(() => connectionTo(service), 1);
    await follower.next();
    expect(await follower.next()).toMatchObject({ notice: { seq: 2 } });
    expect(await follower.next()).toMatchObject({ notice: { seq: 3 } });
  });

  it('passes over the steps of rotations: they are for windows, and nobody comes back behind one', async () => {
    const asked: (string | undefined)[] = [];
    const step = `event: step\ndata: ${JSON.stringify({
      credential_id: 'cred_a',
      name: 'a',
      step: 'rotate',
      target_id: null,
      message: null,
      at: '2026-11-21T12:00:00.000Z',
    })}\n\n`;
    const { baseUrl } = await standIn((request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined);
      openStream(response);
      if (asked.length === 1) response.end(`${step}${change(7)}${step}${step}`);
      else response.write(`${step}${change(8)}`);
    });
    const follower = follow(() => ({ baseUrl }));
    const kinds: string[] = [];
    for (let seen = 0; seen < 5; seen += 1) kinds.push((await follower.next()).kind);
    expect(kinds).toEqual(['open', 'change', 'lost', 'open', 'change']);
    expect(asked).toEqual([undefined, '7']);
  });

  it('comes back after a restart with another key and port, and misses nothing', async () => {
    const service = await serviceHere();
    let current = service;
    const follower = follow(() => connectionTo(current));
    await follower.next();
    await issue(service);
    expect(await follower.next()).toMatchObject({ notice: { seq: 1 } });
    await service.stop();
    expect(await follower.next()).toMatchObject({ kind: 'lost' });
    current = await serviceHereOn(service.dataDir);
    await issue(current);
    let news = await follower.next();
    while (news.kind === 'lost') news = await follower.next();
    expect(news).toEqual({ kind: 'open' });
    expect(await follower.next()).toMatchObject({ notice: { seq: 2 } });
  });

  it('keeps a stream that is open and not read yet when memory is cleared', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    let send: (text: string) => void = () => undefined;
    const { baseUrl } = await standIn((_request, response) => {
      openStream(response);
      send = (text) => response.write(text);
    });
    const follower = follow(() => ({ baseUrl }));
    expect(await follower.next()).toEqual({ kind: 'open' });
    // Objects that wait for their end get it in a later turn.
    for (let turn = 0; turn < 5; turn += 1) {
      collectGarbage();
      await nextTurn();
    }
    send(change(1));
    expect(await follower.next()).toMatchObject({ kind: 'change', notice: { seq: 1 } });
  });

  it('lets go of its stream when the follower leaves its loop', async () => {
    let isClosed = false;
    const { baseUrl } = await standIn((_request, response) => {
      openStream(response);
      response.write(change(1));
      response.on('close', () => (isClosed = true));
    });
    const { stream } = follow(() => ({ baseUrl }));
    for await (const news of stream) if (news.kind === 'change') break;
    await expect.poll(() => isClosed).toBe(true);
  });

  it('throws StreamRefused when it may not follow', async () => {
    const service = await serviceHere();
    const follower = follow(() => ({ baseUrl: service.baseUrl, authorization: 'Bearer rvk_wrong' }));
    const next = follower.next();
    await expect(next).rejects.toBeInstanceOf(StreamRefused);
    await expect(next).rejects.toMatchObject({ refusal: { status: 401, code: 'not_signed_in' } });
  });
});

describe('a stream', () => {
  it('is read whatever its pieces are, and asked to go on where it broke off', async () => {
    const asked: (string | undefined)[] = [];
    const { baseUrl } = await standIn((request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined);
      openStream(response);
      const text = `: a comment\n\n${change(7)}event: news\ndata: of a later version\n\n${change(8)}`;
      response.write(text.slice(0, 40), () => response.end(text.slice(40) + change(9).slice(0, -1)));
    });
    const follower = follow(() => ({ baseUrl }), 6);
    const news = [];
    for (let count = 0; count < 5; count += 1) news.push(await follower.next());
    expect(news).toMatchObject([
      { kind: 'open' },
      { kind: 'change', notice: { seq: 7 } },
      { kind: 'change', notice: { seq: 8 } },
      { kind: 'lost', retryInMs: 100 },
      { kind: 'open' },
    ]);
    expect(asked).toEqual(['6', '8']); // the ninth was cut off: it has not been told
  });

  it('tells when too much was missed, and goes on from there', async () => {
    const asked: (string | undefined)[] = [];
    const { baseUrl } = await standIn((request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined);
      openStream(response);
      response.end('event: reset\nid: 5000\ndata: {}\n\n');
    });
    const follower = follow(() => ({ baseUrl }), 1);
    await follower.next();
    expect(await follower.next()).toEqual({ kind: 'reset', seq: 5000 });
    expect(await follower.next()).toMatchObject({ kind: 'lost' });
    await follower.next();
    expect(asked).toEqual(['1', '5000']);
  });

  it('is asked for again when the service is in trouble, whatever it says', async () => {
    const { baseUrl } = await standIn((_request, response) => response.writeHead(503).end('busy'));
    const news = await follow(() => ({ baseUrl })).next();
    expect(news).toMatchObject({ kind: 'lost' });
    expect(news.kind === 'lost' && news.cause).toBeInstanceOf(ServiceUnreachable);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['it is no stream', (response) => response.end('<h1>hello</h1>')],
    ['it says no in other words', (response) => response.writeHead(404).end('no')],
    [
      'a change is none',
      (response) => {
        openStream(response);
        response.write('event: change\nid: 1\ndata: {"seq":"one"}\n\n');
      },
    ],
    [
      'a change is not JSON',
      (response) => {
        openStream(response);
        response.write('event: change\nid: 1\ndata: {\n\n');
      },
    ],
    [
      'a message does not end',
      (response) => {
        openStream(response);
        response.write(`data: ${'x'.repeat(100_000)}`);
      },
    ],
  ])('throws UnexpectedAnswer when %s', async (_what, answer) => {
    const { baseUrl } = await standIn((_request, response) => answer(response));
    const { stream } = follow(() => ({ baseUrl }));
    const readAll = async (): Promise<void> => {
      for await (const news of stream) expect(news.kind).toBe('open');
    };
    await expect(readAll()).rejects.toBeInstanceOf(UnexpectedAnswer);
  });
});

describe('the time between two attempts', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('doubles up to half a minute while nothing answers, and counts failures to find the service too', async () => {
    vi.useFakeTimers();
    let attempts = 0;
    const follower = follow(() => {
      attempts += 1;
      if (attempts % 2 === 0) throw new Error('not there');
      return { baseUrl: '', fetch: () => Promise.reject(new TypeError('nothing listens')) };
    });
    const waits = [];
    for (let count = 0; count < 7; count += 1) {
      const next = follower.next();
      await vi.advanceTimersByTimeAsync(30_000);
      const news = await next;
      waits.push(news.kind === 'lost' ? news.retryInMs : news.kind);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(attempts).toBe(7);
  });

  it('ends at once when it is aborted', async () => {
    const follower = follow(() => ({
      baseUrl: '',
      fetch: () => Promise.reject(new TypeError('nothing listens')),
    }));
    await follower.next();
    const next = follower.stream.next();
    follower.abort();
    expect(await next).toEqual({ value: undefined, done: true });
  });
});
