import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OpenService } from '../open-service.ts';

/** Reads the stream over a real socket. `next` resolves with the next event. */
async function openStream(baseUrl: string, key: string, headers: Record<string, string> = {}) {
  const ending = new AbortController();
  onTestFinished(() => {
    ending.abort();
  });
  const response = await fetch(`${baseUrl}/portal/events`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: ending.signal,
  });
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    /** Reads on until so many events have arrived in all. */
    async take(
      count: number,
    ): Promise<{ id: string | undefined; event: string | undefined; kind: unknown }[]> {
      while (arrived.length < count) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) break;
        parser.feed(piece.value);
      }
      return arrived.map(({ id, event, data }) => ({
        id,
        event,
        kind: (JSON.parse(data) as { kind?: unknown }).kind,
      }));
    },
  };
}

async function listening() {
  const service = await OpenService.start();
  const baseUrl = await service.app.listen({ host: '127.0.0.1', port: 0 });
  return { service, baseUrl, key: service.service.sessions.portalKey };
}

describe('the stream of changes', () => {
  it('tells of every change once it is durable, without a value or a digest', async () => {
    const { service, baseUrl, key } = await listening();
    const stream = await openStream(baseUrl, key);
    expect([stream.status, stream.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const { value } = await service.issue();
    await service.rotate(value);
    expect(await stream.take(2)).toEqual([
      { id: '1', event: 'change', kind: 'token.issued' },
      { id: '2', event: 'change', kind: 'token.rotated' },
    ]);
  });

  it('tells a reader that comes back what it missed, and then what is new', async () => {
    const { service, baseUrl, key } = await listening();
    for (let place = 0; place < 4; place += 1) await service.issue();
    const stream = await openStream(baseUrl, key, { 'last-event-id': '2' });
    expect((await stream.take(2)).map(({ id }) => id)).toEqual(['3', '4']);
    await service.issue();
    expect((await stream.take(3)).map(({ id }) => id)).toEqual(['3', '4', '5']);
  });

  it('tells a reader that missed too much to ask again for everything', async () => {
    const { service, baseUrl, key } = await listening();
    for (let place = 0; place < 1002; place += 1) await service.issue();
    const stream = await openStream(baseUrl, key, { 'last-event-id': '1' });
    expect(await stream.take(1)).toEqual([{ id: '1002', event: 'reset', kind: undefined }]);
  });

  it('is for the owner', async () => {
    const { baseUrl } = await listening();
    expect((await openStream(baseUrl, 'guess')).status).toBe(401);
  });

  it('ends when the service stops, so that stopping never waits for a window', async () => {
    const { service, baseUrl, key } = await listening();
    const stream = await openStream(baseUrl, key);
    const rest = stream.take(1);
    await service.stop();
    expect(await rest).toEqual([]);
  });
});
