/** Pure parts of a provider that is a file: filled requests and values of replies. */
import type {
  FileEnds,
  FileNextPage,
  FileRequest,
  ProviderFile,
} from '../../contract/credential/provider-file.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { believedMs, readExpiry, type SaidExpiry } from '../http/read-expiry.ts';
import type { WebRequest } from '../http/service-caller.ts';

/** What stands for each placeholder. A number stays one where it is the whole value in JSON. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** The placeholders of an end: `days` from now, and no later than the longest that the service allows. */
export function wantedEnd(days: number, nowMs: number, longestDays: number | null): Values {
  const lastingMs = Math.min(days, longestDays ?? days) * dayMs;
  const endMs = nowMs + lastingMs;
  const latestDay = longestDays === null ? Infinity : Math.floor(nowMs / dayMs) + longestDays;
  const day = Math.min(Math.ceil(endMs / dayMs), latestDay);
  return {
    'wanted_end.seconds': Math.floor(lastingMs / 1000),
    'wanted_end.date': new Date(day * dayMs).toISOString().slice(0, 10),
    'wanted_end.iso': `${new Date(endMs).toISOString().slice(0, 19)}Z`,
    'wanted_end.epoch_seconds': Math.floor(endMs / 1000),
    'wanted_end.epoch_milliseconds': endMs,
  };
}

const placeholder = /\{([a-z][a-z0-9_.]*)\}/g;

/** A text with its placeholders filled; null where one has no value. */
function fill(text: string, values: Values, encode: (value: string) => string = String): string | null {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  if (names.some((name) => values[name] === undefined)) return null;
  return text.replace(placeholder, (_all, name: string) => encode(String(values[name])));
}

/** A field whose placeholder has no value is left out. */
function fillFields(
  fields: Readonly<Record<string, string>>,
  values: Values,
  encode?: (value: string) => string,
): [string, string][] {
  return Object.entries(fields).flatMap(([name, text]) => {
    const filled = fill(text, values, encode);
    return filled === null ? [] : [[name, filled] satisfies [string, string]];
  });
}

/** `undefined`: left out. */
function fillJson(tree: unknown, values: Values): unknown {
  if (typeof tree === 'string') {
    const whole = /^\{([a-z][a-z0-9_.]*)\}$/.exec(tree);
    return whole === null ? (fill(tree, values) ?? undefined) : values[whole[1] ?? ''];
  }
  if (Array.isArray(tree)) {
    return tree.map((one) => fillJson(one, values)).filter((one) => one !== undefined);
  }
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, one]) => {
      const filled = fillJson(one, values);
      return filled === undefined ? [] : [[key, filled]];
    }),
  );
}

/** Null: the request has no body. */
function fillBody(
  { json, form }: FileRequest,
  values: Values,
): { readonly type: string; readonly text: string } | null {
  if (form !== undefined) {
    const text = new URLSearchParams(fillFields(form, values)).toString();
    return { type: 'application/x-www-form-urlencoded', text };
  }
  if (json === undefined) return null;
  return { type: 'application/json', text: JSON.stringify(fillJson(json, values)) };
}

/** A header has one line. */
const oneLine = (value: string): string => value.replaceAll(/[\p{Cc}]/gu, '');

/** The request as it is sent, each value encoded for where it stands; null where a part of the path is missing. */
export function fillRequest(
  request: FileRequest,
  present: ProviderFile['present'],
  {
    baseUrl,
    token,
    values,
    timeLimitMs,
  }: {
    readonly baseUrl: string;
    readonly token: string;
    readonly values: Values;
    readonly timeLimitMs: number;
  },
): WebRequest | null {
  const { method, path, query = {}, headers = {} } = request;
  const filledPath = fill(path, values, encodeSegment);
  if (filledPath === null) return null;
  const search = new URLSearchParams(fillFields(query, values)).toString();
  const [slot, sent] =
    present.kind === 'basic'
      ? ['authorization', `Basic ${Buffer.from(token).toString('base64')}`]
      : [present.header, `${present.prefix}${token}`];
  const body = fillBody(request, values);
  return {
    method,
    url: `${baseUrl}${filledPath}${search === '' ? '' : `?${search}`}`,
    headers: {
      accept: 'application/json',
      ...Object.fromEntries(fillFields(headers, values, oneLine)),
      ...(body === null ? {} : { 'content-type': body.type }),
      [slot]: sent,
    },
    body: body === null ? null : body.text,
    timeLimitMs,
  };
}

/** As many pages as a list may have. */
const mostPages = 100;

/** The address of the next page of a list; null: there is none. Otherwise why it cannot be asked for. */
export function nextPage(
  next: FileNextPage | undefined,
  heard: { readonly body: unknown; readonly headers: Readonly<Record<string, string | undefined>> },
  {
    url,
    baseUrl,
    seen,
  }: { readonly url: string; readonly baseUrl: string; readonly seen: ReadonlySet<string> },
): Result<string | null, 'elsewhere' | 'again' | 'too_many' | 'unreadable'> {
  const said = next === undefined ? null : saidNext(next, heard, seen.size);
  if (said === undefined || next === undefined)
    return next === undefined ? done(null) : refused('unreadable');
  if (said === null) return done(null);
  let found: URL;
  try {
    found = new URL('query' in next ? url : said, url);
  } catch {
    return refused('unreadable');
  }
  if ('query' in next) found.searchParams.set(next.query, said);
  // The token goes nowhere else, whatever a reply says.
  if (found.origin !== new URL(baseUrl).origin) return refused('elsewhere');
  if (found.username !== '' || found.password !== '') return refused('elsewhere');
  found.hash = '';
  if (seen.has(found.href)) return refused('again');
  return seen.size >= mostPages ? refused('too_many') : done(found.href);
}

/** What a page says about the next one; null: it is the last; undefined: not to be understood. */
function saidNext(
  next: FileNextPage,
  {
    body,
    headers,
  }: { readonly body: unknown; readonly headers: Readonly<Record<string, string | undefined>> },
  pagesRead: number,
): string | null | undefined {
  switch (next.kind) {
    case 'address':
    case 'cursor': {
      const found = valueAt(body, next.at);
      if (found === undefined || found === null || found === '') return null;
      return textAt(body, next.at) ?? undefined;
    }
    case 'header': {
      const found = headers[next.header];
      return found === undefined || found === '' ? null : found;
    }
    case 'link':
      return headers['link'] === undefined ? null : nextLink(headers['link']);
    case 'number': {
      const pages = Number(textAt(body, next.pages) ?? Number.NaN);
      if (!Number.isInteger(pages) || pages < 0) return undefined;
      return pagesRead < pages ? String(pagesRead + next.first) : null;
    }
  }
}

/** RFC 8288: `<https://…>; rel="next", <…>; rel="last"`. */
function nextLink(header: string): string | null {
  for (const [, address = '', parameters = ''] of header.matchAll(/<([^<>]*)>((?:[^,"<]|"[^"]*")*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters);
    const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/);
    if (names.includes('next')) return address;
  }
  return null;
}

/** Dots alone would be steps to another path. */
function encodeSegment(value: string): string {
  return encodeURIComponent(value).replaceAll(/^\.+$/g, (dots) => '%2E'.repeat(dots.length));
}

/** RFC 6901. */
export function valueAt(body: unknown, pointer: string): unknown {
  let found = body;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** A text or a number of a reply, as a text; null for anything else. */
export function textAt(body: unknown, pointer: string | undefined): string | null {
  if (pointer === undefined) return null;
  const found = valueAt(body, pointer);
  if (typeof found === 'string' && found !== '') return found;
  return typeof found === 'number' && Number.isFinite(found) ? String(found) : null;
}

export interface HasMatch {
  readonly status: number | readonly number[];
  readonly equals?: Readonly<Record<string, unknown>> | undefined;
}

export function matches(
  { status, equals = {} }: HasMatch,
  heard: { status: number; body: unknown },
): boolean {
  const statuses = typeof status === 'number' ? [status] : status;
  return statuses.includes(heard.status) && holds(equals, heard.body);
}

export function holds(equals: Readonly<Record<string, unknown>>, body: unknown): boolean {
  return Object.entries(equals).every(([pointer, wanted]) => valueAt(body, pointer) === wanted);
}

/**
 * When a token expires by our clock. A reply in another form than its file says is read all the same, because a service may write
 * it in several.
 */
export function endIn(
  ends: FileEnds | undefined,
  body: unknown,
  { nowMs, skewMs }: { readonly nowMs: number; readonly skewMs: number },
): SaidExpiry {
  if (ends === undefined) return { kind: 'not_said' };
  if ('fixed_seconds' in ends) return inSeconds(ends.fixed_seconds, nowMs);
  if ('in_seconds' in ends) {
    const found = valueAt(body, ends.in_seconds);
    if (found === undefined) return { kind: 'not_said' };
    const seconds = Number(textAt(body, ends.in_seconds) ?? Number.NaN);
    if (Number.isFinite(seconds) && seconds > 0) return inSeconds(seconds, nowMs);
    return readExpiry(found, { nowMs, skewMs });
  }
  const found = valueAt(body, 'date' in ends ? ends.date : ends.at);
  const said = textAt(body, 'date' in ends ? ends.date : ends.at);
  if ('date' in ends && said !== null && /^\d{4}-\d\d-\d\d/.test(said)) {
    const endMs = outsideInstantMs(Date.parse(`${said.slice(0, 10)}T00:00:00Z`) - skewMs);
    if (endMs !== null && believedMs(endMs, nowMs) !== null) return { kind: 'at', atMs: endMs };
  }
  return readExpiry(found, { nowMs, skewMs });
}

function inSeconds(seconds: number, nowMs: number): SaidExpiry {
  const endMs = nowMs + seconds * 1000;
  return believedMs(endMs, nowMs) === null
    ? { kind: 'too_far', said: String(seconds) }
    : { kind: 'at', atMs: endMs };
}
