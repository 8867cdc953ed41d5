/**
 * The service behind the proxies: a small JSON answer, a stream of as many bytes as asked for, and a place to send bytes to.
 * Node's own server, so that it is never the limit.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const small = JSON.stringify({ id: 42, name: 'an answer', items: ['a', 'b', 'c'], is_open: true });
const part = Buffer.alloc(256 * 1024, 'x');

const server = createServer((request, response) => {
  const bytes = Number(/bytes=(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  if (request.url?.includes('/v1/auth/') === true) response.writeHead(404).end();
  else if (bytes > 0) {
    response.writeHead(200, { 'content-length': bytes });
    let left = bytes;
    const write = (): void => {
      while (left > 0) {
        const size = Math.min(left, part.length);
        left -= size;
        if (!response.write(part.subarray(0, size))) {
          response.once('drain', write);
          return;
        }
      }
      response.end();
    };
    write();
  } else if (request.method === 'POST') {
    request.resume().on('end', () => response.writeHead(200, { 'content-length': 2 }).end('{}'));
  } else {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(small) })
      .end(small);
  }
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ event: 'ready', port: (server.address() as AddressInfo).port }));
});
process.once('SIGTERM', () => process.exit(0));
process.stdin.on('end', () => process.exit(0)).resume(); // the parent has ended
