import type { Socket } from 'node:net';
import type { ProblemCode } from '../contract/problems.ts';
import { problems } from '../contract/problems.ts';
import { endSoon } from './guard/connections.ts';
import { refusalBody } from './refuse.ts';

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers what is not a request at all (a header that cannot be, one that is too large, one that never ends) and hangs up. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (socket.writableEnded && !isLate) return; // answered already, and more of the same came
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const { status } = problems[problem];
  const body = JSON.stringify(refusalBody('auth', problem));
  socket.write(
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Bad Request'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  endSoon(socket);
}

function problemOf(code: string | undefined): ProblemCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'header_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'bad_header';
}
