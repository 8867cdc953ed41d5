import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signInPort } from '../../contract/address.ts';
import { createListener, type Handler, type ListenerParts } from '../../network/create-listener.ts';

/** Where a browser is sent back to that has signed in. */
export interface LoopbackListener {
  readonly origin: string;
  close(): void;
}

/**
 * On the IP literal (RFC 8252 section 8.3), or for `localhost` on both families where there is IPv6. At the port that people register;
 * at any other where that is in use, because most services ignore the port.
 */
export async function listen(
  host: '127.0.0.1' | 'localhost',
  handle: Handler,
  onFailure: (error: unknown) => void,
): Promise<LoopbackListener> {
  const parts = { handle, refusal: () => ({ headers: pageHeaders, body: '' }), onFailure };
  const first = await listenAt('127.0.0.1', signInPort, parts).catch(() => listenAt('127.0.0.1', 0, parts));
  const { port } = first.address() as AddressInfo;
  const second = host === '127.0.0.1' ? null : await listenAt('::1', port, parts).catch(() => null);
  return {
    origin: `http://${host}:${port}`,
    close() {
      for (const server of second === null ? [first] : [first, second]) {
        server.close();
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), lastReadMs).unref();
      }
    },
  };
}

function listenAt(host: string, port: number, parts: ListenerParts): Promise<Server> {
  const server = createListener(parts);
  server.maxConnections = mostConnections;
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** How many callers a sign-in has at once: one browser, and whoever else finds the port. */
const mostConnections = 64;
/** How long a connection to a sign-in that has ended may stay open, in milliseconds. */
const lastReadMs = 1_000;

/** Of a page without anything from the request. The address, which has the code, is neither kept nor passed on. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Answers with a page, then goes on when the browser has it. */
export function respond(
  answer: ServerResponse,
  status: number,
  page: string,
  then: () => void = () => undefined,
): void {
  // Also where the browser is gone by now.
  if (answer.closed) return then();
  answer.once('close', then);
  answer.writeHead(status, { ...pageHeaders, connection: 'close' }).end(page);
}
