import type { FastifyInstance } from 'fastify';
import { listAttention } from '../../core/attention/find-attention.ts';
import { LifelineReader } from '../../core/lifeline/lifeline-reader.ts';
import { addRoute } from '../add-route.ts';
import { baseUrlOf } from '../base-url.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/attention` and `/portal/lifeline`: what the overview is made of. */
export function addOverviewRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, keeper, zone, about } = context;
  const lifeline = new LifelineReader();

  addRoute(app, context, 'readAttention', async () =>
    ledger.transact((state, nowMs) => ({
      events: [],
      value: listAttention(
        state,
        { vault: keeper.vaultStatus(), store: ledger.health(), repairs: about.repairs },
        { nowMs, zone, embeddedUrl: baseUrlOf(app) },
      ),
    })),
  );

  addRoute(app, context, 'readLifeline', async ({ reply }) => {
    const picture = await ledger.transact((state, nowMs) => ({
      events: [],
      value: lifeline.read(state, keeper.vaultStatus(), { nowMs, zone, embeddedUrl: baseUrlOf(app) }),
    }));
    // Ten thousands of small tuples: the serializer made from the schema was measured to take ten times as long.
    void reply.type('application/json; charset=utf-8').send(JSON.stringify(picture));
    return null;
  });
}
