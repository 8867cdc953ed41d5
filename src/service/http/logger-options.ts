import type { FastifyLoggerOptions, FastifyRequest } from 'fastify';
import type { Writable } from 'node:stream';
import { logText } from '../../text/service/service-text.ts';
import { stackOf, withoutSecrets } from '../../text/service/stack-of.ts';

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
