import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to connections and to whoever takes any port (from 32768 on with Linux, from 49152 on elsewhere):
 * there another program could have it while the one that is to listen starts, or is killed and started again.
 */
const range = { from: 20_000, until: 32_000 };

/** A port of 127.0.0.1 that nobody listens on, for a program that is told where to listen. */
export async function freePort(kind: 'tcp' | 'udp' = 'tcp'): Promise<number> {
  for (;;) {
    const port = randomInt(range.from, range.until);
    if (await (kind === 'tcp' ? isFreeForConnections(port) : isFreeForPackets(port))) return port;
  }
}

async function isFreeForConnections(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await hasBegun(once(server, 'listening'));
  if (isFree) await new Promise((resolve) => server.close(resolve));
  return isFree;
}

async function isFreeForPackets(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  const isFree = await hasBegun(once(socket, 'listening'));
  socket.close();
  return isFree;
}

/** False where the port is taken, or the system keeps it for itself. */
async function hasBegun(begun: Promise<unknown>): Promise<boolean> {
  try {
    await begun;
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES') return false;
    throw error;
  }
}
