import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PbxProblem } from '../../contract/calls/pbx.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import type { Result } from '../../core/result.ts';
import { pbxProblemText } from '../../text/calls/pbx-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/pbxs*` and the calls that are in menus now. */
export function addPbxRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { telephony, spoken } = context;

  addRoute(app, context, 'listPbxs', () => ({ pbxs: telephony.pbxs() }));
  addRoute(app, context, 'addPbx', async ({ body, reply }) => show(await telephony.addPbx(body), reply));
  addRoute(app, context, 'changePbx', async ({ params, body, reply }) =>
    show(await telephony.changePbx(params.name, body), reply),
  );
  addRoute(app, context, 'removePbx', async ({ params, reply }) =>
    show(await telephony.removePbx(params.name), reply),
  );
  addRoute(app, context, 'testPbx', async ({ params, reply }) => {
    const tested = show(await telephony.testPbx(params.name), reply);
    return tested === null ? null : { ...tested, silent: await spoken.explain(tested.silent) };
  });
  addRoute(app, context, 'ringPhone', async ({ params, body, reply }) =>
    show(await telephony.ring(params.name, body), reply),
  );
  addRoute(app, context, 'checkPrompts', async ({ body }) => ({
    silent: await spoken.explain(await telephony.checkPrompts(body.prompts)),
  }));
  addRoute(app, context, 'liveCalls', () => ({ calls: telephony.live() }));
}

function show<T>(outcome: Result<T, PbxProblem>, reply: FastifyReply): T | null {
  if (outcome.ok) return outcome.value;
  refuse(reply, codes[outcome.refusal.kind], { message: pbxProblemText(outcome.refusal) });
  return null;
}

const codes: Readonly<Record<PbxProblem['kind'], ProblemCode>> = {
  not_found: 'not_found',
  name_taken: 'conflict',
  address_taken: 'conflict',
  insecure_http: 'bad_request',
  password_needed: 'bad_request',
  vault: 'vault_unavailable',
  unreachable: 'conflict',
  menu_not_found: 'not_found',
  draft_has_errors: 'conflict',
  endpoint_refused: 'conflict',
};
