import type { FastifyInstance } from 'fastify';
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
import { addPbxRoutes } from './pbx-routes.ts';
import { addProxyRoutes } from './proxy-handlers.ts';
import { addPublishRoutes } from './publish-routes.ts';
import { addRecordingAudio, addRecordingRoutes, addSpeechPreview } from './recording-routes.ts';
import { addFamilyRoutes, addTokenRoutes } from './token-handlers.ts';
import { addUseRoutes } from './use-routes.ts';

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
}
