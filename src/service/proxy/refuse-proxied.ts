import type { FastifyReply } from 'fastify';
import { type ProxyRefusalCode, proxyRefusals, refusalMark } from '../../contract/proxy.ts';
import { proxyRefusalText, type RefusalContext } from '../../text/proxy-text.ts';

/** Answers with a problem (RFC 9457) that is marked as ours, so that nobody takes it for an answer of the service. */
export function refuseProxied(
  reply: FastifyReply,
  code: ProxyRefusalCode,
  { retryAfterSeconds, ...context }: RefusalContext & { readonly retryAfterSeconds?: number } = {},
): FastifyReply {
  const status = proxyRefusals[code];
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', Math.max(1, retryAfterSeconds));
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', [refusalMark]: 'refused' })
    .type('application/problem+json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ type: 'about:blank', ...proxyRefusalText(code, context), status, code });
}
