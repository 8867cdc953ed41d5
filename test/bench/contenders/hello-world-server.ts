/**
 * Fastify with the route, schema and reply size of a rotation and nothing behind them.
 *
 * The upper limit: what HTTP, routing, body parsing, validation and serialising cost here without checking a credential.
 */
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { rotateBodySchema, rotateReplySchema } from './reply-schemas.ts';

/** As long as the service's own tokens: `rvx_`, 256 bits and a checksum. */
const fixedToken = `rvx_${'A'.repeat(49)}`;

const app = fastify();

app.post(
  '/v1/auth/rotate',
  { schema: { body: rotateBodySchema, response: { 200: rotateReplySchema } } },
  (_request, reply) => {
    reply.header('cache-control', 'no-store').send({
      success: true,
      message: 'Token refreshed successfully.',
      access_token: fixedToken,
      token_type: 'bearer',
      validity_days: 7,
    });
  },
);

await app.listen({ host: '127.0.0.1', port: 0 });
console.log(
  JSON.stringify({ event: 'ready', port: (app.server.address() as AddressInfo).port, token: fixedToken }),
);
process.once('SIGTERM', () => process.exit(0));
process.stdin.on('end', () => process.exit(0)).resume(); // the parent has ended
