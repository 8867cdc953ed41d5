import { request as httpRequest } from 'node:http';
import { residentBytesOf } from './child-process.ts';

/** The same path for everybody: the service behind the proxies answers any. */
const path = '/proxy/bench/items';
const gigabyte = 1024 ** 3;
const part = Buffer.alloc(256 * 1024, 'x');

/** One gigabyte through a proxy, and how much the memory of its process grew meanwhile. */
export function streamGigabyte(
  { port, pid }: { readonly port: number; readonly pid: number },
  token: string,
  direction: 'down' | 'up',
): Promise<{ readonly seconds: number; readonly grownBytes: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ seconds: number; grownBytes: number }>();
  const before = residentBytesOf(pid) ?? NaN;
  const startedAt = performance.now();
  let mostBytes = before;
  const watch = setInterval(() => (mostBytes = Math.max(mostBytes, residentBytesOf(pid) ?? 0)), 20);
  const request = httpRequest(
    {
      host: '127.0.0.1',
      port,
      agent: false,
      path: direction === 'down' ? `${path}?bytes=${gigabyte}` : path,
      method: direction === 'down' ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(direction === 'up'
          ? { 'content-type': 'application/octet-stream', 'content-length': gigabyte }
          : {}),
      },
    },
    (response) => {
      if (response.statusCode !== 200) reject(new Error(`${direction}: ${String(response.statusCode)}`));
      response.on('data', () => undefined);
      response.on('end', () => {
        clearInterval(watch);
        resolve({ seconds: (performance.now() - startedAt) / 1000, grownBytes: mostBytes - before });
      });
    },
  );
  request.on('error', reject);
  if (direction === 'down') {
    request.end();
    return promise;
  }
  let left = gigabyte;
  const write = (): void => {
    while (left > 0) {
      left -= part.length;
      if (!request.write(part)) {
        request.once('drain', write);
        return;
      }
    }
    request.end();
  };
  write();
  return promise;
}
