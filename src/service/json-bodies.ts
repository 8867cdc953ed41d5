import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';

/**
 * How bodies are read: JSON only, and no body at all is as good as none where a route asks for none.
 *
 * `curl -d ''` says that its nothing is a form; a call without a Content-Type may send `{}`. Both are meant well.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    const type = request.headers['content-type'];
    if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
      done(refusal('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415), undefined);
    } else if (!isUtf8(body as Buffer)) {
      done(refusal('FST_ERR_CTP_INVALID_JSON_BODY', 400), undefined);
    } else {
      void parseJson(request, body.toString(), done);
    }
  });
}

/** What the framework itself would say; `handle-error.ts` has the words. */
function refusal(code: string, statusCode: number): Error {
  return Object.assign(new Error(code), { code, statusCode });
}
