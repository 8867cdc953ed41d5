import type { ProblemCode } from '../problems.ts';
import type { RouteFamily } from '../shapes.ts';
import type { Scope } from '../token.ts';
import type { z } from 'zod';

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
  /** What the body is. Default: JSON, checked by `body`; `audio` goes as it is and is judged by what is in it. */
  readonly takes?: 'json' | 'audio';
  /** The largest body, in bytes. Default: `bodyLimitBytes`. */
  readonly limitBytes?: number;
  readonly reply: z.ZodType;
  /** What the headers of the reply say beside it. */
  readonly replyHeaders?: z.ZodObject;
  readonly problems: readonly ProblemCode[];
}

/** The largest body of a route that names no other limit, in bytes: an IVR has 14 fields. */
export const bodyLimitBytes = 256 * 1024;
