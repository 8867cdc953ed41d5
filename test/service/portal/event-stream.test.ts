import { renameSync } from 'node:fs';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RotationStep } from '../../../src/contract/credential/credential-checks.ts';
import { emptyDocument } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { ManualOrigin, otherMachine } from '../../fakes/manual-origin.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd } from './credential-token.ts';

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
    /** Disconnects, and settles when that is done on this side. */
    async end(): Promise<void> {
      ending.abort();
      await reader?.closed.catch(() => undefined);
    },
    /** The same as `take`, unparsed. */
    async messages(count: number): Promise<readonly EventSourceMessage[]> {
      await this.take(count);
      return arrived;
    },
    /** Reads until this many events have arrived in total. */
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

async function listening(options: Parameters<typeof OpenService.start>[0] = {}) {
  const service = await OpenService.start(options);
  const baseUrl = await service.app.listen({ host: '127.0.0.1', port: 0 });
  return { service, baseUrl, key: service.service.sessions.portalKey };
}

describe('a store or a vault that starts to fail, and works again', () => {
  it('makes every window request everything again, although there is no event for it', async () => {
    const { service, baseUrl, key } = await listening();
    await service.issue();
    const { last_seq: lastSeq } = service.store.health();
    const stream = await openStream(baseUrl, key);
    renameSync(service.folder, `${service.folder}-moved`);
    service.store.look();
    const reset = { id: String(lastSeq), event: 'reset', kind: undefined };
    expect(await stream.take(1)).toEqual([reset]);
    renameSync(`${service.folder}-moved`, service.folder);
    service.store.look();
    expect(await stream.take(2)).toEqual([reset, reset]);
  });

  it('is the same with a vault that starts to fail, and works again', async () => {
    const vault = new MemoryVault();
    const { service, baseUrl, key } = await listening({ vault });
    await issueAndAdd(service, 'a');
    const stream = await openStream(baseUrl, key);
    vault.fail('locked');
    const read = () => service.owner('GET', '/portal/credentials/a/value');
    expect([(await read()).status, (await read()).status]).toEqual([503, 503]);
    vault.heal();
    expect((await read()).status).toBe(200);
    await service.issue();
    const told = await stream.take(3);
    expect(told.map(({ event }) => event)).toEqual(['reset', 'reset', 'use', 'change']);
  });

  it('is the same when a provider file was added, changed or removed', async () => {
    const listeners = new Set<() => void>();
    const providerFiles = {
      reload: () => {
        for (const listener of listeners) listener();
        return Promise.resolve({ changed: true, loaded: ['keys'], refused: [] });
      },
      onChange(listener: () => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const { service, baseUrl, key } = await listening({ providerFiles });
    const stream = await openStream(baseUrl, key);
    const reloaded = await service.owner('POST', '/portal/providers/reload');
    expect(reloaded.body).toEqual({ changed: true, loaded: ['keys'], refused: [] });
    expect(await stream.take(1)).toMatchObject([{ event: 'reset' }]);
  });

  it('makes windows read again when it was confirmed that the data are used here', async () => {
    const origin = new ManualOrigin();
    origin.from = otherMachine;
    const { service, baseUrl, key } = await listening({ origin });
    const stream = await openStream(baseUrl, key);
    await service.owner('POST', '/portal/confirm-move', {});
    expect(await stream.take(1)).toMatchObject([{ event: 'reset' }]);
  });

  it('makes a reader request everything when the events that it missed cannot be read', async () => {
    const { service, baseUrl, key } = await listening();
    await service.issue();
    await service.issue();
    renameSync(service.folder, `${service.folder}-moved`);
    const stream = await openStream(baseUrl, key, { 'last-event-id': '1' });
    expect(await stream.take(1)).toEqual([{ id: '2', event: 'reset', kind: undefined }]);
    renameSync(`${service.folder}-moved`, service.folder);
    await service.issue();
    expect(await stream.take(2)).toMatchObject([{ event: 'reset' }, { event: 'change', id: '3' }]);
  });
});

describe('a draft that is saved', () => {
  it('is reported with its revision, also to readers that missed it', async () => {
    const { service, baseUrl, key } = await listening();
    const document = emptyDocument('One');
    const created = await service.owner('POST', '/portal/ivrs/drafts', { document });
    const id = String(created.body['id']);
    const { last_seq: before } = service.store.health();
    const live = await openStream(baseUrl, key);
    await service.owner('PUT', `/portal/ivrs/drafts/${id}`, {
      revision: 1,
      document: emptyDocument('Two'),
    });
    const late = await openStream(baseUrl, key, { 'last-event-id': String(before) });
    for (const stream of [live, late]) {
      const [message] = await stream.messages(1);
      expect(JSON.parse(message?.data ?? '')).toMatchObject({
        kind: 'draft.saved',
        subject: id,
        revision: 2,
      });
    }
  });
});

describe('the steps of a rotation on the stream', () => {
  const whole = ['intent', 'vault_room', 'rotate', 'vault', 'verify', 'record', 'done'];

  it('are sent as they happen, to every reader, without an id, so that no reader reconnects behind one', async () => {
    const { service, baseUrl, key } = await listening();
    await issueAndAdd(service, 'a');
    const { last_seq: lastSeq } = service.store.health();
    const streams = [await openStream(baseUrl, key), await openStream(baseUrl, key)];
    await service.owner('POST', '/portal/credentials/a/rotate');
    const changes = service.store.health().last_seq - lastSeq;
    for (const stream of streams) {
      const told = await stream.messages(whole.length + changes);
      const steps = told.filter(({ event }) => event === 'step');
      expect(steps.map(({ data }) => RotationStep.strict().parse(JSON.parse(data)).step)).toEqual(whole);
      expect(steps.map(({ id }) => id)).toEqual(whole.map(() => undefined));
      expect(told.filter(({ event }) => event === 'change')).toHaveLength(changes);
      expect(JSON.stringify(told)).not.toMatch(/rvx_/);
    }
  });

  it('are not sent to later readers', async () => {
    const { service, baseUrl, key } = await listening();
    await issueAndAdd(service, 'a');
    const { last_seq: before } = service.store.health();
    await service.owner('POST', '/portal/credentials/a/rotate');
    const missed = service.store.health().last_seq - before;
    const late = await openStream(baseUrl, key, { 'last-event-id': String(before) });
    expect((await late.take(missed)).map(({ event }) => event)).toEqual(Array(missed).fill('change'));
  });

  it('are sent again to readers after a time without any', async () => {
    const { service, baseUrl, key } = await listening();
    await issueAndAdd(service, 'a');
    const stream = await openStream(baseUrl, key);
    await service.owner('POST', '/portal/credentials/a/rotate');
    await stream.take(whole.length);
    await stream.end();
    await service.owner('POST', '/portal/credentials/a/rotate');
    const again = await openStream(baseUrl, key);
    await service.owner('POST', '/portal/credentials/a/rotate');
    const steps = (await again.messages(whole.length)).filter(({ event }) => event === 'step');
    expect(steps[0]?.data).toContain('"step":"intent"');
  });
});

describe('the stream of changes', () => {
  it('reports every change once it is durable, without a token or a digest', async () => {
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

  it('sends a reader that reconnects what it missed, and then what is new', async () => {
    const { service, baseUrl, key } = await listening();
    for (let place = 0; place < 4; place += 1) await service.issue();
    const stream = await openStream(baseUrl, key, { 'last-event-id': '2' });
    expect((await stream.take(2)).map(({ id }) => id)).toEqual(['3', '4']);
    await service.issue();
    expect((await stream.take(3)).map(({ id }) => id)).toEqual(['3', '4', '5']);
  });

  it('makes a reader that missed too much request everything again', { tags: ['long'] }, async () => {
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

describe('a window that opens a draft', () => {
  it('is told to the others, which is no change to catch up on', async () => {
    const { service, baseUrl, key } = await listening();
    const { body } = await service.owner('POST', '/portal/ivrs/drafts', { document: emptyDocument('Day') });
    const stream = await openStream(baseUrl, key);
    const window = { window: 'window-1', card: 'caller', is_open: true };
    await service.owner('POST', `/portal/ivrs/drafts/${String(body['id'])}/windows`, window);
    const [message] = await stream.messages(1);
    expect(message).toMatchObject({ event: 'windows', id: undefined });
    expect(JSON.parse(message?.data ?? '')).toEqual({
      id: body['id'],
      windows: [{ window: 'window-1', owner: null, card: 'caller' }],
    });
  });
});
