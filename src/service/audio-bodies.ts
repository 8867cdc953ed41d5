import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a body is called that is handed on as it came (`json-bodies.ts`). */
const anyBytes = 'application/octet-stream';

/**
 * Takes a body as bytes whatever it is declared to be.
 *
 * What audio is is read from its content, so that a Content-Type can neither lie nor be wrong. Done before the framework looks
 * for a parser: it refuses types that it cannot read.
 */
export function takeAnyBytes({ headers }: FastifyRequest, _reply: FastifyReply, next: () => void): void {
  headers['content-type'] = anyBytes;
  next();
}
