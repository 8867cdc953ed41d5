import type { Socket } from 'node:net';
import type { ProxyProblem } from '../contract/service/network.ts';
import { ownUserAgent } from '../contract/service/own-call.ts';
import type { ProxyLogin } from '../contract/service/proxy-address.ts';
import { systemCodeIn } from './connect-failure.ts';

/** More than any head of an answer. */
const largestHead = 64 * 1024;
/** What every answer begins with. */
const beginning = 'HTTP/1.';

/**
 * Asks a proxy for a connection to a host and port, on a socket that is connected to it; resolves with what is wrong, or with null
 * when the socket leads to the service.
 *
 * Written here because the clients of HTTP that there are refuse what proxies really send: an answer with a length or an encoding,
 * which is to be ignored (RFC 9110, section 9.3.6), and they tell a refusal by its text only.
 */
export function openTunnel(
  socket: Socket,
  target: string,
  login: ProxyLogin | null,
): Promise<ProxyProblem | null> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const settle = (problem: ProxyProblem | null): void => {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      socket.pause();
      resolve(problem);
    };
    const onEnd = (): void => settle(received.length === 0 ? { code: 'closed' } : { code: 'no_proxy' });
    const onError = (error: Error): void => {
      const systemCode = systemCodeIn(error);
      settle(systemCode === 'ECONNRESET' ? { code: 'closed' } : { code: 'unreachable', systemCode });
    };
    const onData = (part: Buffer): void => {
      received = Buffer.concat([received, part]);
      const start = received.toString('latin1', 0, beginning.length);
      if (start !== beginning.slice(0, received.length) || received.length > largestHead) {
        settle({ code: 'no_proxy' });
        return;
      }
      for (;;) {
        const head = headIn(received);
        if (head === null) return;
        received = received.subarray(head.length);
        if (head.status >= 100 && head.status < 200) continue;
        const isOpen = head.status >= 200 && head.status < 300;
        settle(isOpen ? null : problemOf(head, login));
        // It belongs to the service already.
        if (isOpen && received.length > 0) socket.unshift(received);
        return;
      }
    };
    socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
    socket.write(
      [
        `CONNECT ${target} HTTP/1.1`,
        `Host: ${target}`,
        `User-Agent: ${ownUserAgent}`,
        ...(login === null ? [] : [`Proxy-Authorization: Basic ${basic(login)}`]),
        '',
        '',
      ].join('\r\n'),
    );
  });
}

function basic({ user, password }: ProxyLogin): string {
  return Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
}

interface Head {
  readonly status: number;
  readonly lines: readonly string[];
  readonly length: number;
}

/** The head of an answer, if all of it is there. */
function headIn(received: Buffer): Head | null {
  const text = received.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return null;
  const [first = '', ...lines] = text.slice(0, end.index).split(/\r?\n/);
  const status = Number(/^HTTP\/1\.\d (\d{3})(?: |$)/.exec(first)?.[1] ?? 0);
  return { status, lines, length: end.index + end[0].length };
}

function problemOf({ status, lines }: Head, login: ProxyLogin | null): ProxyProblem {
  if (status === 0) return { code: 'no_proxy' };
  if (status !== 407) return { code: 'refused', status };
  const schemes = lines.flatMap((line) => /^proxy-authenticate:\s*([\w-]+)/i.exec(line)?.[1] ?? []);
  return {
    code: login === null ? 'login_needed' : 'login_refused',
    schemes: [...new Set(schemes.map((scheme) => scheme.toLowerCase().slice(0, 20)))].slice(0, 5),
  };
}
