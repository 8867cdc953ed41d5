import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What happens to one call to the service behind the proxy. */
export type Fault =
  | 'none'
  /** The service acts; its answer is dropped and the connection cut. */
  | 'drop_reply'
  /** The service acts; half of its answer arrives, then the connection is cut. */
  | 'half_reply'
  /** The service acts; the answer never arrives. */
  | 'hang'
  /** The service never receives it; the connection is cut. */
  | 'drop_call'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
}

export interface FaultyProxy {
  readonly baseUrl: string;
  /** Every received call, in order, except the test calls for the rotate endpoint, which are never faulty. */
  readonly seen: SeenCall[];
  /** One fault for each of the next calls; then `otherwise`. */
  readonly faults: Fault[];
  otherwise: Fault;
  /** Which calls get faults. Default: rotations. */
  meets: (path: string) => boolean;
  /** Removes the `Idempotency-Key`, as for a service that does not support it. */
  forgetsKeys: boolean;
  /** Called when the service has answered a call and the answer was not passed on yet: the instant to kill the caller. */
  onAnswered: (path: string) => void;
  /** Listens no more: connections are refused. */
  close(): Promise<void>;
}

/** A real HTTP server between the agent and a service, which fails on demand. */
export async function startFaultyProxy(
  targetUrl: () => string,
  { tls }: { readonly tls?: { readonly key: string; readonly cert: string } } = {},
): Promise<FaultyProxy> {
  const listener = (incoming: IncomingMessage, answer: ServerResponse) => {
    // The service or the caller has ended: then there is nothing to answer.
    handle(incoming, answer).catch(() => incoming.socket.destroy());
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy: FaultyProxy = {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    faults: [],
    otherwise: 'none',
    meets: (path) => path === '/v1/auth/rotate',
    forgetsKeys: false,
    onAnswered: () => undefined,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = incoming;
    const key = headers['idempotency-key'];
    if (path === '/v1/auth/rotate' && key === undefined) {
      const { status, contentType, body } = await passOn(incoming, path);
      answer.writeHead(status, { 'content-type': contentType }).end(body);
      return;
    }
    proxy.seen.push({
      method,
      path,
      authorization: headers.authorization,
      idempotencyKey: typeof key === 'string' ? key : undefined,
    });
    const fault = proxy.meets(path) ? (proxy.faults.shift() ?? proxy.otherwise) : 'none';
    if (fault === 'drop_call') {
      incoming.socket.destroy();
    } else if (typeof fault === 'object') {
      answer.writeHead(fault.status, fault.headers).end(fault.body);
    } else {
      const { status, contentType, date, others, body } = await passOn(incoming, path);
      proxy.onAnswered(path);
      if (date !== undefined) answer.setHeader('date', date);
      for (const [header, value] of Object.entries(others)) answer.setHeader(header, value);
      if (fault === 'hang') return;
      if (fault === 'drop_reply') incoming.socket.destroy();
      else if (fault === 'half_reply') {
        answer.writeHead(status, { 'content-type': contentType, 'content-length': body.length });
        answer.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
      } else answer.writeHead(status, { 'content-type': contentType }).end(body);
    }
  }

  function passOn(
    incoming: IncomingMessage,
    path: string,
  ): Promise<{
    status: number;
    contentType: string;
    date: string | undefined;
    /** What a browser needs. */
    others: Record<string, string | string[]>;
    body: Buffer;
  }> {
    const target = new URL(targetUrl());
    const { host: _host, ...rest } = incoming.headers;
    const { 'idempotency-key': key, ...others } = rest;
    const headers = {
      ...others,
      host: target.host,
      ...(proxy.forgetsKeys || key === undefined ? {} : { 'idempotency-key': key }),
    };
    return new Promise((resolve, reject) => {
      const call = request(
        { host: target.hostname, port: target.port, path, method: incoming.method, headers },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('end', () => {
            resolve({
              status: reply.statusCode ?? 0,
              contentType: reply.headers['content-type'] ?? '',
              date: reply.headers.date,
              others: {
                ...(reply.headers.location === undefined ? {} : { location: reply.headers.location }),
                ...(reply.headers['set-cookie'] === undefined
                  ? {}
                  : { 'set-cookie': reply.headers['set-cookie'] }),
              },
              body: Buffer.concat(chunks),
            });
          });
        },
      );
      call.on('error', reject);
      incoming.on('error', (error) => call.destroy(error));
      incoming.pipe(call);
    });
  }
}
