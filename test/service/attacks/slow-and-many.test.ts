import type { Server, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { makeSetup, makeLargeList, rotate } from './attack-setup.ts';
import { connectionsDownTo, connectionsOf, openWire, requestText, type Wire } from './wire.ts';

describe('slow clients', () => {
  it('have a limit, and it is not long', async () => {
    const { service } = await makeSetup();
    const { headersTimeout, requestTimeout, keepAliveTimeout } = service.app.server;
    for (const limitMs of [headersTimeout, requestTimeout]) {
      expect(limitMs).toBeGreaterThan(0);
      expect(limitMs).toBeLessThanOrEqual(30_000);
    }
    expect(keepAliveTimeout).toBeGreaterThan(0);
    expect(keepAliveTimeout).toBeLessThanOrEqual(90_000);
  });

  it('are cut off whatever they are slow at, with 408 where an answer can be given, and others are served meanwhile', async () => {
    const setup = await makeSetup({ lookForSlowMs: 1_000 });
    // The real limits take a quarter of a minute; shorter ones have the same effect.
    setup.service.app.server.headersTimeout = 500;
    setup.service.app.server.requestTimeout = 800;
    const { access_token: token } = await setup.issue();
    const host = `Host: ${setup.host}`;
    const bearer = `Authorization: Bearer ${token}`;
    const slow = {
      'nothing at all': '',
      'half a line': 'GET /v1/he',
      'headers without end': `GET /v1/health HTTP/1.1\r\n${host}\r\nX-Slow: `,
      'a body that never comes': requestText('POST /v1/ivr HTTP/1.1', [
        host,
        bearer,
        'Content-Type: application/json',
        'Content-Length: 100',
      ]),
      'chunks without end': requestText('POST /v1/ivr HTTP/1.1', [
        host,
        bearer,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]),
      'a body for a call that wants none': requestText('POST /v1/auth/rotate HTTP/1.1', [
        host,
        bearer,
        'Content-Length: 2',
      ]),
    };
    const wires = Object.entries(slow).map(([what, start]) => {
      const wire = openWire(setup.port);
      wire.write(start);
      return { what, wire };
    });
    // A slow sender gains nothing: the whole request has a limit.
    const drip = setInterval(() => {
      for (const { what, wire } of wires) {
        if (wire.socket.writable && what === 'headers without end') wire.write('x');
        if (wire.socket.writable && what === 'chunks without end') wire.write('1\r\n{\r\n');
      }
    }, 100);
    const before = setup.events.length;
    let served = 0;
    let open = wires.length;
    const ends = wires.map(async ({ what, wire }) => {
      const bytes = await wire.closed();
      open -= 1;
      return { what, bytes };
    });
    while (open > 0) {
      const valid = await setup.call({ method: 'GET', path: '/v1/auth/token', bearer: token });
      expect(valid.status).toBe(200);
      served += 1;
      await new Promise(setImmediate);
    }
    clearInterval(drip);
    expect(served).toBeGreaterThan(10);
    for (const { what, bytes } of await Promise.all(ends)) {
      if (what === 'nothing at all') continue; // may be disconnected without an answer
      expect(bytes, what).toMatch(/^HTTP\/1\.1 408 /);
      expect(bytes, what).toContain('"success":false');
    }
    // Only the first use of the token.
    expect(setup.events.length).toBe(before + 1);
  });

  it('that do not read what they asked for do not keep others waiting, and do not fill the memory', async () => {
    const setup = await makeSetup();
    const { access_token: token } = await setup.issue();
    const description = 'x'.repeat(1000);
    for (let made = 0; made < 100; made += 1) {
      await setup.call({
        method: 'POST',
        path: '/v1/ivr',
        bearer: token,
        body: { ...ivrBody, description },
      });
    }
    const line = requestText('GET /v1/ivrs HTTP/1.1', [
      `Host: ${setup.host}`,
      `Authorization: Bearer ${token}`,
    ]);
    const before = process.memoryUsage().rss;
    const wires = Array.from({ length: 10 }, () => openWire(setup.port));
    for (const wire of wires) {
      wire.socket.pause();
      wire.write(line.repeat(200)); // 200 answers of 150 kB each, if all were made
    }
    // Their requests have been read when later ones are answered.
    for (let round = 0; round < 10; round += 1) {
      expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
    }
    // 2,000 answers of more than 100 kB each were requested.
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    for (const wire of wires) wire.socket.destroy();
    expect((await rotate(setup, token)).status).toBe(200);
  });
});

describe('memory for callers', () => {
  it(
    'has a limit: of those who do not read a list the first is disconnected, and a reader gets all of it',
    { tags: ['long'] },
    async () => {
      const setup = await makeSetup();
      const { access_token: token } = await setup.issue();
      await makeLargeList(setup, token);
      const line = requestText('GET /v1/ivrs HTTP/1.1', [
        `Host: ${setup.host}`,
        `Authorization: Bearer ${token}`,
      ]);
      // Several each: the system's buffers for a connection hold the first.
      const ahead = line.repeat(6);
      const first = openWire(setup.port);
      first.socket.pause();
      first.write(ahead);
      const ended = endOf(first.socket, setup.server);
      // A megabyte each that the service would hold, and more than its limit in total.
      for (let count = 0; count < 100; count += 1) {
        const wire = openWire(setup.port);
        wire.socket.pause();
        wire.write(ahead);
      }
      expect(await ended).toBe(true);
      const read = await setup.call({ method: 'GET', path: '/v1/ivrs', bearer: token });
      expect(JSON.parse(read.text)).toHaveLength(280);
      expect((await rotate(setup, token)).status).toBe(200);
    },
  );

  it('has a bound for bodies that do not end, too', { tags: ['long'] }, async () => {
    const setup = await makeSetup();
    const { access_token: token } = await setup.issue();
    const head = requestText('POST /v1/ivr HTTP/1.1', [
      `Host: ${setup.host}`,
      // Without a valid token a body of this size is not read at all.
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Content-Length: 262144',
    ]);
    const first = openWire(setup.port);
    first.write(head + ' '.repeat(200_000));
    const ended = first.closed().then(() => true);
    const more: Wire[] = [];
    while (
      !(await Promise.race([ended, setup.call({ method: 'GET', path: '/v1/health' }).then(() => false)]))
    ) {
      expect(more.length).toBeLessThan(800);
      const wire = openWire(setup.port);
      wire.write(head + ' '.repeat(200_000));
      more.push(wire);
    }
    const body = { ...ivrBody, padding: 'x'.repeat(200_000) };
    const large = await setup.call({ method: 'POST', path: '/v1/ivr', bearer: token, body });
    expect(large.status).toBe(200);
  });
});

describe('what needs no credential', () => {
  for (const [page, readers] of [
    ['/docs/', 50],
    ['/openapi.json', 500],
  ] as const) {
    it(
      `costs no memory for each caller who asks for it and does not read it: ${page}`,
      { tags: ['long'] },
      async () => {
        const setup = await makeSetup();
        const { text } = await setup.call({ method: 'GET', path: page });
        expect(text.length * readers).toBeGreaterThan(50 * 1024 * 1024);
        const before = process.memoryUsage().rss;
        const wires = Array.from({ length: readers }, () => openWire(setup.port));
        for (const wire of wires) {
          wire.write(requestText(`GET ${page} HTTP/1.1`, [`Host: ${setup.host}`]));
        }
        // Each has been answered when the head of its answer arrives; the rest waits to be read.
        await Promise.all(
          wires.map(
            ({ socket }) =>
              new Promise((resolve) => {
                socket.once('data', () => {
                  socket.pause();
                  resolve(undefined);
                });
              }),
          ),
        );
        const grownBytes = process.memoryUsage().rss - before;
        expect(grownBytes, `for ${readers} readers`).toBeLessThan((readers / 2) * text.length);
      },
    );
  }
});

describe('a flood of connections', () => {
  it(
    'blocks no others: idle connections end, longest first, and never a new caller, the owner or an app with a valid token',
    { tags: ['long'] },
    async () => {
      const setup = await makeSetup();
      const { access_token: token } = await setup.issue();
      const host = `Host: ${setup.host}`;
      const owner = openWire(setup.port);
      owner.write(
        requestText('GET /portal/events HTTP/1.1', [
          host,
          `Authorization: Bearer ${setup.service.sessions.portalKey}`,
        ]),
      );
      const app = openWire(setup.port);
      const self = requestText('GET /v1/auth/token HTTP/1.1', [host, `Authorization: Bearer ${token}`]);
      app.write(self);
      expect((await app.answers(1))[0]?.status).toBe(200);

      const wires: Wire[] = [];
      while (wires.length < 1100) {
        const wave = Array.from({ length: 100 }, () => openWire(setup.port));
        await Promise.all(wave.map(({ socket }) => settled(socket)));
        wires.push(...wave);
      }
      await Promise.all(wires.slice(0, 50).map((wire) => wire.closed()));
      expect(wires.at(-1)?.socket.closed).toBe(false);

      expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
      expect((await rotate(setup, (await setup.issue()).access_token)).status).toBe(200);
      app.write(self);
      expect((await app.answers(2)).map(({ status }) => status)).toEqual([200, 200]);
      expect(owner.received()).toContain('token.rotated');
    },
  );

  it('that is answered and does not hang up is hung up on, also with one half open', async () => {
    const setup = await makeSetup({ lookForSlowMs: 100 });
    setup.service.app.server.headersTimeout = 200;
    setup.service.app.server.requestTimeout = 300;
    const starts = [
      'GET /v1/health HTTP/1.1\r\n',
      'no HTTP\r\n\r\n',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`,
    ];
    const sockets = starts.map((start) => {
      const { socket } = openWire(setup.port, { allowHalfOpen: true });
      socket.write(start);
      return socket;
    });
    const answers = await Promise.all(
      sockets.map(
        (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
      ),
    );
    expect(answers.map((answer) => answer.slice(9, 12)).sort()).toEqual(['400', '408', '431']);
    // The clients keep their side open, but the connections end.
    await connectionsDownTo(setup.server, 0);
    for (const socket of sockets) socket.destroy();
  });

  it('is bounded, and when it ebbs the service answers again', { tags: ['long'] }, async () => {
    const setup = await makeSetup();
    const limit = setup.service.app.server.maxConnections;
    const { access_token: token } = await setup.issue();
    const wires: Wire[] = [];
    let hungUp = 0;
    const firstEnds = Promise.withResolvers<undefined>();
    while (wires.length < limit + 200) {
      // In waves: the system's own queue of connections is not tested here.
      const wave = Array.from({ length: 100 }, () => openWire(setup.port));
      for (const wire of wave) {
        void wire.closed().then(() => {
          hungUp += 1;
          if (hungUp === 100) firstEnds.resolve(undefined);
        });
      }
      await Promise.all(wave.map(({ socket }) => settled(socket)));
      wires.push(...wave);
    }
    await firstEnds.promise;
    expect(await connectionsOf(setup.server)).toBeLessThanOrEqual(limit);
    for (const wire of wires) wire.socket.destroy();
    await Promise.all(wires.map((wire) => wire.closed()));
    await connectionsDownTo(setup.server, 0);
    expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
    expect((await rotate(setup, token)).status).toBe(200);
  });

  it('that opens and closes, a thousand times, leaves nothing behind', { tags: ['long'] }, async () => {
    const setup = await makeSetup();
    for (let round = 0; round < 10; round += 1) {
      const wires = Array.from({ length: 100 }, () => openWire(setup.port));
      for (const [place, wire] of wires.entries()) {
        if (place % 3 === 0) wire.write('POST /v1/auth/rotate HTTP/1.1\r\n');
        if (place % 3 === 1) wire.write(requestText('GET /v1/health HTTP/1.1', [`Host: ${setup.host}`]));
      }
      await Promise.all(wires.map(({ socket }) => settled(socket)));
      for (const [place, wire] of wires.entries()) {
        if (place % 2 === 0) wire.socket.destroy();
        else wire.reset();
      }
    }
    await connectionsDownTo(setup.server, 0);
    expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
  });
});

/** Resolves when the server has ended a connection whose client does not read, and so does not notice it. */
async function endOf(client: Socket, server: Server): Promise<true> {
  const found = new Promise<Socket>((resolve) => {
    server.on('connection', (socket: Socket) => {
      if (socket.remotePort === client.localPort) resolve(socket);
    });
  });
  const socket = await found;
  await new Promise((resolve) => socket.once('close', resolve));
  return true;
}

/** Resolves when a connection is open, or has failed. */
function settled(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', resolve);
  });
}
