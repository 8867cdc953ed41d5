import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { z } from 'zod';
import type { AudioFormat } from '../../contract/menu/recording.ts';
import { type RouteName, routes } from '../../contract/routes.ts';
import type { Route } from '../../contract/route.ts';
import { fieldProblemsOf } from '../../contract/field-problem.ts';
import { asOwner } from '../guard/owner-of-call.ts';
import { refuse } from './refuse.ts';
import type { ServiceContext } from '../service-context.ts';

type Parsed<R extends Route, P extends 'params' | 'query' | 'body'> =
  R extends Record<P, infer S> ? (S extends z.ZodType ? z.output<S> : undefined) : undefined;

/** The body that a handler gets: for audio its bytes, whatever its declared type; for a stream what arrives. */
type BodyOf<R extends Route> = R extends { takes: 'audio' }
  ? Buffer
  : R extends { takes: 'stream' }
    ? AsyncIterable<Uint8Array>
    : Parsed<R, 'body'>;

/** The input of a handler: the parts of the request that its route declares, validated. */
export interface RouteInput<N extends RouteName> {
  readonly params: Parsed<(typeof routes)[N], 'params'>;
  readonly query: Parsed<(typeof routes)[N], 'query'>;
  readonly body: BodyOf<(typeof routes)[N]>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

const noBytes = Buffer.alloc(0);

/** The result of a handler: the route's reply, or null when it has refused. */
export type RouteOutput<N extends RouteName> = z.input<(typeof routes)[N]['reply']> | null;

type Handler<N extends RouteName> = (input: RouteInput<N>) => Promise<RouteOutput<N>> | RouteOutput<N>;

/**
 * Registers a route of the contract: path, guard, validation of the input, and a serializer made from the reply's
 * schema, so that nothing undeclared is sent.
 */
export function addRoute<N extends RouteName>(
  app: FastifyInstance,
  { sessions, gate }: ServiceContext,
  name: N,
  handle: Handler<N>,
): void {
  const route: Route = routes[name];
  const checks = (['params', 'query', 'headers', 'body'] as const).flatMap((part) =>
    route[part] === undefined ? [] : [{ part, schema: route[part] }],
  );
  const headerNames = Object.keys(route.headers?.shape ?? {});
  const needsHeaders = route.headers?.safeParse({}).success === false;
  const handler: RouteHandlerMethod = async (request, reply) => {
    const input = { params: undefined, query: undefined, body: undefined, request, reply };
    for (const { part, schema } of checks) {
      // Most calls have none of the optional headers, and validation costs more than this check.
      if (part === 'headers' && !needsHeaders && !headerNames.some((header) => header in request.headers))
        continue;
      const parsed = schema.safeParse(request[part]);
      if (!parsed.success)
        return refuse(reply, 'bad_request', { errors: fieldProblemsOf(parsed.error, request[part]) });
      if (part !== 'headers') input[part] = parsed.data as undefined;
    }
    if (route.takes === 'audio') input.body = (request.body ?? noBytes) as unknown as undefined;
    if (route.takes === 'stream') input.body = (request.body ?? []) as unknown as undefined;
    const { owner } = request;
    // Its body may have taken a while: an owner who was revoked meanwhile is none.
    if (owner !== null && !sessions.isKnown(owner)) {
      sessions.refuseStranger(reply);
      return reply;
    }
    const answer = () => handle(input as unknown as RouteInput<N>);
    const output = await (owner === null ? answer() : asOwner(owner, answer));
    // So may the answer, such as a token that waits for its rotation. What was changed before stays changed.
    if (route.method === 'GET' && output !== null && owner !== null && !sessions.isKnown(owner)) {
      sessions.refuseStranger(reply);
      return reply;
    }
    return output ?? reply;
  };
  for (const url of urlsOf(route)) {
    app.route({
      method: route.method,
      url,
      config: { family: route.family, path: route.path, takes: route.takes ?? 'json' },
      ...(route.limitBytes === undefined ? {} : { bodyLimit: route.limitBytes }),
      onRequest: [
        ...(route.auth === 'portal' ? [sessions.guard] : []),
        ...(route.checksTokenBeforeBody === true ? [gate.guardLargeBody(route.scope)] : []),
        ...(route.takes === 'audio' || route.takes === 'stream' ? [takeAnyBytes] : []),
      ],
      schema: { response: { 200: route.reply } }, // see join-alternatives.ts
      handler,
    });
  }
}

/** What answers routes, by their names. */
type Handlers = { readonly [N in RouteName]?: Handler<N> };

/** Registers several routes. */
export function addRoutes(app: FastifyInstance, context: ServiceContext, handlers: Handlers): void {
  for (const [name, handle] of Object.entries(handlers))
    addRoute(app, context, name as RouteName, handle as Handler<RouteName>);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path of the route in the contract, however it was called. */
    path?: string;
  }
}

/** The paths of a route. Those for apps may end with a slash, as clients make them of a base address: it is the same route. */
function urlsOf({ path }: Pick<Route, 'path'>): readonly string[] {
  return path.startsWith('/v1/') ? [path, `${path}/`] : [path];
}

/** The content type of bodies that are passed on unchanged (`json-bodies.ts`). */
const anyBytes = 'application/octet-stream';

/**
 * Reads a body as bytes, whatever its declared type.
 *
 * The format of audio is read from its content, so that a Content-Type can neither lie nor be wrong. Done before the
 * framework looks for a parser, because it refuses types that it cannot read.
 */
function takeAnyBytes({ headers }: FastifyRequest, _reply: FastifyReply, next: () => void): void {
  headers['content-type'] = anyBytes;
  next();
}

/** How each format is named on the web (RFC 3003, RFC 5334; WAV as every browser takes it). */
export const audioTypes: Readonly<Record<AudioFormat, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
};
