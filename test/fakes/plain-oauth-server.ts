import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { oddCharacters } from './serve-fake.ts';

/** What the standard leaves open. */
interface Habits {
  /** RFC 6749 section 6: "The authorization server MAY issue a new refresh token". */
  readonly rotates: boolean;
  /** RFC 6749 section 5.1: `expires_in` is only recommended. Some send a text. */
  readonly expiresIn: string | number | null;
  /** A spent refresh token works for as long, in milliseconds. */
  readonly graceMs?: number;
  /**
   * `each`: a revocation ends that token only. `together`: the access token ends with the refresh token, and revoking an ended one
   * is refused, as at Google. `refresh_only`: access tokens cannot be revoked. `no_access`: their revocation fails.
   */
  readonly revokes?: 'each' | 'together' | 'refresh_only' | 'no_access';
  /** Speaks TLS, and only with who has a certificate of this authority. */
  readonly mutualTls?: { readonly cert: string; readonly key: string; readonly ca: string };
}

/**
 * A server without metadata, introspection or a page: a token endpoint and an authorization endpoint that agrees at once. A
 * refresh ends the access token before it; a spent refresh token that comes again ends everything (RFC 9700 section 4.14.2).
 */
export interface PlainOAuthServer {
  readonly baseUrl: string;
  /** The forms that the token endpoint got, in order. */
  readonly forms: URLSearchParams[];
  readonly revoked: string[];
  isRefreshAlive(token: string): boolean;
  isAccessAlive(token: string): boolean;
}

export async function startPlainOAuthServer(
  clock: () => number,
  { rotates, expiresIn, graceMs = 0, revokes = 'each', mutualTls }: Habits,
): Promise<PlainOAuthServer> {
  const forms: URLSearchParams[] = [];
  const revoked: string[] = [];
  let access: string | null = null;
  let refresh: string | null = null;
  const spent = new Map<string, number>();
  const codes = new Set<string>();
  const newToken = () => `${randomBytes(24).toString('base64url')}${oddCharacters}`;

  function grant(): { status: number; body: unknown } {
    access = newToken();
    const before = refresh;
    if (rotates || before === null) {
      if (before !== null) spent.set(before, clock());
      refresh = newToken();
    }
    return {
      status: 200,
      body: {
        access_token: access,
        token_type: 'Bearer',
        ...(refresh === before ? {} : { refresh_token: refresh }),
        ...(expiresIn === null ? {} : { expires_in: expiresIn }),
      },
    };
  }

  function answer(form: URLSearchParams): { status: number; body: unknown } {
    forms.push(form);
    const refused = { status: 400, body: { error: 'invalid_grant', error_description: 'It is spent.' } };
    if (form.get('grant_type') === 'authorization_code') {
      return codes.delete(form.get('code') ?? '') ? grant() : refused;
    }
    const given = form.get('refresh_token') ?? '';
    const spentAtMs = spent.get(given);
    if (spentAtMs !== undefined && clock() - spentAtMs < graceMs) return grant();
    if (given === refresh) return grant();
    if (spentAtMs !== undefined) access = refresh = null;
    return refused;
  }

  function revoke(token: string): { status: number; error?: string } {
    revoked.push(token);
    if (token === refresh) {
      refresh = null;
      if (revokes === 'together') access = null;
      return { status: 200 };
    }
    if (revokes === 'refresh_only') return { status: 400, error: 'unsupported_token_type' };
    if (revokes === 'no_access') return { status: 503 };
    if (token !== access) return { status: 400, error: 'invalid_token' };
    access = null;
    return { status: 200 };
  }

  const handle: RequestListener = (incoming, reply) => {
    const url = new URL(incoming.url ?? '/', 'http://server');
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      if (url.pathname === '/authorize') {
        const code = newToken();
        codes.add(code);
        const to = new URL(url.searchParams.get('redirect_uri') ?? '');
        to.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString();
        reply.writeHead(302, { location: to.href }).end();
      } else if (url.pathname === '/token') {
        const { status, body } = answer(form);
        reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      } else if (url.pathname === '/revoke') {
        const { status, error } = revoke(form.get('token') ?? '');
        if (error === undefined) reply.writeHead(status).end();
        else reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      } else reply.writeHead(404).end();
    });
  };
  const server =
    mutualTls === undefined
      ? createServer(handle)
      : createTlsServer({ ...mutualTls, requestCert: true, rejectUnauthorized: true }, handle);
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `${mutualTls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forms,
    revoked,
    isRefreshAlive: (token) => token === refresh,
    isAccessAlive: (token) => token === access,
  };
}
