import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyLimitBytes } from '../contract/routes/route.ts';
import { type Connections, smallBytes } from './guard/connections.ts';

/**
 * How many values a body may hold: members of objects and entries of lists at any depth.
 *
 * Parsing costs by their number, not by their bytes: four megabytes of `[` took half a second. A body of the usual limit
 * cannot hold more, and the largest drawing has a third of it.
 */
const mostValues = bodyLimitBytes;

/** What most calls to rotate and refresh send. */
const emptyObject = Buffer.from('{}');
const noBytes = Buffer.alloc(0);

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: 'json' | 'audio';
  }
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * How bodies are read: JSON only, but where a route takes audio (`add-route.ts`); and no body at all is
 * as good as none where a route asks for none.
 *
 * `curl -d ''` says that its nothing is a form; a call without a Content-Type may send `{}`. Both are meant well.
 */
export function readJsonBodies(app: FastifyInstance, connections: Connections): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  const readJson = (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (body.length === 0) done(null, undefined);
    else if (body.length === 2 && body.equals(emptyObject)) done(null, {});
    else if (hasTooManyValues(body)) done(refusal(tooManyValues, 400));
    else if (!isUtf8(body)) done(refusal('FST_ERR_CTP_INVALID_JSON_BODY', 400));
    else if (body.length < smallBytes) void parseJson(request, body.toString(), done);
    else void connections.turn(request.raw.socket).then(() => void parseJson(request, body.toString(), done));
  };
  app.removeAllContentTypeParsers();
  // The usual type has an entry of its own: the framework finds that one without taking the header apart.
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(connections, request, payload, (error, body = noBytes) => {
      if (error === null) readJson(request, body, done);
      else done(error);
    });
  });
  app.addContentTypeParser('*', (request, payload, done) => {
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

/** Counted before anything is parsed, by the comma or bracket before each value. */
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

const signs = { quote: 0x22, backslash: 0x5c, comma: 0x2c, list: 0x5b, object: 0x7b } as const;

/** Our own code among those of the framework, see `handle-error.ts`. */
export const tooManyValues = 'ROTAVOX_TOO_MANY_VALUES';

/** How many parts a body may come in whatever their size, and how large they have to be on average beyond that, in bytes. */
const partsAllowed = 1024;
const leastPartBytes = 256;
/** What a large body takes beside what was read of it, in bytes: what the system has handed over. */
const waitingBytes = 64 * 1024;

/**
 * Reads a body into one Buffer that grows with it; the rest of a large one is read when it is its turn.
 *
 * The framework would keep the parts until the last has come, and each takes hundreds of bytes: 256 KiB sent byte by byte took
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
    if (from === 0)
      body = part; // for most bodies it is the whole
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

/** What the framework itself would say, or we in its way; `handle-error.ts` has the words. */
function refusal(code: string, statusCode: number): Error {
  return Object.assign(new Error(code), { code, statusCode });
}
