import type { FastifyInstance } from 'fastify';
import { addRoute } from '../add-route.ts';
import type { ServiceContext } from '../service-context.ts';
import { refuseWish } from './refuse-wish.ts';

/** What can be asked about a credential beforehand: whether a value works, what a delivery would change. */
export function addCredentialCheckRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { keeper } = context;

  addRoute(app, context, 'testCredential', async ({ params, reply }) => {
    const test = await keeper.testCredential(params.name);
    return test.ok ? test.value : refuseWish(reply, test.refusal);
  });

  addRoute(app, context, 'testConnection', ({ body }) => keeper.testConnection(body));

  addRoute(app, context, 'previewTarget', async ({ params, body, reply }) => {
    const preview = await keeper.previewTarget(params.name, body);
    return preview.ok ? preview.value : refuseWish(reply, preview.refusal);
  });
}
