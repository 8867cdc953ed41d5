import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between a program and a service, which can cut the connection instead of passing an answer on. */
export interface CuttingProxy {
  readonly baseUrl: string;
  /** Whether the answer to a request is dropped, by its request line. The service has carried it out then. */
  cuts: (requestLine: string) => boolean;
  /** The request lines whose answers were dropped. */
  readonly cut: string[];
  close(): void;
}

const requestLine = /^[A-Z]+ \S+ HTTP\/1\.1(?=\r\n)/;

export async function startCuttingProxy(servicePort: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const server = createServer((program) => {
    const service = connect(servicePort, '127.0.0.1');
    /** The request on this connection that was sent last. */
    let last = '';
    const end = (): void => {
      program.destroy();
      service.destroy();
    };
    for (const socket of [program, service]) {
      open.add(socket);
      socket.on('error', end).on('close', () => {
        open.delete(socket);
        end();
      });
    }
    program.on('data', (part) => {
      last = requestLine.exec(part.toString('latin1'))?.[0] ?? last;
      service.write(part);
    });
    service.on('data', (part) => {
      if (proxy.cuts(last)) {
        proxy.cut.push(last);
        end();
      } else program.write(part);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CuttingProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => false,
    cut: [],
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
  return proxy;
}
