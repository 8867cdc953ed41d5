import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findJsonError, type JsonError } from '../../contract/find-json-error.ts';
import { bodyLimitBytes } from '../../contract/route.ts';
import { type Connections, smallBytes } from '../guard/connections.ts';

/**
 * How many values a body may hold: members of objects and entries of lists at any depth.
 *
 * The time to parse depends on their number, not on bytes: four megabytes of `[` took half a second. A body of the usual
 * limit cannot hold more, and the largest call flow has a third of it.
 */
const mostValues = bodyLimitBytes;

/** The body of most calls to rotate and refresh. */
const emptyObject = Buffer.from('{}');
const noBytes = Buffer.alloc(0);

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: 'json' | 'audio' | 'stream';
  }
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * How bodies are read: JSON only, except where a route takes bytes (`add-route.ts`); a missing body
 * counts as empty where a route takes no body.
 *
 * `curl -d ''` declares its empty body as a form, and a call without a Content-Type may send `{}`. Both are accepted.
 */
export function readJsonBodies(app: FastifyInstance, connections: Connections): void {
  const parseBody = app.getDefaultJsonParser('error', 'error');
  const parseJson = (request: FastifyRequest, text: string, done: Done): void =>
    void parseBody(request, text, (error, body) => {
      done(error === null ? null : new MalformedBody(malformationOf(text)), body);
    });
  const readJson = (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (body.length === 0) done(null, undefined);
    else if (body.length === 2 && body.equals(emptyObject)) done(null, {});
    else if (hasTooManyValues(body)) done(refusal(tooManyValues, 400));
    else if (!isUtf8(body) || body.includes(0)) done(new MalformedBody(notUtf8Line(body)));
    else if (body.length < smallBytes) parseJson(request, body.toString(), done);
    else void connections.turn(request.raw.socket).then(() => parseJson(request, body.toString(), done));
  };
  app.removeAllContentTypeParsers();
  // The usual type is registered as a string, which the framework finds without parsing the header.
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(connections, request, payload, (error, body = noBytes) => {
      if (error === null) readJson(request, body, done);
      else done(error);
    });
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.takes === 'stream') {
      done(null, payload);
      return;
    }
    readBody(connections, request, payload, (error, body = noBytes) => {
      if (error !== null) {
        done(error);
        return;
      }
      if (request.routeOptions.config.takes === 'audio') {
        done(null, body);
        return;
      }
      const type = request.headers['content-type'];
      const isJson = type === undefined || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
      if (isJson || body.length === 0) readJson(request, body, done);
      else done(refusal('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415));
    });
  });
}

/** Counted before parsing, by the comma or bracket before each value. */
function hasTooManyValues(body: Buffer): boolean {
  if (body.length <= mostValues) return false;
  let values = 0;
  let isText = false;
  for (let at = 0; at < body.length && values <= mostValues; at += 1) {
    const sign = body[at];
    if (sign === signs.quote) isText = !isText;
    else if (sign === signs.backslash) at += 1;
    else if (!isText && (sign === signs.comma || sign === signs.list || sign === signs.object)) values += 1;
  }
  return values > mostValues;
}

const signs = {
  lineFeed: 0x0a,
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  list: 0x5b,
  object: 0x7b,
} as const;

/** What is wrong with a body that is not JSON. `forbidden_name`: a member that would change the object itself. */
export type Malformation =
  | { readonly kind: 'not_json'; readonly error: JsonError }
  | { readonly kind: 'forbidden_name' }
  | { readonly kind: 'not_utf8'; readonly line: number };

/** The framework's error for a body that is not JSON, with the reason. */
export class MalformedBody extends Error {
  readonly code = 'FST_ERR_CTP_INVALID_JSON_BODY';
  readonly statusCode = 400;
  readonly malformation: Malformation;

  constructor(malformation: Malformation) {
    super(malformation.kind);
    this.malformation = malformation;
  }
}

function malformationOf(text: string): Malformation {
  const error = findJsonError(text.replace(/^\ufeff/, ''));
  return error === null ? { kind: 'forbidden_name' } : { kind: 'not_json', error };
}

/** JSON is UTF-8 (RFC 8259, 8.1) and has no NUL, which is in every line of UTF-16. */
function notUtf8Line(body: Buffer): Malformation {
  let line = 0;
  for (let start = 0; start <= body.length;) {
    line += 1;
    const next = body.indexOf(signs.lineFeed, start);
    const end = next === -1 ? body.length : next;
    const part = body.subarray(start, end);
    if (!isUtf8(part) || part.includes(0)) break;
    start = end + 1;
  }
  return { kind: 'not_utf8', line };
}

/** Our own error code beside those of the framework, see `handle-error.ts`. */
export const tooManyValues = 'ROTAVOX_TOO_MANY_VALUES';

/** How many parts a body may arrive in whatever their size, and the smallest average size beyond that, in bytes. */
const partsAllowed = 1024;
const leastPartBytes = 256;
/** The memory of a large body apart from its content, in bytes: what the system has handed over. */
const waitingBytes = 64 * 1024;

/**
 * Reads a body into one Buffer that grows with it; the rest of a large body is read when it has its turn.
 *
 * The framework would keep every part until the last has arrived, at hundreds of bytes each: 256 KiB sent byte by byte took
 * 80 MiB.
 */
function readBody(
  connections: Connections,
  { headers, routeOptions: { bodyLimit } }: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    done(refusal('ROTAVOX_BODY_ENCODED', 415));
    return;
  }
  const announced = Number(headers['content-length']);
  if (announced > bodyLimit) {
    done(refusal('FST_ERR_CTP_BODY_TOO_LARGE', 413));
    return;
  }
  const { socket } = payload;
  let body: Buffer = noBytes;
  let length = 0;
  let parts = 0;
  let held = 0;

  const onData = (part: Buffer): void => {
    const from = length;
    length += part.length;
    parts += 1;
    if (length > bodyLimit) {
      end(refusal('FST_ERR_CTP_BODY_TOO_LARGE', 413));
      return;
    }
    if (parts > partsAllowed + length / leastPartBytes) {
      end(refusal('ROTAVOX_BODY_IN_PARTS', 400));
      return;
    }
    if (from === 0) body = part; // most bodies arrive in one part
    else {
      if (length > body.length) {
        const before = body;
        body = Buffer.allocUnsafeSlow(Math.min(bodyLimit, 2 * length));
        before.copy(body, 0, 0, from);
      }
      part.copy(body, from);
    }
    if (length < smallBytes || length === announced) return;
    if (held === 0) {
      payload.pause();
      void connections.turn(socket).then(() => payload.resume());
    }
    connections.hold(socket, body.length + waitingBytes - held);
    held = body.length + waitingBytes;
  };
  const onEnd = (error?: Error): void => {
    if (error !== undefined) end(Object.assign(error, { statusCode: 400 }));
    else if (!Number.isNaN(announced) && announced !== length) {
      end(refusal('FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400));
    } else end(null);
  };
  const end = (error: Error | null): void => {
    payload.off('data', onData).off('end', onEnd).off('error', onEnd);
    done(error, body.subarray(0, length));
  };
  payload.on('data', onData).on('end', onEnd).on('error', onEnd);
}

/** An error like the framework's own; `handle-error.ts` has its message. */
function refusal(code: string, statusCode: number): Error {
  return Object.assign(new Error(code), { code, statusCode });
}
