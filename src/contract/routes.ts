import { callRoutes } from './calls/call-routes.ts';
import { credentialRoutes, proxyRoutes } from './credential/credential-routes.ts';
import { toolCommandRoutes } from './credential/tool-command.ts';
import { connectionRoutes } from './credential/tool-connection.ts';
import { directoryRoutes, draftRoutes, ivrRoutes, recordingRoutes, speechRoutes } from './menu/ivr-routes.ts';
import { voicePackRoutes } from './menu/voice-pack.ts';
import { historyRoutes, ownerRoutes } from './service/owner-routes.ts';
import { scheduleRoutes } from './menu/schedule.ts';
import { tokenRoutes } from './token/token-list.ts';
import { v1Routes } from './v1-routes.ts';

/**
 * The route table: server, client, test doubles and the OpenAPI document are all derived from this value.
 *
 * Every route also has `host_not_allowed`, `origin_not_allowed`, `internal` and, where it changes something,
 * `store_unavailable`.
 */
export const routes = {
  ...v1Routes,
  ...tokenRoutes,
  ...ivrRoutes,
  ...draftRoutes,
  ...recordingRoutes,
  ...speechRoutes,
  ...voicePackRoutes,
  ...directoryRoutes,
  ...scheduleRoutes,
  ...credentialRoutes,
  ...proxyRoutes,
  ...connectionRoutes,
  ...toolCommandRoutes,
  ...callRoutes,
  ...historyRoutes,
  ...ownerRoutes,
} as const;

export type RouteName = keyof typeof routes;
