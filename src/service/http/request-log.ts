import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestIdHeader } from '../../network/create-listener.ts';
import { logText } from '../../text/service/service-text.ts';
import type { LogTarget } from './logger-options.ts';
import type { Metrics } from '../metrics.ts';

const levelsWithRequests: readonly LogTarget['level'][] = ['info', 'debug', 'trace'];

/** Whether a line is logged for each request. */
export function logsRequests(log: LogTarget | undefined): log is LogTarget {
  return log !== undefined && levelsWithRequests.includes(log.level);
}

interface RequestLogOptions {
  readonly metrics: Metrics | undefined;
  readonly log: LogTarget | undefined;
}

/**
 * Sends each request's id back, counts each answer, and logs it where the level says so: one line with its
 * route. A path, a query, headers and bodies may have a secret in them.
 */
export function addRequestLog(app: FastifyInstance, { metrics, log }: RequestLogOptions): void {
  const isLogged = logsRequests(log);
  app.addHook('onRequest', (request, reply, next) => {
    reply.raw.setHeader(requestIdHeader, request.id);
    next();
  });
  if (metrics === undefined && !isLogged) return;
  app.addHook('onResponse', (request, reply, next) => {
    if (isLogged || metrics?.isOn === true) {
      const { method, id } = request;
      const { statusCode: status, elapsedTime: ms } = reply;
      const { config, url } = request.routeOptions;
      const route = config.path ?? url ?? '(unknown)';
      metrics?.tellRequest({ method, route, status, seconds: ms / 1000 });
      const facts = { request_id: id, method, route, status };
      if (isLogged) app.log.info({ ...facts, ...whoOf(request), duration_ms: ms }, logText.request);
    }
    next();
  });
}

/** A call that was refused as soon as it came has no arrival. */
function whoOf(request: FastifyRequest): { readonly address?: string } {
  const { arrival } = request as { arrival?: FastifyRequest['arrival'] };
  return arrival === undefined ? {} : { address: arrival.address };
}
