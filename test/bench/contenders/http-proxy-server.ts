/** `@fastify/http-proxy` as its readme shows it, which adds a token and checks nothing: the upper limit of forwarding. */
import type { AddressInfo } from 'node:net';
import httpProxy from '@fastify/http-proxy';
import { fastify } from 'fastify';

const app = fastify();
await app.register(httpProxy, {
  upstream: process.argv[2] ?? '',
  replyOptions: {
    rewriteRequestHeaders: (_request, headers) => ({ ...headers, authorization: 'Bearer the-token' }),
  },
});
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ event: 'ready', port: (app.server.address() as AddressInfo).port }));
process.once('SIGTERM', () => process.exit(0));
process.stdin.on('end', () => process.exit(0)).resume(); // the parent has ended
