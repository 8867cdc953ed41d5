import { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { RouteFamily } from './shapes.ts';
import type { Scope } from './token/token.ts';

/** One route: what may be asked, who may ask it, and every reply. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A few words for a table of contents. */
  readonly title: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly family: Exclude<RouteFamily, 'proxy'>;
  /** `bearer`: an API token or an access token. `portal`: the portal key, the key of an owner, or a window's cookie. */
  readonly auth: 'none' | 'bearer' | 'portal';
  /** The scope that a bearer with restricted scopes must have. */
  readonly scope?: Scope;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** `ivr` bodies are parsed by `core/ivr`, which knows formats that a schema cannot express. */
  readonly body?: z.ZodType;
  /**
   * The type of the body. Default: JSON, checked by `body`; `audio` is passed on unchanged and checked by its content; `stream` is read
   * while it arrives, whatever its length.
   */
  readonly takes?: 'json' | 'audio' | 'stream';
  /** For a bearer: a large body is read only after its token is accepted, so that strangers cannot fill the memory. */
  readonly checksTokenBeforeBody?: true;
  /** The largest body, in bytes. Default: `bodyLimitBytes`. */
  readonly limitBytes?: number;
  readonly reply: z.ZodType;
  /** What the headers of the reply contain. */
  readonly replyHeaders?: z.ZodObject;
  readonly problems: readonly ProblemCode[];
}

/** The largest body of a route that names no other limit, in bytes: an IVR has 14 fields. */
export const bodyLimitBytes = 256 * 1024;

/* What several routes have in common. */

export const tokenProblems = [
  'token_invalid',
  'token_expired',
  'token_suspended',
  'token_blacklisted',
  'address_not_allowed',
  'too_many_failures',
] as const;
export const bodyProblems = [
  'bad_request',
  'malformed_json',
  'body_too_large',
  'not_json',
  'body_encoded',
] as const;
/** Where a body may be larger than usual (`limitBytes`). */
export const largeBodyProblems = [...bodyProblems, 'too_many_values'] as const;

/** What all routes of the owner have in common. */
const ofPortal = { family: 'portal', auth: 'portal' } as const;

/** The same with the address of a route, and the names in it. */
export function portalRoute<const M extends Route['method'], const P extends string>(method: M, path: P) {
  const named = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => [name, z.string()]);
  const params = named.length === 0 ? {} : { params: z.object(Object.fromEntries(named)) };
  return { method, path, ...ofPortal, ...params } as PortalAddress<M, P>;
}

type PortalCall<M, P> = typeof ofPortal & { readonly method: M; readonly path: P };
type PortalAddress<M, P> =
  ParameterOf<P> extends never
    ? PortalCall<M, P>
    : PortalCall<M, P> & { readonly params: z.ZodObject<Record<ParameterOf<P>, z.ZodString>> };

/** The names in a path such as `/portal/credentials/:name/targets/:target_id`. */
type ParameterOf<P> = P extends `${string}:${infer N}/${infer Rest}`
  ? N | ParameterOf<Rest>
  : P extends `${string}:${infer N}`
    ? N
    : never;

/** The body of a call that needs none. */
export const noBody = z.strictObject({}).optional();

export const portalProblems = ['not_signed_in'] as const;
/** Where events are read from disk. */
export const historyProblems = [...portalProblems, 'history_unreadable'] as const;
export const byId = z.object({ id: z.string() });
export const credentialProblems = [...portalProblems, ...bodyProblems, 'not_found'] as const;
/** Routes that read or write a token: the vault may be locked. */
export const valueProblems = [...credentialProblems, 'vault_unavailable'] as const;
