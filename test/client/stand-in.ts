import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that answers as a test likes, for answers that the service never gives. Ended with the test. */
export async function standIn(
  listener: RequestListener,
): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, close };
}
