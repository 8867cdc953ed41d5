import { credentialRoutes } from './routes/credential-routes.ts';
import { directoryRoutes } from './routes/directory-routes.ts';
import { draftRoutes } from './routes/draft-routes.ts';
import { historyRoutes } from './routes/history-routes.ts';
import { ivrRoutes } from './routes/ivr-routes.ts';
import { ownerRoutes } from './routes/owner-routes.ts';
import { recordingRoutes } from './routes/recording-routes.ts';
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
  ...historyRoutes,
  ...ownerRoutes,
} as const;

export type RouteName = keyof typeof routes;
