import type { FastifyInstance } from 'fastify';
import type { Clock } from '../core/ledger.ts';

/**
 * Dates every answer by the clock that the service goes by.
 *
 * Node stamps answers with the system's; callers put the end of a token on their own clock by that stamp, so one that
 * differs from the instants in the answer would move it.
 */
export function stampDates(app: FastifyInstance, clock: Clock): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    void reply.header('date', new Date(clock()).toUTCString());
    done();
  });
}
