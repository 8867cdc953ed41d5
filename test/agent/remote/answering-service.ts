import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { ServiceCaller } from '../../../src/agent/remote/service-caller.ts';

/** What a service says, whatever it is asked. */
export interface CannedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text as it is; anything else as JSON. */
  readonly body?: unknown;
}

export type Answerer = (incoming: IncomingMessage, answer: ServerResponse) => void;

export interface AnsweringService {
  readonly baseUrl: string;
  /** The calls that came in: `POST /v1/auth/rotate`. */
  readonly calls: string[];
  answer: CannedAnswer | Answerer;
}

/** A service that says what a test wants to hear, and no word more: without a `Date` of its own. */
export async function startAnsweringService(
  answer: CannedAnswer | Answerer = { status: 200 },
  tls?: { readonly key: string; readonly cert: string },
): Promise<AnsweringService> {
  const listener: Answerer = (incoming, outgoing) => {
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
  };
  return service;
}

/** A caller that is closed when the test is over. */
export function makeCaller(options: { readonly trustedCertificates?: string } = {}): ServiceCaller {
  const caller = new ServiceCaller(options);
  onTestFinished(() => caller.close());
  return caller;
}
