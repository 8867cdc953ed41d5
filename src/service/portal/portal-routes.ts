import type { FastifyInstance, FastifyReply } from 'fastify';
import { addSpeechRoutes } from './speech-handlers.ts';
import type { ServiceContext } from '../service-context.ts';
import { addBackupRoutes } from './backup-routes.ts';
import { addCallRoutes } from './call-handlers.ts';
import { addCredentialRoutes } from './credential-handlers.ts';
import { addDirectoryRoutes } from './directory-routes.ts';
import { addDraftRoutes } from './draft-routes.ts';
import { addEventStream } from './event-stream.ts';
import { addHistoryExport, addHistoryRoutes } from './history-routes.ts';
import { addPortalIvrRoutes } from './ivr-handlers.ts';
import { addOverviewRoutes, addOwnerRoutes, addOwnersRoutes } from './owner-handlers.ts';
import { addProxyRoutes } from './proxy-handlers.ts';
import { addPublishRoutes } from './publish-routes.ts';
import { addVoiceRoutes } from './voice-routes.ts';
import { addRecordingAudio, addRecordingRoutes, addSpeechPreview } from './recording-routes.ts';
import { addFamilyRoutes, addTokenRoutes } from './token-handlers.ts';
import type { PbxProblem } from '../../contract/calls/pbx.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { type Result, done } from '../../core/result.ts';
import { pbxProblemText } from '../../text/calls/pbx-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse, refuseCredential } from '../http/refuse.ts';
import { programName } from '../../contract/credential/use-header.ts';
import { type CredentialUse, mostRunning } from '../../contract/credential/use.ts';
import { type CredentialRefusal, findCredential } from '../../core/credential/find-credential.ts';
import { instantMs, isoInstant } from '../../core/iso-instant.ts';
import { viewUse } from '../../core/use/credential-use.ts';
import { refusalText } from '../../text/service/service-text.ts';

/** `/portal/*`: the owner's routes, for the windows and the command line. This scope parses cookies. */
export function addPortalRoutes(app: FastifyInstance, context: ServiceContext): void {
  // Runs after the hook of each route that admits the owner.
  app.addHook('preParsing', ({ raw, routeOptions }, _reply, _body, next) => {
    if (routeOptions.config.family === 'portal') context.connections.trust(raw.socket, 'owner');
    next();
  });
  addTokenRoutes(app, context);
  addFamilyRoutes(app, context);
  addCredentialRoutes(app, context);
  addUseRoutes(app, context);
  addPortalIvrRoutes(app, context);
  addDraftRoutes(app, context);
  addPbxRoutes(app, context);
  addProxyRoutes(app, context);
  addPublishRoutes(app, context);
  addRecordingRoutes(app, context);
  addVoiceRoutes(app, context);
  addRecordingAudio(app, context);
  addSpeechPreview(app, context);
  addCallRoutes(app, context);
  addDirectoryRoutes(app, context);
  addOverviewRoutes(app, context);
  addOwnerRoutes(app, context);
  addOwnersRoutes(app, context);
  addBackupRoutes(app, context);
  addHistoryRoutes(app, context);
  addHistoryExport(app, context);
  addEventStream(app, context);
  addSpeechRoutes(app, context);
}

/** `/portal/pbxs*` and the calls that are in menus now. */
function addPbxRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { telephony, spoken } = context;

  addRoute(app, context, 'listPbxs', () => ({ pbxs: telephony.pbxs() }));
  addRoute(app, context, 'addPbx', async ({ body, reply }) => showPbx(await telephony.addPbx(body), reply));
  addRoute(app, context, 'changePbx', async ({ params, body, reply }) =>
    showPbx(await telephony.changePbx(params.name, body), reply),
  );
  addRoute(app, context, 'removePbx', async ({ params, reply }) =>
    showPbx(await telephony.removePbx(params.name), reply),
  );
  addRoute(app, context, 'testPbx', async ({ params, reply }) => {
    const tested = showPbx(await telephony.testPbx(params.name), reply);
    return tested === null ? null : { ...tested, silent: await spoken.explain(tested.silent) };
  });
  addRoute(app, context, 'ringPhone', async ({ params, body, reply }) =>
    showPbx(await telephony.ring(params.name, body), reply),
  );
  addRoute(app, context, 'checkPrompts', async ({ body }) => ({
    silent: await spoken.explain(await telephony.checkPrompts(body.prompts)),
  }));
  addRoute(app, context, 'liveCalls', () => ({ calls: telephony.live() }));
}

function showPbx<T>(outcome: Result<T, PbxProblem>, reply: FastifyReply): T | null {
  if (outcome.ok) return outcome.value;
  refuse(reply, pbxProblemCodes[outcome.refusal.kind], { message: pbxProblemText(outcome.refusal) });
  return null;
}

const pbxProblemCodes: Readonly<Record<PbxProblem['kind'], ProblemCode>> = {
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

/** Who uses a credential, and commands that report that they run with its token. */
function addUseRoutes(app: FastifyInstance, context: ServiceContext): void {
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
