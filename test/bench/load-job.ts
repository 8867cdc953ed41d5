/** What the load client is asked over its message channel, and what it answers. */

/** Where a request's bearer comes from, and where the reply's `access_token` goes. */
export type BearerUse =
  /** Each connection has a token of its own; the reply's token is its next one. */
  | 'chain'
  /** Any token of the whole store at random, taken out; the reply's token is put in. Mostly cold lookups. */
  | 'pool'
  /** The token is not consumed. */
  | 'fixed';

export interface LoadJob {
  readonly id: number;
  /** Names the token store inside the load client, which survives from round to round. */
  readonly tokensOf: string;
  /** A file with one token per line, read before the clock starts; replaces the store. */
  readonly tokensFile?: string;
  readonly port: number;
  readonly request: 'rotate' | 'ivr';
  readonly bearer: BearerUse;
  readonly connections: number;
  readonly durationMs: number;
  /** Has every request that took longer listed in the result. */
  readonly listSlowerThanMs?: number;
}

export interface LoadResult {
  readonly id: number;
  /** Replies that arrived while the clock ran; those still under way at its end are waited for but not counted. */
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Replies other than 200, with the first of them in full. */
  readonly refused: number;
  readonly firstRefusal?: string;
  /** Share of one core that the load client itself used; near 1 means that it, not the server, was the limit. */
  readonly clientCpu: number;
  /** Empty unless it was asked for. */
  readonly slow: readonly SlowRequest[];
}

export interface SlowRequest {
  /** When it was sent, in milliseconds since the epoch. */
  readonly sentAt: number;
  readonly tookMs: number;
}

export type LoadAnswer = LoadResult | { readonly id: number; readonly failure: string };
