import { z } from 'zod';
import { Ivr, IvrCreated, IvrDeleted, IvrUpdated } from './menu/ivr.ts';
import { limitParameter } from './service/portal.ts';
import { HealthQuery, HostHealth } from './service/team.ts';
import { RefreshReply, RotateReply, TokenSelf, ValidityHeader, validityHeader } from './token/token.ts';
import { bodyProblems, byId, type Route, tokenProblems } from './route.ts';

/** An `Idempotency-Key` as draft-ietf-httpapi-idempotency-key-header has it: visible ASCII, here 1 to 255 characters. */
const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must have 1 to 255 visible ASCII characters');

/** Of a body that is an empty object, in bytes. It is read before the token is looked at, so it must not cost much. */
const emptyBodyLimitBytes = 16 * 1024;

/** What apps call with a bearer token, and whether the service answers. */
export const v1Routes = {
  rotateToken: {
    method: 'POST',
    path: '/v1/auth/rotate',
    title: 'Rotate a token',
    summary:
      'Replace the Active token that calls: it becomes Superseded, a new Active token inherits its settings.',
    family: 'auth',
    auth: 'bearer',
    headers: z.object({
      'idempotency-key': IdempotencyKey.optional(),
      [validityHeader]: ValidityHeader.optional(),
    }),
    body: z.strictObject({}).optional(),
    limitBytes: emptyBodyLimitBytes,
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
    limitBytes: emptyBodyLimitBytes,
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
    summary:
      'Create an IVR. With an Idempotency-Key the same call gets the same reply for 24 hours, and no second IVR.',
    family: 'ivr',
    auth: 'bearer',
    scope: 'ivr:write',
    checksTokenBeforeBody: true,
    headers: z.object({ 'idempotency-key': IdempotencyKey.optional() }),
    body: z.unknown(),
    reply: IvrCreated,
    problems: [...tokenProblems, ...bodyProblems, 'scope_missing', 'idempotency_key_reused'],
  },
  listIvrs: {
    method: 'GET',
    path: '/v1/ivrs',
    title: 'List IVRs',
    summary:
      'List the stored IVRs, oldest first: all of them where that is a small answer. Else the Link header has the address ' +
      'of the next page, as rel="next"; the last page has none.',
    family: 'ivr',
    auth: 'bearer',
    scope: 'ivr:read',
    query: z.object({
      limit: limitParameter.optional(),
      cursor: z
        .string()
        .regex(/^[\dTZ:.-]{20,30}_\S{1,200}$/, 'must be the cursor of a Link header')
        .optional()
        .describe('Where a page begins. Comes from the Link header of the page before.'),
    }),
    reply: z.array(Ivr),
    replyHeaders: z.object({
      link: z
        .string()
        .optional()
        .describe('The address of the next page, as rel="next". None: there is no more.'),
    }),
    problems: [...tokenProblems, 'scope_missing', 'bad_request'],
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
    checksTokenBeforeBody: true,
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
    checksTokenBeforeBody: true,
    params: byId,
    reply: IvrDeleted,
    problems: [...tokenProblems, ...bodyProblems, 'scope_missing', 'not_found'],
  },
  health: {
    method: 'GET',
    path: '/v1/health',
    title: 'Health',
    summary:
      'Say that the service answers, its version, and what this host does in its team. With a challenge it shows that it is the service of a data folder: `proof` is the HMAC-SHA256 of `rotavox BASE_URL CHALLENGE` with the `portal_key` of that `runtime.json`, in hexadecimal.',
    family: 'auth',
    auth: 'none',
    query: HealthQuery,
    reply: HostHealth,
    problems: ['bad_request'],
  },
  ready: {
    method: 'GET',
    path: '/v1/ready',
    title: 'Readiness',
    summary:
      'Say whether this host can answer calls, or pass them on to the host that leads, and whether changes can be stored. While they cannot, every call that changes something is answered with 503.',
    family: 'auth',
    auth: 'none',
    reply: z.object({ status: z.literal('ready') }),
    problems: ['not_ready'],
  },
} as const satisfies Record<string, Route>;
