import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls';

/** What a proxy does with a request for a connection; odd ones are from public reports of what real proxies do. */
export type ProxyManner =
  | 'opens'
  /** In several pieces, with a delay of the event loop between them. */
  | 'opens_in_pieces'
  /** With a length and an encoding, which mean nothing there (RFC 9110, section 9.3.6). */
  | 'opens_with_length'
  /** After 100 Continue, as HTTP/1.0, with lines that end in LF only. */
  | 'opens_as_old'
  | 'closes'
  | 'closes_within_the_head'
  /** 502 with a page. */
  | 'answers_502'
  | 'answers_403'
  /** Speaks first, and not HTTP. */
  | 'speaks_other'
  | 'answers_endlessly'
  | 'never_answers';

export interface CompanyProxy {
  /** Host and port. */
  readonly name: string;
  readonly port: number;
  /** The targets of the requests for a connection, in order. */
  readonly asked: string[];
  /** The logins that came with them: `user:password`, or null. */
  readonly logins: (string | null)[];
  manner: ProxyManner;
  /** `user:password`; null: nobody has to sign in. */
  login: string | null;
  /** What it says it accepts. */
  schemes: readonly string[];
  close(): void;
}

/**
 * A proxy as companies have them: the only way to a service, whatever its name; perhaps it opens TLS with a certificate of its
 * own authority, and perhaps it is itself asked through TLS.
 */
export async function startCompanyProxy({
  servicePort,
  intercepts,
  tls,
}: {
  /** Where every name leads. */
  readonly servicePort: number;
  /** The certificate that it shows instead of the service's; then the service speaks no TLS. */
  readonly intercepts?: { readonly cert: string; readonly key: string };
  readonly tls?: { readonly cert: string; readonly key: string };
}): Promise<CompanyProxy> {
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };
  const answer = (socket: Socket): void => {
    keep(socket);
    let head = '';
    if (proxy.manner === 'speaks_other') {
      socket.write('220 mail.corp.test ESMTP\r\n');
      return;
    }
    const onData = (part: Buffer): void => {
      head += part.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', onData);
      const [, target = ''] = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head) ?? [];
      const [, given] = /^proxy-authorization: Basic (\S+)\r$/im.exec(head) ?? [];
      const login = given === undefined ? null : Buffer.from(given, 'base64').toString('utf8');
      proxy.asked.push(target);
      proxy.logins.push(login);
      if (proxy.login !== null && login !== proxy.login) refuse(socket);
      else void lead(socket);
    };
    socket.on('data', onData);
  };
  const refuse = (socket: Socket): void => {
    const schemes = proxy.schemes.map((scheme) => `Proxy-Authenticate: ${scheme}\r\n`).join('');
    socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${schemes}Content-Length: 4\r\n\r\nno.\n`);
  };
  const lead = async (socket: Socket): Promise<void> => {
    switch (proxy.manner) {
      case 'closes':
        socket.destroy();
        return;
      case 'closes_within_the_head':
        socket.end('HTTP/1.1 20');
        return;
      case 'answers_502':
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\n\r\n<h1>200 OK?</h1>');
        return;
      case 'answers_403':
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n<h1>Category: other</h1>');
        return;
      case 'answers_endlessly': {
        const more = (): void => {
          while (!socket.destroyed && socket.write(`X-More: ${'x'.repeat(8000)}\r\n`));
        };
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.on('drain', more);
        more();
        return;
      }
      case 'never_answers':
      case 'speaks_other':
        return;
      case 'opens_in_pieces':
        for (const piece of ['HT', 'TP/1.1 2', '00 Connection established\r', '\nVia: x\r\n\r', '\n']) {
          socket.write(piece);
          await new Promise((resolve) => setImmediate(resolve));
        }
        break;
      case 'opens_with_length':
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n');
        break;
      case 'opens_as_old':
        socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200\nProxy-Agent: x\n\n');
        break;
      case 'opens':
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    }
    const inner =
      intercepts === undefined
        ? socket
        : keep(new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(intercepts) }));
    const service = keep(connect(servicePort, '127.0.0.1'));
    inner.pipe(service).pipe(inner);
    inner.on('close', () => service.destroy());
    service.on('close', () => inner.destroy());
  };
  const server: Server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  server.on('tlsClientError', () => undefined); // a client that does not trust it
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: CompanyProxy = {
    name: `127.0.0.1:${port}`,
    port,
    asked: [],
    logins: [],
    manner: 'opens',
    login: null,
    schemes: ['Negotiate', 'Basic realm="corp"'],
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
  return proxy;
}
