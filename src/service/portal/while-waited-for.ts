import type { FastifyReply } from 'fastify';

/** A signal that is aborted when nobody waits for the answer any more: it was sent, or the caller has gone. */
export function whileWaitedFor(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
