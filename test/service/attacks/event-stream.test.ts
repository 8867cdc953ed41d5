import { describe, expect, it } from 'vitest';
import type { HistoryFilter, Ledger } from '../../../src/core/ledger.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeSetup, rotate, expectRefusal, type AttackSetup } from './attack-setup.ts';
import { connectionsDownTo, openWire, requestText, type Wire } from './wire.ts';

function openStream(setup: AttackSetup, headers: readonly string[] = []): Wire {
  const wire = openWire(setup.port);
  wire.write(
    requestText('GET /portal/events HTTP/1.1', [
      `Host: ${setup.host}`,
      `Authorization: Bearer ${setup.service.sessions.portalKey}`,
      ...headers,
    ]),
  );
  return wire;
}

/** Resolves when the text has arrived. */
function heard(wire: Wire, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (wire.received().includes(text)) resolve();
    };
    wire.socket.on('data', look);
    wire.socket.on('close', () => {
      reject(new Error(`hung up before ${text}: ${wire.received().slice(0, 200)}`));
    });
    look();
  });
}

/** A store whose history is read only when the test allows it. */
function slowHistory(
  store: Store,
  reading: { begun: number; readonly go: { promise: Promise<unknown> } },
): Ledger {
  return new Proxy<Ledger>(store, {
    get(target, name) {
      if (name !== 'history') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      }
      return async (filter: HistoryFilter) => {
        const { promise } = reading.go;
        reading.begun += 1;
        await promise;
        return target.history(filter);
      };
    },
  });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('the event stream', () => {
  it('sends every change once and in order, to readers from the start and to readers that reconnect', async () => {
    const setup = await makeSetup();
    const fromStart = openStream(setup, ['Last-Event-ID: 0']);
    let current = (await setup.issue()).access_token;
    for (let count = 0; count < 30; count += 1) {
      const answer = await rotate(setup, current);
      current = (JSON.parse(answer.text) as { access_token: string }).access_token;
    }
    const late = openStream(setup, ['Last-Event-ID: 10']);
    await setup.issue();
    const last = setup.events.length;
    await Promise.all([heard(fromStart, `id: ${last}\n`), heard(late, `id: ${last}\n`)]);
    const idsOf = (wire: Wire) => [...wire.received().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    const count = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, place) => from + place);
    expect(idsOf(fromStart)).toEqual(count(1, last));
    expect(idsOf(late)).toEqual(count(11, last));
  });

  it('carries no digest, no sealed reply and no token', async () => {
    const setup = await makeSetup();
    const stream = openStream(setup, ['Last-Event-ID: 0']);
    const { access_token: token } = await setup.issue();
    await rotate(setup, token, { 'idempotency-key': 'a-key' });
    await heard(stream, 'id: 2\n');
    expect(stream.received()).not.toMatch(/rvx_|sealed|digest|reply|a-key/);
  });

  it(
    'has room for others after readers that disconnected while they received what they missed',
    { tags: ['long'] },
    async () => {
      const setup = await makeSetup();
      let current = (await setup.issue()).access_token;
      for (let count = 0; count < 200; count += 1) {
        const answer = await rotate(setup, current);
        current = (JSON.parse(answer.text) as { access_token: string }).access_token;
      }
      for (let round = 0; round < 4; round += 1) {
        const wires = Array.from({ length: 50 }, () => openStream(setup, ['Last-Event-ID: 0']));
        await Promise.all(
          wires.map(
            (wire) =>
              new Promise((resolve) => {
                wire.socket.once('data', resolve); // the head of the answer: the rest is still being read from disk
              }),
          ),
        );
        for (const wire of wires) wire.socket.destroy();
        await Promise.all(wires.map((wire) => wire.closed()));
        // The service has noticed that they ended when no connection is left.
        await connectionsDownTo(setup.server, 0);
      }
      const honest = openStream(setup);
      const [head] = await new Promise<string[]>((resolve) => {
        honest.socket.once('data', () => {
          resolve(honest.received().split('\r\n'));
        });
      });
      expect(head).toBe('HTTP/1.1 200 OK');
    },
  );

  it('gives the place of a reader back that goes while the journal is read for it, however often', async () => {
    const reading = { begun: 0, go: Promise.withResolvers<undefined>() };
    const setup = await makeSetup({ wrapLedger: (store) => slowHistory(store, reading) });
    await setup.issue();
    for (let round = 0; round < 3; round += 1) {
      reading.begun = 0;
      reading.go = Promise.withResolvers();
      const wires = Array.from({ length: 50 }, () => openStream(setup, ['Last-Event-ID: 0']));
      await until(() => reading.begun === wires.length);
      for (const wire of wires) wire.reset();
      await connectionsDownTo(setup.server, 0);
      reading.go.resolve(undefined);
    }
    const honest = Array.from({ length: 64 }, () => openStream(setup));
    await Promise.all(honest.map((wire) => heard(wire, 'retry: 1000')));
    await setup.issue();
    await Promise.all(honest.map((wire) => heard(wire, 'id: 2\n')));
  });

  it('counts readers from the moment that they are let in', async () => {
    const reading = { begun: 0, go: Promise.withResolvers<undefined>() };
    const setup = await makeSetup({ wrapLedger: (store) => slowHistory(store, reading) });
    await setup.issue();
    const wires = Array.from({ length: 64 }, () => openStream(setup, ['Last-Event-ID: 0']));
    await until(() => reading.begun === wires.length);
    const one = await setup.call({
      method: 'GET',
      path: '/portal/events',
      bearer: setup.service.sessions.portalKey,
      headers: { 'last-event-id': '0' },
    });
    expect(one.status).toBe(409);
    reading.go.resolve(undefined);
    await Promise.all(wires.map((wire) => heard(wire, 'id: 1\n')));
  });

  it('is for a bounded number of readers, and says so', async () => {
    const setup = await makeSetup();
    const wires = Array.from({ length: 64 }, () => openStream(setup));
    await Promise.all(wires.map((wire) => heard(wire, 'retry: 1000')));
    const one = await setup.call({
      method: 'GET',
      path: '/portal/events',
      bearer: setup.service.sessions.portalKey,
    });
    expect(one.status).toBe(409);
    wires[0]?.socket.destroy();
    await wires[0]?.closed();
    for (let head = ''; !head.startsWith('HTTP/1.1 200');) {
      const again = openStream(setup);
      await new Promise((resolve) => again.socket.once('data', resolve));
      head = again.received();
    }
  });

  it.each(['-1', '1e3', '99999999999999999999', '999999999999999', 'x', '', '0\u00ff'])(
    'opens with a Last-Event-ID of %j',
    async (id) => {
      const setup = await makeSetup();
      const stream = openStream(setup, [`Last-Event-ID: ${id}`]);
      await heard(stream, 'HTTP/1.1 200 OK');
      await setup.issue();
      await heard(stream, 'event: change\nid: 1\n');
    },
  );

  it('is for the owner only', async () => {
    const setup = await makeSetup();
    const { access_token: token } = await setup.issue();
    expectRefusal(await setup.call({ method: 'GET', path: '/portal/events' }), 'not_signed_in', 'portal');
    expectRefusal(
      await setup.call({ method: 'GET', path: '/portal/events', bearer: token }),
      'not_signed_in',
      'portal',
    );
  });

  it('lets the service stop while readers listen', async () => {
    const setup = await makeSetup();
    const streams = [openStream(setup), openStream(setup)];
    await Promise.all(streams.map((stream) => heard(stream, 'retry: 1000')));
    await setup.service.app.close();
    await Promise.all(streams.map((stream) => stream.closed()));
  });
});
