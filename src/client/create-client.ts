/**
 * How a program in Node or in a browser calls the service. Every call is derived from the contract's route
 * table, so a call that is not in the contract does not compile. Nothing here knows Node, a window or the meaning
 * of the data. Start reading here; the stream of changes is in `follow-changes.ts`.
 */
import type { z } from 'zod';
import { problems } from '../contract/problems.ts';
import { type RouteName, routes } from '../contract/routes.ts';
import type { Route } from '../contract/route.ts';
import { readRefusal, type Refusal, ServiceUnreachable, UnexpectedAnswer } from './read-refusal.ts';

/** The address of the service and the credentials of the caller. */
export interface Connection {
  /** Such as `http://127.0.0.1:7682`; empty in a page that the service itself serves. */
  readonly baseUrl: string;
  /** The whole header, such as `Bearer …`; a window has its cookie instead. */
  readonly authorization?: string | undefined;
  /** Default: the runtime's own. */
  readonly fetch?: typeof fetch | undefined;
  /** Sends calls without a file. Default: by `fetch`, whose loading takes Node as long as its start. */
  readonly send?: ((url: string, sent: Sent) => Promise<Answer>) | undefined;
}

/** A call as it is sent. */
export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** The answer to a call; `text` is null where it has more than `longestReply` bytes. */
export interface Answer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: string | null;
}

export type ReplyOf<N extends RouteName> = z.output<(typeof routes)[N]['reply']>;

/** The bytes of a file, in a browser or in Node. */
export type AudioBody = Blob | Uint8Array<ArrayBuffer>;

type Part = 'params' | 'query' | 'headers' | 'body';
type Parts<N extends RouteName> = {
  readonly [P in Part & keyof (typeof routes)[N]]: P extends 'body' & FilePart<N>
    ? AudioBody
    : (typeof routes)[N][P] extends z.ZodType
      ? z.input<(typeof routes)[N][P]>
      : never;
};
/** `body` where a route takes a file: it is sent unchanged. */
type FilePart<N extends RouteName> = (typeof routes)[N] extends { takes: 'audio' | 'stream' }
  ? 'body'
  : never;
/** A part may be omitted if its schema accepts nothing, or an object whose fields may all be omitted. */
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

/** The input of a call: the parts that its route has, in their encoded form. */
export type CallInput<N extends RouteName> = Omit<Parts<N>, OptionalPart<N>> &
  Partial<Pick<Parts<N>, OptionalPart<N>>> & { readonly signal?: AbortSignal | undefined };

/** The arguments after the route's name: none if every part may be omitted. */
export type CallArguments<N extends RouteName> =
  Partial<CallInput<N>> extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>];

/** An answer of the service: the result, or a refusal. */
export type Outcome<T> = { readonly ok: true; readonly status: number; readonly value: T } | Refusal;

export interface Client {
  /**
   * Makes a call and validates the answer against the contract.
   *
   * A refusal is an outcome. Throws `ServiceUnreachable` when nothing answers (or only a bare 503, or not within a
   * signal's time limit), `UnexpectedAnswer` when the answer does not match the contract, and the signal's reason when
   * it was aborted.
   */
  call<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<Outcome<ReplyOf<N>>>;
}

/** A client of the service at an address. It keeps no state, so making one costs nothing. */
export function createClient(connection: Connection): Client {
  return {
    async call<N extends RouteName>(name: N, ...[input]: CallArguments<N>) {
      const outcome = await callRoute(connection, routes[name], input ?? {});
      return outcome as Outcome<ReplyOf<N>>;
    },
  };
}

/** In bytes. A list of ten thousand credentials has half of it. */
export const longestReply = 32 * 1024 * 1024;
/** HTTP 503: unavailable, perhaps temporarily. */
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
  if (text === null) throw new UnexpectedAnswer(connection.baseUrl, status);
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    const reply = route.reply.safeParse(body);
    if (!reply.success) throw new UnexpectedAnswer(connection.baseUrl, status);
    return { ok: true, status, value: reply.data };
  }
  const refusal = readRefusal(status, headers, body);
  if (refusal !== null) return refusal;
  // Not an answer of the contract, but clear: a server that is stopping answers late callers with it.
  if (status === unavailable) throw new ServiceUnreachable(connection.baseUrl, { cause: body });
  throw new UnexpectedAnswer(connection.baseUrl, status);
}

async function send(connection: Connection, route: Route, target: string, input: AnyInput): Promise<Answer> {
  const { signal } = input;
  const url = `${connection.baseUrl}${target}`;
  const common = {
    method: route.method,
    headers: headersOf(connection, route, input),
    ...(signal === undefined ? {} : { signal }),
  };
  try {
    if (connection.send !== undefined && !takesFile(route)) {
      const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
      return await connection.send(url, { ...common, ...body });
    }
    const response = await (connection.fetch ?? fetch)(url, {
      ...common,
      // The service uses no caches and no redirects; another program may.
      cache: 'no-store',
      redirect: 'error',
      ...(input.body === undefined ? {} : { body: wireBody(route, input.body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      text: await readText(response, longestReply),
    };
  } catch (cause) {
    if (signal?.aborted === true && !isTimeout(signal.reason)) throw signal.reason;
    throw new ServiceUnreachable(connection.baseUrl, { cause });
  }
}

function wireBody(route: Route, body: unknown): string | AudioBody {
  return takesFile(route) ? (body as AudioBody) : JSON.stringify(body);
}

function takesFile({ takes }: Route): boolean {
  return takes === 'audio' || takes === 'stream';
}

function headersOf(
  { authorization }: Connection,
  route: Route,
  { headers, body }: AnyInput,
): Record<string, string> {
  const sent: Record<string, string> = { accept: 'application/json' };
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) sent[name] = value;
  if (authorization !== undefined) sent['authorization'] = authorization;
  if (body !== undefined) {
    // The service detects the format of audio by its content; a Blob's type may be wrong.
    sent['content-type'] = takesFile(route) ? 'application/octet-stream' : 'application/json';
  }
  return sent;
}

/** The path with its parameters; null when a parameter cannot be part of a path, so that nothing can be found there. */
function pathOf({ path }: Route, params: Readonly<Record<string, string>>): string | null {
  // Every URL parser treats `.` and `..` as steps in the path, even percent-encoded.
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
    return undefined; // no schema of the contract accepts it, so it is reported as an unexpected answer
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

/**
 * The bytes of an answer, read as they arrive.
 *
 * Null when there are more than `mostBytes`: the rest is not read, so that an answer without an end costs no more memory than that.
 * Compressed bytes count as what they stand for. Rejects when the connection breaks.
 */
export async function readBytes(
  { body }: Response,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> = body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    bytes += value.length;
    if (bytes > mostBytes) {
      await reader.cancel().catch(() => undefined); // already broken, as intended
      return null;
    }
    pieces.push(value);
  }
}

/** The same as text. */
export async function readText(response: Response, mostBytes: number): Promise<string | null> {
  const bytes = await readBytes(response, mostBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** The longest refusal, in bytes: a sentence, and what is wrong with each field. */
const longestRefusal = 256 * 1024;

/** The JSON of a refusal; undefined where there is none, or too much. */
export async function readRefusalBody(response: Response): Promise<unknown> {
  try {
    return JSON.parse((await readText(response, longestRefusal)) ?? '');
  } catch {
    return undefined;
  }
}
