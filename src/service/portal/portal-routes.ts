import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { addSpeechRoutes, addVoiceRoutes } from './voice-routes.ts';
import type { ServiceContext } from '../service-context.ts';
import { addConnectionRoutes } from './connection-handlers.ts';
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
import { addScheduleRoutes } from './schedule-handlers.ts';
import { addRecordingAudio, addRecordingRoutes, addSpeechPreview } from './recording-routes.ts';
import { addFamilyRoutes, addTokenRoutes } from './token-handlers.ts';
import type { PbxProblem } from '../../contract/calls/pbx.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import { readState } from '../../core/ledger.ts';
import { done, type Result } from '../../core/result.ts';
import { pbxProblemText } from '../../text/calls/pbx-text.ts';
import { addRoute } from '../http/add-route.ts';
import { answerCredential, answerRefusal, refuse, refuseCredential } from '../http/refuse.ts';
import { programName } from '../../contract/credential/use-header.ts';
import { type CredentialUse, mostRunning } from '../../contract/credential/use.ts';
import { type CredentialRefusal, findCredential } from '../../core/credential/find-credential.ts';
import { instantMs, isoInstant } from '../../core/iso-instant.ts';
import { viewUse } from '../../core/use/credential-use.ts';
import { refusalText } from '../../text/service/service-text.ts';
import { backupPassphraseHeader } from '../../contract/address.ts';
import { NewBackup } from '../../contract/service/backup.ts';
import { fieldProblemsOf } from '../../contract/field-problem.ts';
import { backupDownload } from '../../contract/downloads.ts';
import { backupText } from '../../text/service/backup-text.ts';
import { addToolRoutes } from './tool-handlers.ts';

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
  addConnectionRoutes(app, context);
  addToolRoutes(app, context);
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
  addScheduleRoutes(app, context);
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
  const { ledger, telephony, spoken } = context;

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
    if (tested === null) return null;
    const speech = new Map(Array.from(ledger.state.ivrs.values(), (ivr) => [ivr.name, ivr.speech]));
    return { ...tested, silent: await spoken.explain(tested.silent, ({ menu }) => speech.get(menu)) };
  });
  addRoute(app, context, 'ringPhone', async ({ params, body, reply }) =>
    showPbx(await telephony.ring(params.name, body), reply),
  );
  addRoute(app, context, 'checkPrompts', async ({ body }) => ({
    silent: await spoken.explain(
      await telephony.checkPrompts({ prompts: body.prompts, speech: body.speech }),
      () => body.speech,
    ),
  }));
  addRoute(app, context, 'listPbxSounds', () => telephony.sounds());
  addRoute(app, context, 'liveCalls', () => ({ calls: telephony.live() }));
}

function showPbx<T>(outcome: Result<T, PbxProblem>, reply: FastifyReply): T | null {
  if (outcome.ok) return outcome.value;
  return answerRefusal(reply, pbxProblemCodes[outcome.refusal.kind], {
    message: pbxProblemText(outcome.refusal),
  });
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
  const { ledger, credentialAgent, uses, clock } = context;

  addRoute(app, context, 'readCredentialUse', async ({ params, reply }) => {
    const use = await readState<Result<CredentialUse, CredentialRefusal>>(ledger, (state, nowMs) => {
      const found = findCredential(state, params.name);
      if (!found.ok) return found;
      const { id } = found.value;
      const now = {
        nowMs,
        pending: uses.record.pending(id),
        running: uses.running(id),
        tools: credentialAgent.runningTools(id),
      };
      return done(viewUse(state, found.value, now));
    });
    return answerCredential(reply, use);
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

/** `/portal/backup` and `/portal/restore*`: everything as one encrypted file. */
function addBackupRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { backups, sessions } = context;

  app.route({
    method: backupDownload.method,
    url: backupDownload.path,
    config: { family: backupDownload.family },
    onRequest: sessions.guard,
    handler: async (request, reply) => {
      const body = NewBackup.safeParse(request.body);
      if (!body.success)
        return refuse(reply, 'bad_request', { errors: fieldProblemsOf(body.error, request.body) });
      if (backups === null) return refuse(reply, 'conflict', { message: backupText.ofTeam });
      // The journal is read first, and nothing is sent meanwhile.
      reply.raw.setTimeout(0);
      const written = await backups.write(body.data.passphrase);
      if (!written.ok) return refuse(reply, 'conflict', { message: written.refusal });
      const bytes = Readable.from(written.value, { objectMode: false });
      // An incomplete file is not mistaken for a complete one: the connection is broken.
      reply.raw.once(
        'close',
        sessions.endStreamWithSession(request, () => reply.raw.destroy()),
      );
      return reply.type('application/octet-stream').header('cache-control', 'no-store').send(bytes);
    },
  });

  addRoute(app, context, 'stageRestore', async ({ request, body, reply }) => {
    if (backups === null) return ofTeam(reply);
    // It is unpacked and checked after it has arrived, and nothing is sent meanwhile.
    reply.raw.setTimeout(0);
    const encoded = String(request.headers[backupPassphraseHeader]);
    const passphrase = Buffer.from(encoded, 'base64url').toString('utf8');
    const staged = await backups.stage(body, passphrase);
    if (staged.ok) return staged.value;
    return answerRefusal(reply, 'conflict', { message: staged.refusal });
  });

  addRoute(app, context, 'beginRestore', async ({ reply }) => {
    if (backups === null) return ofTeam(reply);
    const begun = await backups.begin();
    if (begun.ok) return { aside: begun.value };
    return answerRefusal(reply, 'conflict', { message: begun.refusal });
  });
}

function ofTeam(reply: FastifyReply): null {
  return answerRefusal(reply, 'conflict', { message: backupText.ofTeam });
}
