import type { FastifyInstance } from 'fastify';
import { promptPathStart } from '../../contract/address.ts';
import { audioTypes } from '../http/add-route.ts';
import { isKnownTag, spanOf } from '../http/byte-span.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';

/** Longer than an address of a prompt works. */
const daySeconds = 86_400;

/**
 * The prompts of calls, which telephone systems fetch.
 *
 * The signature in the path is what admits, so the route is not in the table of those that people call. Like every route
 * it answers to the names of this service only. Where that is loopback, an Asterisk on another machine reaches it through an SSH
 * tunnel to its own 127.0.0.1 with the same port. An address always has the same content, so that it is fetched once.
 */
export function addPromptRoute(
  app: FastifyInstance,
  { telephony, connections }: Pick<ServiceContext, 'telephony' | 'connections'>,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${promptPathStart}*`,
    handler: async (request, reply) => {
      const { headers, method, raw } = request;
      const found = await telephony.readPrompt(request.url);
      if (found === null) return refuse(reply, 'not_found');
      connections.trust(raw.socket, 'token');
      const { bytes, digest } = found;
      const tag = `"${digest}"`;
      void reply.header('etag', tag).header('cache-control', `private, max-age=${daySeconds}, immutable`);
      if (isKnownTag(headers['if-none-match'], tag)) return reply.code(304).send();
      const ifRange = headers['if-range'];
      const span = spanOf(ifRange === undefined || ifRange === tag ? headers.range : undefined, bytes.length);
      if (span === null) {
        void reply.header('content-range', `bytes */${bytes.length}`);
        return refuse(reply, 'range_not_satisfiable');
      }
      const { start, end } = span === 'whole' ? { start: 0, end: bytes.length - 1 } : span;
      void reply
        .code(span === 'whole' ? 200 : 206)
        .type(audioTypes.wav)
        .header('content-length', end - start + 1)
        .header('accept-ranges', 'bytes');
      if (span !== 'whole') void reply.header('content-range', `bytes ${start}-${end}/${bytes.length}`);
      return reply.send(method === 'HEAD' ? undefined : Buffer.from(bytes.subarray(start, end + 1)));
    },
  });
}
