import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { originOf } from '../../contract/address.ts';
import { mayTakeTime } from '../../network/create-listener.ts';

/** How long a service may send nothing, in milliseconds: models think for minutes before they answer. No limit on the whole. */
export const idleLimitMs = 600_000;

/**
 * What is sent on: headers that say what a request is, has or accepts. A list of what is not could never be whole: services
 * read headers that make them act for another user, with another method, on another path or in another namespace, and many of them
 * read `_` as `-` (CVE-2025-64484). A header that is not here is left out.
 */
const passed: ReadonlySet<string> = new Set(
  `accept accept-charset accept-encoding accept-language accept-version anthropic-beta anthropic-version api-version baggage
  cache-control consistencylevel content-digest content-disposition content-encoding content-language content-length
  content-md5 content-range content-type date digest elastic-api-version idempotency-key if-match if-modified-since if-none-match
  if-range if-unmodified-since last-event-id mcp-protocol-version mcp-session-id notion-version openai-beta pragma prefer
  priority range repr-digest soapaction stripe-version traceparent tracestate tus-resumable upload-checksum upload-concat
  upload-length upload-metadata upload-offset user-agent want-content-digest want-digest x-api-version x-atlassian-token
  x-client-request-id x-correlation-id x-github-api-version x-goog-api-client x-goog-request-params x-idempotency-key
  x-ms-client-request-id x-ms-version x-request-id x-requested-with x-upload-content-length x-upload-content-type
  x-vault-request`.split(/\s+/),
);
/** Libraries say with these what they are. */
const passedBeginning = 'x-stainless-';

/** Left out where the answer is searched: a part of an answer could have a part of the token. */
const partial: ReadonlySet<string> = new Set(['range', 'if-range', 'accept-encoding']);

/** The headers that a `Connection` header names (RFC 9110, section 7.6.1), in lower case. */
export function namesIn(connection: string): ReadonlySet<string> {
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}

/**
 * The headers of a request as the service gets them, without its token: names and values in turn.
 *
 * `isSearched`: the answer is, so it has to come whole and not compressed.
 */
export function outgoingHeaders(headers: IncomingHttpHeaders, isSearched: boolean): string[] {
  const { connection } = headers;
  const named = connection === undefined ? none : namesIn(connection);
  const kept: string[] = [];
  for (const name in headers) {
    if (!passed.has(name) && !name.startsWith(passedBeginning)) continue;
    const value = headers[name];
    if (value === undefined || named.has(name) || (isSearched && partial.has(name))) continue;
    kept.push(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (isSearched) kept.push('accept-encoding', 'identity');
  return kept;
}

const none: ReadonlySet<string> = new Set();

/** Parameters of an address that are read like a token, a method or another user, without what divides their words. */
const droppedParameters: ReadonlySet<string> = new Set([
  'accesstoken',
  'privatetoken',
  'jobtoken',
  'feedtoken',
  'rsstoken',
  'oauthtoken',
  'bearertoken',
  'authtoken',
  'apikey',
  'xapikey',
  'sudo',
  'impersonate',
  'xhttpmethod',
  'xhttpmethodoverride',
  'httpmethodoverride',
  'xmethodoverride',
]);

/** The query without those; everything else is sent byte by byte. */
export function outgoingQuery(query: string): string {
  if (query === '') return '';
  const parts = query.split(/([&;])/);
  let kept = '';
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at] ?? '';
    const name = nameOf(part);
    if (name === '_method' || droppedParameters.has(name.replace(/[^a-z]/g, ''))) continue;
    kept += kept === '' ? part : `${parts[at - 1] ?? '&'}${part}`;
  }
  return kept;
}

/** As services read it: decoded, in any case, without what makes it a list. PHP ends a name at a NUL, and reads `.` and `[` as `_`. */
function nameOf(parameter: string): string {
  const sent = parameter.split('=', 1)[0] ?? '';
  const [name = ''] = decoded(sent.replaceAll('+', ' ')).trim().toLowerCase().split('\0', 1);
  const list = name.indexOf('[', 1);
  const alone = list > 0 && name.includes(']', list) ? name.slice(0, list) : name;
  return alone.replaceAll(/[.[]/g, '_');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no parameter that a service would read
  }
}

/** Host and port of a base_url, as it is written. */
export function hostOf(baseUrl: string): string {
  return originOf(baseUrl).replace(/^[a-z]+:\/\//i, '');
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * The body as it arrives. undici destroys what it no longer sends, such as after an early answer; that must not end the
 * connection on which this answer goes to the app.
 */
export function withoutDestroy(raw: IncomingMessage): IncomingMessage {
  const destroy = raw.destroy.bind(raw);
  raw.destroy = (error) => (raw.socket.destroyed ? destroy(error) : raw);
  return raw;
}

/** Lets a request that was allowed take as long as it needs; what remains is the limit on silence. */
export function takeTime({ socket, complete }: IncomingMessage): void {
  if (!complete) mayTakeTime.add(socket);
  socket.setTimeout(idleLimitMs);
}
