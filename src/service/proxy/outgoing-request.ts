import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pageKeyHeader } from '../../contract/address.ts';
import { tokenHeaders } from './app-token-gate.ts';

/** How long a service may send nothing, in milliseconds: models think for minutes before they answer. No limit on the whole. */
export const idleLimitMs = 600_000;

/** Headers of one connection (RFC 9110, section 7.6.1), which are never sent on. */
export const connectionHeaders = [
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
] as const;

/**
 * What is not sent on: tokens and cookies, headers that make a service act for another user, with another method or on another
 * path, what proxies say about a caller, and headers of one connection (RFC 9110, section 7.6.1).
 */
const dropped: ReadonlySet<string> = new Set([
  ...tokenHeaders,
  pageKeyHeader,
  'cookie',
  'cookie2',
  'sudo',
  'x-sudo',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-method',
  'x-original-url',
  'x-rewrite-url',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  ...connectionHeaders,
  'origin',
]);
const droppedBeginning = /^(?:proxy-|x-forwarded-|sec-|rotavox-)/;

/** Of a request whose answer is searched: a part of an answer could have a part of the token. */
const partial: ReadonlySet<string> = new Set(['range', 'if-range']);

/** Asks for an answer that can be searched: all of it, and not compressed. */
export function askForText(headers: Record<string, string>): void {
  for (const name of partial) Reflect.deleteProperty(headers, name);
  headers['accept-encoding'] = 'identity';
}

/** The headers that a `Connection` header names (RFC 9110, section 7.6.1), in lower case. */
export function namesIn(connection: string): ReadonlySet<string> {
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}

/** The headers of a request as the service gets them, without its token. */
export function outgoingHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const { connection } = headers;
  const named = connection === undefined ? none : namesIn(connection);
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || dropped.has(name) || named.has(name) || droppedBeginning.test(name)) continue;
    kept[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return kept;
}

const none: ReadonlySet<string> = new Set();

/** Parameters of an address that are read like a token, a method or another user. */
const droppedParameters: ReadonlySet<string> = new Set([
  'access_token',
  'private_token',
  'job_token',
  'feed_token',
  'rss_token',
  'oauth_token',
  'bearer_token',
  'api_key',
  'apikey',
  'sudo',
  '_method',
]);

/** The query without those; everything else is sent byte by byte. */
export function outgoingQuery(query: string): string {
  if (query === '') return '';
  const parts = query.split(/([&;])/);
  let kept = '';
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at] ?? '';
    if (droppedParameters.has(nameOf(part))) continue;
    kept += kept === '' ? part : `${parts[at - 1] ?? '&'}${part}`;
  }
  return kept;
}

/** As services read it: decoded, in any case, without what makes it a list. */
function nameOf(parameter: string): string {
  const name = parameter.split('=', 1)[0] ?? '';
  return decoded(name.replaceAll('+', ' ')).trim().toLowerCase().replace(/\[.*$/s, '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no parameter that a service would read
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The body as it arrives. The library destroys what it no longer sends, such as after an early answer; that must not end the
 * connection on which this answer goes to the app.
 */
export function withoutDestroy(raw: IncomingMessage): IncomingMessage {
  const destroy = raw.destroy.bind(raw);
  raw.destroy = (error) => (raw.socket.destroyed ? destroy(error) : raw);
  return raw;
}
