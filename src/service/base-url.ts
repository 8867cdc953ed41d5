import type { FastifyInstance } from 'fastify';

/** Where a listening service is reached; an IPv6 address in brackets. */
export function baseUrlOf(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
