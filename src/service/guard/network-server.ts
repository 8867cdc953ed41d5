import type { Server, Socket } from 'node:net';
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type Server as TlsServer,
} from 'node:tls';
import { problems } from '../../contract/problems.ts';
import { endSoon } from '../../network/create-listener.ts';
import type { EarlyServer } from '../early-server.ts';
import type { OpenedNetworkWay } from './network-way.ts';

/** A certificate with its chain, and its key, both as PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** How long a caller may take for the handshake, in milliseconds. */
const handshakeTimeoutMs = 10_000;
/** The first byte of a TLS record with a handshake (RFC 8446, section 5.1). */
const handshakeRecord = 22;

export interface NetworkServer {
  /** Listens. */
  readonly server: Server;
  /** New connections get this certificate; those that are there keep theirs. */
  readonly useCertificate: (certificate: Certificate) => void;
}

/**
 * A server for a network address, whose connections are passed to the first server with all its limits, also those that are
 * still in their handshake. Without a certificate they have to come from a proxy.
 */
export function createNetworkServer(
  early: EarlyServer,
  way: OpenedNetworkWay,
  certificate: Certificate | null,
): NetworkServer {
  const pass = (socket: Socket): void => {
    way.add(socket);
    early.server.emit('connection', socket);
  };
  if (certificate === null) {
    const server = early.createSecond(pass, { allowHalfOpen: true });
    return { server, useCertificate: () => undefined };
  }
  const { connections } = early;
  const handshakes = new Map<string, Socket>();
  const tls: TlsServer = createTlsServer({
    ...secureOptions(certificate),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: handshakeTimeoutMs,
  });
  // Node itself ends a connection whose handshake fails.
  tls.on('tlsClientError', () => undefined);
  tls.on('secureConnection', (socket) => {
    const handshake = handshakes.get(peerOf(socket));
    if (handshake === undefined || !connections.replace(handshake, socket)) socket.destroy();
    else pass(socket);
  });
  const begin = (socket: Socket): void => {
    connections.add(socket);
    const peer = peerOf(socket);
    handshakes.set(peer, socket);
    socket.once('close', () => handshakes.delete(peer));
    socket.on('error', () => undefined); // its 'close' follows
    socket.setTimeout(handshakeTimeoutMs, () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      if (bytes[0] !== handshakeRecord) {
        refusePlain(socket);
        return;
      }
      socket.pause();
      socket.unshift(bytes);
      tls.emit('connection', socket);
    });
  };
  const server = early.createSecond(begin, { allowHalfOpen: false });
  return {
    server,
    useCertificate(next) {
      tls.setSecureContext(secureOptions(next));
    },
  };
}

/** TLS 1.2 or 1.3, as Node's default is unless its options lower it; the ciphers are Node's. */
function secureOptions({ cert, key }: Certificate): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2' };
}

/** Distinguishes the open connections of one server: a caller may use the same port for several addresses of this machine. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''} ${localAddress ?? ''}`;
}

/** Answers a call in plain HTTP at an address for TLS. Nothing of it is read. */
function refusePlain(socket: Socket): void {
  const { status, message } = problems.https_required;
  const body = JSON.stringify({ success: false, message });
  socket.end(
    `HTTP/1.1 ${status} Forbidden\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  endSoon(socket);
}
