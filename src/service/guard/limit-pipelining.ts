import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How many questions one connection may have open at once. Browsers and HTTP clients ask one at a time. */
const maxOpenReads = 16;

/**
 * Hangs up on a connection that asks on without reading its answers: those would gather in memory.
 *
 * Reads only, since their answers are the large ones; a connection that stands still is ended by its time limit.
 */
export function limitPipelining(app: FastifyInstance): void {
  const openReads = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw: { socket, method } }, { raw: answer }, next) => {
    if (method !== 'GET') {
      next();
      return;
    }
    const open = (openReads.get(socket) ?? 0) + 1;
    openReads.set(socket, open);
    answer.once('close', () => {
      openReads.set(socket, (openReads.get(socket) ?? 1) - 1);
    });
    if (open <= maxOpenReads) next();
    else socket.destroy();
  });
}
