import type { FastifyLoggerOptions, FastifyRequest } from 'fastify';
import type { Writable } from 'node:stream';

/** Where a log goes: a level of pino's and a stream that takes its JSON lines. */
export interface LogTarget {
  readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
  readonly stream: Writable;
}

type LoggerOptions = FastifyLoggerOptions & { redact: string[]; stream: Writable };

/** Names under which a secret could travel, at the top of a log line or one level down. */
const secretFields = ['authorization', 'cookie', 'set-cookie', 'access_token', 'portal_key', 'code', 'body'];

/** pino's options: of a request its method and path, never its query, headers or body; secrets are struck out. */
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
