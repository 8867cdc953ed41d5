import type { FastifyLoggerOptions, FastifyRequest } from 'fastify';
import type { Writable } from 'node:stream';

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

/** pino's options: of a request only its method and path, never its query, headers or body; secrets are redacted. */
export function loggerOptions({ level, stream }: LogTarget): LoggerOptions {
  return {
    level,
    stream,
    redact: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.headers["${field}"]`]),
    serializers: {
      req: ({ method, url }: FastifyRequest) => ({ method, path: url.split('?', 1)[0] ?? '' }),
    },
  };
}
