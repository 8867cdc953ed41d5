import type { FastifyBaseLogger, FastifyInstance, FastifyLoggerOptions, FastifyRequest } from 'fastify';
import type { Writable } from 'node:stream';
import { logText } from '../../text/service/service-text.ts';
import { stackOf, withoutSecrets } from '../../text/service/stack-of.ts';
import { requestIdHeader } from '../../network/create-listener.ts';
import type { Metrics } from '../metrics.ts';

/** The destination of a log: a level of pino's and a stream for its JSON lines. */
export interface LogTarget {
  readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
  readonly stream: Writable;
}

type LoggerOptions = FastifyLoggerOptions & { redact: string[]; stream: Writable };

/** Field names that could hold a secret, at the top of a log line or one level below. */
const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'access_token',
  'portal_key',
  'key',
  'code',
  'body',
];

/**
 * pino's options: of a request only its method and path, never its query, headers or body; of a failure only its stack; secrets are
 * redacted.
 */
export function loggerOptions({ level, stream }: LogTarget): LoggerOptions {
  return {
    level,
    stream,
    redact: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.headers["${field}"]`]),
    serializers: {
      err: failureFacts,
      req: ({ method, url }: FastifyRequest) => ({ method, path: url.split('?', 1)[0] ?? '' }),
    },
  };
}

/** Not its own properties: that of an address that cannot be read is the address. */
function failureFacts(error: unknown): { type: string; message: string; stack: string; code?: string } {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: stackOf(error) };
  const { code } = error as NodeJS.ErrnoException;
  const facts = { type: error.name, message: withoutSecrets(error.message), stack: stackOf(error) };
  return typeof code === 'string' ? { ...facts, code } : facts;
}

/** Logs a failure where there is no framework, as it would be logged there. */
export function logFailure(log: LogTarget, error: unknown, requestId: string | null): void {
  if (log.level === 'fatal') return;
  const id = requestId === null ? {} : { request_id: requestId };
  const facts = { level: 50, time: Date.now(), pid: process.pid, ...id, err: failureFacts(error) };
  log.stream.write(`${JSON.stringify({ ...facts, msg: logText.requestFailed })}\n`);
}

const levelsWithRequests: readonly LogTarget['level'][] = ['info', 'debug', 'trace'];

/** Whether a line is logged for each request. */
export function logsRequests(log: LogTarget | undefined): log is LogTarget {
  return log !== undefined && levelsWithRequests.includes(log.level);
}

/** An answer that was sent, or broke off. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of its route: a path may have a secret in it, as a query, headers and bodies may. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Of the caller; undefined where a call was refused before that was known. */
  readonly address: string | undefined;
}

/** Counts each answer, and logs it where the level says so: one line. */
export class RequestLog {
  readonly #metrics: Metrics | undefined;
  readonly #logger: FastifyBaseLogger | null;

  constructor(logger: FastifyBaseLogger, metrics: Metrics | undefined, log: LogTarget | undefined) {
    this.#metrics = metrics;
    this.#logger = logsRequests(log) ? logger : null;
  }

  /** Whether anybody wants to know. */
  get isOn(): boolean {
    return this.#logger !== null || this.#metrics?.isOn === true;
  }

  tell({ requestId, method, route, status, ms, address }: AnsweredRequest): void {
    this.#metrics?.tellRequest({ method, route, status, seconds: ms / 1000 });
    const who = address === undefined ? {} : { address };
    const facts = { request_id: requestId, method, route, status, ...who, duration_ms: ms };
    this.#logger?.info(facts, logText.request);
  }
}

/** Sends each request's id back, and tells of each answer. */
export function addRequestLog(app: FastifyInstance, requestLog: RequestLog): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.raw.setHeader(requestIdHeader, request.id);
    next();
  });
  app.addHook('onResponse', (request, reply, next) => {
    if (requestLog.isOn) {
      const { method, id: requestId } = request;
      const { statusCode: status, elapsedTime: ms } = reply;
      const { config, url } = request.routeOptions;
      const route = config.path ?? url ?? '(unknown)';
      // A call that was refused as soon as it came has no arrival.
      const { arrival } = request as { arrival?: FastifyRequest['arrival'] };
      requestLog.tell({ requestId, method, route, status, ms, address: arrival?.address });
    }
    next();
  });
}
