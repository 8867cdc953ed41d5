import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long calls that are open when the service closes have to end by themselves. */
const closeLimitMs = 5_000;

/**
 * Lets the service close although somebody holds a connection open.
 *
 * Node's `server.close()` waits for a connection that never asked anything, and browsers open such connections ahead of
 * need. Those are hung up on at once; calls that are being answered are finished, for up to five seconds.
 */
export function letConnectionsGo(app: FastifyInstance): void {
  const open = new Set<Socket>();
  let isClosing = false;

  app.server.on('connection', (socket: Socket) => {
    if (isClosing) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', () => {
    isClosing = true;
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => {
      for (const socket of open) socket.destroy();
    }, closeLimitMs).unref();
  });
}
