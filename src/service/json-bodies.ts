import type { FastifyInstance } from 'fastify';

/**
 * How bodies are read: JSON only, and no body at all is as good as none where a route asks for none.
 *
 * `curl -d ''` says that its nothing is a form; a call without a Content-Type may send `{}`. Both are meant well.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text === '') {
      done(null, undefined);
      return;
    }
    const type = request.headers['content-type'];
    if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
      done(
        Object.assign(new Error('Not JSON'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }),
        undefined,
      );
      return;
    }
    void parseJson(request, text, done);
  });
}
