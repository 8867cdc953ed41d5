import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { eventStreamPath } from '../contract/address.ts';
import { routes } from '../contract/routes.ts';
import { downloads } from '../contract/routes/downloads.ts';
import { refuse } from './refuse.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly method: string;
}

const knownPaths: readonly KnownPath[] = [
  ...Object.values(routes),
  { method: 'GET', path: eventStreamPath },
  ...Object.values(downloads),
  { method: 'GET', path: '/docs' },
  { method: 'GET', path: '/openapi.json' },
].map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }));

/**
 * 404 where nothing is, 405 with an `Allow` header where something is that takes other methods.
 *
 * Said before a body is looked at: what is wrong with it does not matter then.
 */
export function answerNotFound(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) notFound(request, reply);
    else next();
  });
  app.setNotFoundHandler((request, reply) => notFound(request, reply));
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = knownPaths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0) return refuse(reply, 'not_found');
  const allowed = new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  void reply.header('allow', [...allowed].join(', '));
  return refuse(reply, 'method_not_allowed');
}
