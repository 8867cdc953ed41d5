/** The jobs of the load client on its message channel, and its answers. */

/** The source of a request's bearer, and where the reply's `access_token` goes. */
export type BearerUse =
  /** Each connection has its token; the reply's token is its next one. */
  | 'chain'
  /** The token is not consumed. */
  | 'fixed';

export interface LoadJob {
  readonly id: number;
  /** Names the token store inside the load client, which survives from round to round. */
  readonly tokensOf: string;
  /** A file with one token per line, read before the clock starts; replaces the store. */
  readonly tokensFile?: string;
  readonly port: number;
  readonly request: 'rotate' | 'ivr' | 'proxied';
  readonly bearer: BearerUse;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly id: number;
  /** Replies that arrived in time; those still open at the end are waited for but not counted. */
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Replies other than 200, with the complete first one. */
  readonly refused: number;
  readonly firstRefusal?: string;
  /** Share of one core that the load client itself used; near 1 means that it, not the server, was the limit. */
  readonly clientCpu: number;
}

export type LoadAnswer = LoadResult | { readonly id: number; readonly failure: string };
