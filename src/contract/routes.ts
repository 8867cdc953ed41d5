import { callRoutes } from './routes/call-routes.ts';
import { credentialRoutes } from './routes/credential-routes.ts';
import { directoryRoutes, draftRoutes, ivrRoutes, recordingRoutes } from './routes/ivr-routes.ts';
import { historyRoutes, ownerRoutes } from './routes/owner-routes.ts';
import { proxyRoutes } from './routes/proxy-routes.ts';
import { tokenRoutes } from './routes/token-routes.ts';
import { v1Routes } from './routes/v1-routes.ts';

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
  ...directoryRoutes,
  ...credentialRoutes,
  ...proxyRoutes,
  ...callRoutes,
  ...historyRoutes,
  ...ownerRoutes,
} as const;

export type RouteName = keyof typeof routes;
