/**
 * Client: how a program in Node or in a browser talks to the service. Every call is derived from the contract's route
 * table, so a call that the service does not promise does not compile. Nothing here knows Node, a window or the meaning
 * of what it carries. Start reading here; the stream of changes is in `follow-changes.ts`.
 */
import type { z } from 'zod';
import { problems } from '../contract/problems.ts';
import { type RouteName, routes } from '../contract/routes.ts';
import type { Route } from '../contract/routes/route.ts';
import { readRefusal, type Refusal, ServiceUnreachable, UnexpectedAnswer } from './read-refusal.ts';

/** Where the service is and who is calling. */
export interface Connection {
  /** Such as `http://127.0.0.1:7682`; empty in a page that the service itself has served. */
  readonly baseUrl: string;
  /** The whole header, such as `Bearer …`; a window has its cookie instead. */
  readonly authorization?: string | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
}

export type ReplyOf<N extends RouteName> = z.output<(typeof routes)[N]['reply']>;

/** The bytes of a file, as a browser or as Node has them. */
export type AudioBody = Blob | Uint8Array<ArrayBuffer>;

type Part = 'params' | 'query' | 'headers' | 'body';
type Parts<N extends RouteName> = {
  readonly [P in Part & keyof (typeof routes)[N]]: P extends 'body' & AudioPart<N>
    ? AudioBody
    : (typeof routes)[N][P] extends z.ZodType
      ? z.input<(typeof routes)[N][P]>
      : never;
};
/** `body` where a route takes audio: it goes as it is. */
type AudioPart<N extends RouteName> = (typeof routes)[N] extends { takes: 'audio' } ? 'body' : never;
/** A part may be left out when its schema takes nothing, or an object of which every field may be left out. */
type IsOptional<T> = unknown extends T
  ? false
  : undefined extends T
    ? true
    : Partial<T> extends T
      ? true
      : false;
type OptionalPart<N extends RouteName> = {
  [P in keyof Parts<N>]: IsOptional<Parts<N>[P]> extends true ? P : never;
}[keyof Parts<N>];

/** What a call takes: the parts that its route has, as they go over the wire. */
export type CallInput<N extends RouteName> = Omit<Parts<N>, OptionalPart<N>> &
  Partial<Pick<Parts<N>, OptionalPart<N>>> & { readonly signal?: AbortSignal | undefined };

/** What follows the route's name: nothing is needed where every part may be left out. */
export type CallArguments<N extends RouteName> =
  Partial<CallInput<N>> extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>];

/** An answer of the service: what was asked for, or why not. */
export type Outcome<T> = { readonly ok: true; readonly status: number; readonly value: T } | Refusal;

export interface Client {
  /**
   * Makes a call and checks what comes back against the contract.
   *
   * A refusal is an outcome. Throws `ServiceUnreachable` when nothing answers (or only a bare 503, or not within a
   * signal's time limit), `UnexpectedAnswer` when what answers does not keep the contract, and the signal's reason when
   * it was aborted.
   */
  call<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<Outcome<ReplyOf<N>>>;
}

/** A client of the service at a connection. It keeps no state: making one costs nothing. */
export function createClient(connection: Connection): Client {
  return {
    async call<N extends RouteName>(name: N, ...[input]: CallArguments<N>) {
      const outcome = await callRoute(connection, routes[name], input ?? {});
      return outcome as Outcome<ReplyOf<N>>;
    },
  };
}

/** HTTP: not now, perhaps later. */
const unavailable = 503;

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

async function callRoute(connection: Connection, route: Route, input: AnyInput): Promise<Outcome<unknown>> {
  const path = pathOf(route, input.params ?? {});
  if (path === null) {
    const { status, message } = problems.not_found;
    return { ok: false, status, code: 'not_found', message };
  }
  const { status, headers, text } = await send(connection, route, path + queryOf(input.query), input);
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    const reply = route.reply.safeParse(body);
    if (!reply.success) throw new UnexpectedAnswer(connection.baseUrl, status);
    return { ok: true, status, value: reply.data };
  }
  const refusal = readRefusal(status, headers, body);
  if (refusal !== null) return refusal;
  // Not in words of the contract, but clear: a server that is stopping hangs up on late callers with it.
  if (status === unavailable) throw new ServiceUnreachable(connection.baseUrl, { cause: body });
  throw new UnexpectedAnswer(connection.baseUrl, status);
}

async function send(connection: Connection, route: Route, target: string, input: AnyInput) {
  const doFetch = connection.fetch ?? fetch;
  const { signal } = input;
  try {
    const response = await doFetch(`${connection.baseUrl}${target}`, {
      method: route.method,
      headers: headersOf(connection, route, input),
      // The service keeps nothing in caches and sends nobody elsewhere; whoever does is not the service.
      cache: 'no-store',
      redirect: 'error',
      ...(input.body === undefined ? {} : { body: wireBody(route, input.body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted === true && !isTimeout(signal.reason)) throw signal.reason;
    throw new ServiceUnreachable(connection.baseUrl, { cause });
  }
}

function wireBody({ takes }: Route, body: unknown): string | AudioBody {
  return takes === 'audio' ? (body as AudioBody) : JSON.stringify(body);
}

function headersOf(
  { authorization }: Connection,
  { takes }: Route,
  { headers, body }: AnyInput,
): Record<string, string> {
  const sent: Record<string, string> = { accept: 'application/json' };
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) sent[name] = value;
  if (authorization !== undefined) sent['authorization'] = authorization;
  if (body !== undefined) {
    // The service reads what audio is from its content; a Blob's own type is not always right.
    sent['content-type'] = takes === 'audio' ? 'application/octet-stream' : 'application/json';
  }
  return sent;
}

/** The path with its parameters put in; null when one of them cannot stand in a path, so that nothing can be there. */
function pathOf({ path }: Route, params: Readonly<Record<string, string>>): string | null {
  // Every URL parser takes `.` and `..` as steps in the path, also when they are percent-encoded.
  if (Object.values(params).some((value) => ['', '.', '..'].includes(value) || !value.isWellFormed()))
    return null;
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryOf(query: AnyInput['query']): string {
  const pairs = Object.entries(query ?? {}).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no schema of the contract takes it, so it is reported as an unexpected answer
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
