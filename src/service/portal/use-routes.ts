import type { FastifyInstance } from 'fastify';
import { programName } from '../../contract/credential/use-header.ts';
import { type CredentialUse, mostRunning } from '../../contract/credential/use.ts';
import { type CredentialRefusal, findCredential } from '../../core/credential/find-credential.ts';
import { instantMs, isoInstant } from '../../core/iso-instant.ts';
import { done, type Result } from '../../core/result.ts';
import { viewUse } from '../../core/use/credential-use.ts';
import { refusalText } from '../../text/service/service-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse, refuseCredential } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** Who uses a credential, and commands that report that they run with its token. */
export function addUseRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, uses, clock } = context;

  addRoute(app, context, 'readCredentialUse', async ({ params, reply }) => {
    const use = await ledger.transact<Result<CredentialUse, CredentialRefusal>>((state, nowMs) => {
      const found = findCredential(state, params.name);
      if (!found.ok) return { events: [], value: found };
      const { id } = found.value;
      const now = { nowMs, pending: uses.record.pending(id), running: uses.running(id) };
      return { events: [], value: done(viewUse(state, found.value, now)) };
    });
    return use.ok ? use.value : refuseCredential(reply, use.refusal);
  });

  /** Those of the commands that run. */
  const answers = new Set<() => void>();
  app.addHook('preClose', () => {
    for (const answer of answers) answer();
  });

  addRoute(app, context, 'reportRunning', async ({ body, reply }) => {
    const found = findCredential(ledger.state, body.credential);
    if (!found.ok) return refuseCredential(reply, found.refusal);
    const end = uses.begin(found.value.id, {
      program: programName(body.program ?? ''),
      generation: body.generation,
      // A clock that was set back must not make it start later than now.
      since: isoInstant(Math.min(clock(), instantMs(body.since))),
    });
    if (end === null) return refuse(reply, 'conflict', { message: refusalText.tooManyRunning(mostRunning) });
    const over = Promise.withResolvers();
    const answer = (): void => over.resolve(null);
    answers.add(answer);
    reply.raw.once('close', answer);
    await over.promise;
    answers.delete(answer);
    end();
    return { success: true as const };
  });
}
