import { isUtf8 } from 'node:buffer';
import type { FastifyBodyParser, FastifyInstance } from 'fastify';
import { bodyLimitBytes } from '../contract/routes/route.ts';

/**
 * How many values a body may hold: members of objects and entries of lists at any depth.
 *
 * Parsing costs by their number, not by their bytes: four megabytes of `[` took half a second. A body of the usual limit
 * cannot hold more, and the largest drawing has a third of it.
 */
const mostValues = bodyLimitBytes;

/** What most calls to rotate and refresh send. */
const emptyObject = Buffer.from('{}');

declare module 'fastify' {
  interface FastifyContextConfig {
    takes?: 'json' | 'audio';
  }
}

/**
 * How bodies are read: JSON only, but where a route takes audio (`audio-bodies.ts`); and no body at all is
 * as good as none where a route asks for none.
 *
 * `curl -d ''` says that its nothing is a form; a call without a Content-Type may send `{}`. Both are meant well.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  const readJson: FastifyBodyParser<Buffer> = (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (body.length === 2 && body.equals(emptyObject)) done(null, {});
    else if (hasTooManyValues(body)) done(refusal(tooManyValues, 400), undefined);
    else if (isUtf8(body)) void parseJson(request, body.toString(), done);
    else done(refusal('FST_ERR_CTP_INVALID_JSON_BODY', 400), undefined);
  };
  app.removeAllContentTypeParsers();
  // The usual type has an entry of its own: the framework finds that one without taking the header apart.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.routeOptions.config.takes === 'audio') {
      done(null, body);
      return;
    }
    const type = request.headers['content-type'];
    const isJson = type === undefined || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
    if (isJson || body.length === 0) readJson(request, body, done);
    else done(refusal('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), undefined);
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

/** What the framework itself would say; `handle-error.ts` has the words. */
function refusal(code: string, statusCode: number): Error {
  return Object.assign(new Error(code), { code, statusCode });
}
