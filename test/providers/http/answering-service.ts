import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { problems } from '../../../src/contract/problems.ts';
import { Outgoing, type OutgoingParts } from '../../../src/network/outgoing.ts';
import { ServiceCaller } from '../../../src/providers/http/service-caller.ts';

/** What a service answers to every call. */
export interface CannedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent unchanged; anything else as JSON. */
  readonly body?: unknown;
}

export type Answerer = (incoming: IncomingMessage, answer: ServerResponse) => void;

export interface AnsweringService {
  readonly baseUrl: string;
  /** The received calls: `POST /v1/auth/rotate`. */
  readonly calls: string[];
  answer: CannedAnswer | Answerer;
  /** Whether the test call for the rotate endpoint is answered as in the spec, and not counted; otherwise like any call. */
  canRotate: boolean;
}

/** The test call for the rotate endpoint: a rotation without a key, with a token that was never issued. */
export function asksForEndpoint({ method, url, headers }: IncomingMessage): boolean {
  return method === 'POST' && url === '/v1/auth/rotate' && headers['idempotency-key'] === undefined;
}

/** A service that answers exactly what a test wants, without a `Date`. */
export async function startAnsweringService(
  answer: CannedAnswer | Answerer = { status: 200 },
  tls?: { readonly key: string; readonly cert: string },
): Promise<AnsweringService> {
  const listener: Answerer = (incoming, outgoing) => {
    if (service.canRotate && asksForEndpoint(incoming)) {
      incoming.resume();
      outgoing.writeHead(401, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ success: false, message: problems.token_invalid.message }));
      return;
    }
    service.calls.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
    outgoing.sendDate = false;
    incoming.resume();
    if (typeof service.answer === 'function') {
      service.answer(incoming, outgoing);
      return;
    }
    const { status, headers = {}, body } = service.answer;
    outgoing.writeHead(status, headers);
    outgoing.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const service: AnsweringService = {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    calls: [],
    answer,
    canRotate: true,
  };
  return service;
}

/** A caller that is closed when the test is over. */
export function makeCaller(parts: OutgoingParts = {}): ServiceCaller {
  const caller = new ServiceCaller({ outgoing: new Outgoing({ environment: {}, ...parts }) });
  onTestFinished(() => caller.close());
  return caller;
}
