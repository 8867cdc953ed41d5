import { z } from 'zod';
import { Ivr, IvrCreated, IvrDeleted, IvrUpdated } from './ivr.ts';
import {
  HistoryPage,
  HistoryQuery,
  IvrVersions,
  PortalStatus,
  SignInLink,
  TokenPage,
  TokenQuery,
  Verification,
} from './portal.ts';
import type { ProblemCode } from './problems.ts';
import { Settings, SettingsChange } from './settings.ts';
import type { RouteFamily } from './shapes.ts';
import {
  IssuedToken,
  IssueToken,
  RefreshReply,
  RotateReply,
  type Scope,
  StateChange,
  TokenSelf,
  TokenView,
} from './token.ts';

/** One promise: what may be asked, who may ask it, every answer that it has. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A few words, for a list of contents. */
  readonly title: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  readonly family: RouteFamily;
  /** `bearer`: an API token or an access token. `portal`: the portal key or a window's cookie. */
  readonly auth: 'none' | 'bearer' | 'portal';
  /** The scope that a bearer with restricted scopes must have. */
  readonly scope?: Scope;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** `ivr` bodies are parsed by `core/ivr`, which knows the forms that a schema cannot say. */
  readonly body?: z.ZodType;
  readonly reply: z.ZodType;
  readonly problems: readonly ProblemCode[];
}

const tokenProblems = [
  'token_invalid',
  'token_expired',
  'token_suspended',
  'token_blacklisted',
  'address_not_allowed',
  'too_many_failures',
] as const;
const bodyProblems = ['bad_request', 'malformed_json', 'body_too_large', 'not_json'] as const;
const portalProblems = ['not_signed_in'] as const;
const byId = z.object({ id: z.string() });

/** An `Idempotency-Key` as draft-ietf-httpapi-idempotency-key-header has it: visible ASCII, here 1 to 255 characters. */
const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible ASCII characters');

/**
 * The route table: server, client, test doubles and the OpenAPI document are all derived from this value.
 *
 * Every route also has `host_not_allowed`, `origin_not_allowed`, `internal` and, where it changes something,
 * `store_unavailable`.
 */
export const routes = {
  rotateToken: {
    method: 'POST',
    path: '/v1/auth/rotate',
    title: 'Rotate a token',
    summary:
      'Replace the Active token that calls: it becomes Superseded, a new Active token inherits its settings.',
    family: 'auth',
    auth: 'bearer',
    headers: z.object({ 'idempotency-key': IdempotencyKey.optional() }),
    body: z.strictObject({}).optional(),
    reply: RotateReply,
    problems: [...tokenProblems, ...bodyProblems],
  },
  refreshToken: {
    method: 'POST',
    path: '/v1/auth/refresh',
    title: 'Refresh: get an access token',
    summary: 'Get a short-lived access token under the API token that calls, which stays as it is.',
    family: 'auth',
    auth: 'bearer',
    body: z.strictObject({}).optional(),
    reply: RefreshReply,
    problems: [...tokenProblems, ...bodyProblems],
  },
  readSelf: {
    method: 'GET',
    path: '/v1/auth/token',
    title: 'Read the token that calls',
    summary: 'Read the status and the expiry of the token that calls.',
    family: 'auth',
    auth: 'bearer',
    reply: TokenSelf,
    problems: tokenProblems,
  },
  createIvr: {
    method: 'POST',
    path: '/v1/ivr',
    title: 'Create an IVR',
    summary: 'Create an IVR.',
    family: 'ivr',
    auth: 'bearer',
    scope: 'ivr:write',
    body: z.unknown(),
    reply: IvrCreated,
    problems: [...tokenProblems, ...bodyProblems, 'scope_missing'],
  },
  listIvrs: {
    method: 'GET',
    path: '/v1/ivrs',
    title: 'List IVRs',
    summary: 'List the stored IVRs.',
    family: 'ivr',
    auth: 'bearer',
    scope: 'ivr:read',
    reply: z.array(Ivr),
    problems: [...tokenProblems, 'scope_missing'],
  },
  readIvr: {
    method: 'GET',
    path: '/v1/ivr/:id',
    title: 'Read an IVR',
    summary: 'Read one IVR.',
    family: 'ivr',
    auth: 'bearer',
    scope: 'ivr:read',
    params: byId,
    reply: Ivr,
    problems: [...tokenProblems, 'scope_missing', 'not_found'],
  },
  updateIvr: {
    method: 'PUT',
    path: '/v1/ivr/:id',
    title: 'Replace an IVR',
    summary: 'Replace an IVR: its version goes up by one.',
    family: 'ivr',
    auth: 'bearer',
    scope: 'ivr:write',
    params: byId,
    body: z.unknown(),
    reply: IvrUpdated,
    problems: [...tokenProblems, ...bodyProblems, 'scope_missing', 'not_found'],
  },
  deleteIvr: {
    method: 'DELETE',
    path: '/v1/ivr/:id',
    title: 'Delete an IVR',
    summary: 'Delete an IVR. Its versions stay in the history.',
    family: 'ivr',
    auth: 'bearer',
    scope: 'ivr:write',
    params: byId,
    reply: IvrDeleted,
    problems: [...tokenProblems, ...bodyProblems, 'scope_missing', 'not_found'],
  },
  health: {
    method: 'GET',
    path: '/v1/health',
    title: 'Health',
    summary: 'Say that the service answers, and its version.',
    family: 'auth',
    auth: 'none',
    reply: z.object({ status: z.literal('ok'), version: z.string() }),
    problems: [],
  },
  portalStatus: {
    method: 'GET',
    path: '/portal/status',
    title: 'Status',
    summary: 'Counts, addresses and the health of the store.',
    family: 'portal',
    auth: 'portal',
    reply: PortalStatus,
    problems: portalProblems,
  },
  issueToken: {
    method: 'POST',
    path: '/portal/tokens',
    title: 'Issue a token',
    summary: 'Issue a token. The only answer that ever shows its value.',
    family: 'portal',
    auth: 'portal',
    body: IssueToken,
    reply: IssuedToken,
    problems: [...portalProblems, ...bodyProblems],
  },
  listTokens: {
    method: 'GET',
    path: '/portal/tokens',
    title: 'List tokens',
    summary: 'List tokens, newest first.',
    family: 'portal',
    auth: 'portal',
    query: TokenQuery,
    reply: TokenPage,
    problems: [...portalProblems, 'bad_request'],
  },
  readToken: {
    method: 'GET',
    path: '/portal/tokens/:id',
    title: 'Read a token',
    summary: 'Read one token.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    reply: TokenView,
    problems: [...portalProblems, 'not_found'],
  },
  tokenHistory: {
    method: 'GET',
    path: '/portal/tokens/:id/history',
    title: 'History of a token',
    summary: 'What happened to one token, newest first.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    query: HistoryQuery.omit({ subject: true, kind: true }),
    reply: HistoryPage,
    problems: [...portalProblems, 'bad_request', 'not_found'],
  },
  suspendToken: {
    method: 'POST',
    path: '/portal/tokens/:id/suspend',
    title: 'Suspend a token',
    summary: 'Active -> Suspended.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    body: StateChange.optional(),
    reply: TokenView,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  resumeToken: {
    method: 'POST',
    path: '/portal/tokens/:id/resume',
    title: 'Resume a token',
    summary: 'Suspended -> Active.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    body: StateChange.optional(),
    reply: TokenView,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  blacklistToken: {
    method: 'POST',
    path: '/portal/tokens/:id/blacklist',
    title: 'Blacklist a token',
    summary: 'Active or Suspended -> Blacklisted, for good.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    body: StateChange.optional(),
    reply: TokenView,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  portalCreateIvr: {
    method: 'POST',
    path: '/portal/ivrs',
    title: 'Create an IVR as the owner',
    summary: 'Create an IVR as the owner.',
    family: 'portal',
    auth: 'portal',
    body: z.unknown(),
    reply: IvrCreated,
    problems: [...portalProblems, ...bodyProblems],
  },
  portalListIvrs: {
    method: 'GET',
    path: '/portal/ivrs',
    title: 'List IVRs as the owner',
    summary: 'List the stored IVRs.',
    family: 'portal',
    auth: 'portal',
    reply: z.object({ ivrs: z.array(Ivr) }),
    problems: portalProblems,
  },
  portalReadIvr: {
    method: 'GET',
    path: '/portal/ivrs/:id',
    title: 'Read an IVR as the owner',
    summary: 'Read one IVR.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    reply: Ivr,
    problems: [...portalProblems, 'not_found'],
  },
  portalIvrVersions: {
    method: 'GET',
    path: '/portal/ivrs/:id/versions',
    title: 'Versions of an IVR',
    summary: 'Every version of an IVR, newest first, also of a deleted one.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    reply: IvrVersions,
    problems: [...portalProblems, 'not_found'],
  },
  portalUpdateIvr: {
    method: 'PUT',
    path: '/portal/ivrs/:id',
    title: 'Replace an IVR as the owner',
    summary: 'Replace an IVR as the owner.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    body: z.unknown(),
    reply: IvrUpdated,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  portalDeleteIvr: {
    method: 'DELETE',
    path: '/portal/ivrs/:id',
    title: 'Delete an IVR as the owner',
    summary: 'Delete an IVR as the owner.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    reply: IvrDeleted,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  readSettings: {
    method: 'GET',
    path: '/portal/settings',
    title: 'Read settings',
    summary: 'Read the settings.',
    family: 'portal',
    auth: 'portal',
    reply: Settings,
    problems: portalProblems,
  },
  changeSettings: {
    method: 'PATCH',
    path: '/portal/settings',
    title: 'Change settings',
    summary: 'Change some of the settings.',
    family: 'portal',
    auth: 'portal',
    body: SettingsChange,
    reply: Settings,
    problems: [...portalProblems, ...bodyProblems],
  },
  readHistory: {
    method: 'GET',
    path: '/portal/history',
    title: 'Read the history',
    summary: 'Everything that happened, newest first.',
    family: 'portal',
    auth: 'portal',
    query: HistoryQuery,
    reply: HistoryPage,
    problems: [...portalProblems, 'bad_request'],
  },
  verifyHistory: {
    method: 'GET',
    path: '/portal/history/verify',
    title: 'Verify the history',
    summary: 'Read the whole journal from disk and check every hash and every link of its chain.',
    family: 'portal',
    auth: 'portal',
    reply: Verification,
    problems: portalProblems,
  },
  createSignInLink: {
    method: 'POST',
    path: '/portal/sign-in-links',
    title: 'Make a sign-in link',
    summary: 'Make a single-use link that signs a browser in.',
    family: 'portal',
    auth: 'portal',
    body: z.strictObject({}).optional(),
    reply: SignInLink,
    problems: [...portalProblems, ...bodyProblems],
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** The stream of changes: Server-Sent Events named `change`, each a `ChangeNotice` with its `seq` as the event id. */
export const eventStreamPath = '/portal/events';
