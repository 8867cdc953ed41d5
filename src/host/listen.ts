import { once } from 'node:events';
import { type AddressInfo, isIPv6 } from 'node:net';
import { loopbackAddress, loopbackNames } from '../contract/address.ts';
import type { EarlyServer } from '../service/early-server.ts';
import { hostText, certificateText } from '../text/service/host-text.ts';
import type { Clock } from '../core/ledger.ts';
import type { OpenedNetworkWay } from '../service/guard/network-way.ts';
import { HostError } from './host-error.ts';
import { rotavoxAt } from './other-rotavox.ts';
import { isEveryAddress, namesOf, type NetworkOptions } from './network-address.ts';

/**
 * How many connections the system queues until they are accepted, one by one. It drops those beyond, and a caller
 * tries again only after a second.
 */
const backlog = 2048;

/** Opens the address. Throws `HostError`. */
export async function listen(early: EarlyServer, host: string, port: number): Promise<void> {
  const { server } = early;
  try {
    server.listen({ host: host === 'localhost' ? loopbackAddress : host, port, backlog });
    await once(server, 'listening');
    // `localhost` is two addresses.
    if (host === 'localhost') await listenAlsoAt('::1', early);
  } catch (cause) {
    throw cannotListen(host, port, cause);
  }
}

/** The port that was wanted, if another Rotavox has it, and the one in its place. */
export interface MovedPort {
  readonly from: number;
  readonly to: number;
  readonly account: string | null;
}

/** How many ports above the usual one are tried. */
const triedPorts = 50;

/**
 * Opens the usual port, or the next free one where another Rotavox has it, as that of another account on the same computer; null: the
 * usual one. Throws `HostError`, also where another program has it: apps would look for Rotavox there.
 */
// see decisions/one-port-for-each-account.md
export async function listenNear(early: EarlyServer, host: string, usual: number): Promise<MovedPort | null> {
  try {
    await listen(early, host, usual);
    return null;
  } catch (error) {
    // `localhost` is two addresses, of which one may be open already.
    const isTaken = error instanceof HostError && error.code === 'PORT_TAKEN' && host !== 'localhost';
    const other = isTaken ? await rotavoxAt(host, usual) : null;
    if (other === null) throw error;
    const last = Math.min(usual + triedPorts, largestPort);
    for (let port = usual + 1; port <= last; port += 1) {
      if (await isOpened(early, host, port)) return { from: usual, to: port, account: other.account };
    }
    throw error;
  }
}

const largestPort = 65_535;

async function isOpened(early: EarlyServer, host: string, port: number): Promise<boolean> {
  try {
    await listen(early, host, port);
    return true;
  } catch (error) {
    if (error instanceof HostError && error.code === 'PORT_TAKEN') return false;
    throw error;
  }
}

async function listenAlsoAt(host: string, early: EarlyServer): Promise<void> {
  const { port } = early.server.address() as AddressInfo;
  const second = early.createSecond();
  try {
    second.listen({ host, port, backlog });
    await once(second, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A machine without IPv6 has only the first address.
    if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw error;
  }
}

function cannotListen(host: string, port: number, cause: unknown): HostError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new HostError('PORT_TAKEN', hostText.portTaken(port, host), { cause });
  }
  return new HostError('ADDRESS_UNUSABLE', hostText.cannotListen(port, host, code ?? 'unknown'), { cause });
}

export function assertLoopback(hostname: string): void {
  if (loopbackNames.includes(hostname)) return;
  throw new HostError('ADDRESS_UNUSABLE', hostText.notLoopback(hostname));
}

/** The address for other machines. */
export interface NetworkAddress {
  /** Goes to the server on loopback, before it exists. */
  readonly way: OpenedNetworkWay;
  /** Opens it. Throws `HostError`. */
  listen(early: EarlyServer): Promise<void>;
  /** Takes a renewed certificate. */
  look(): void;
  /** Where it listens, for other hosts: by its address. */
  ownUrl(): string;
  /** SHA-256 of the certificate, as Node prints it; null without one. */
  fingerprint(): string | null;
  /** The end of the certificate's validity; null without one. */
  certificateEndsMs(): number | null;
  close(): void;
}

interface NetworkParts {
  readonly clock: Clock;
  readonly say: (message: string) => void;
}

/** How often files of a certificate are looked at, in milliseconds. */
const lookMs = 60_000;

/** Reads the certificate and prepares everything but listening. Throws `HostError`. */
export async function prepareNetwork(
  options: NetworkOptions,
  { clock, say }: NetworkParts,
): Promise<NetworkAddress> {
  const { listen: address, tls, trustedProxies, allowedHosts } = options;
  const { host } = address;
  if (tls === null && trustedProxies.length === 0)
    throw new HostError('ADDRESS_UNUSABLE', hostText.unprotected(host));
  if (allowedHosts.length === 0 && (tls === null || isEveryAddress(host)))
    throw new HostError('ADDRESS_UNUSABLE', hostText.noHostNames(host));
  // Loaded only by a host that other machines reach.
  const [{ OpenedNetworkWay: Way }, { createNetworkServer }, { CertificateFiles: Files }] = await Promise.all(
    [
      import('../service/guard/network-way.ts'),
      import('../service/guard/network-server.ts'),
      import('./certificate-files.ts'),
    ],
  );
  const way = new Way({ isTls: tls !== null, trustedProxies });
  const files =
    tls === null ? null : new Files({ ...tls, clock, tell: (notice) => say(certificateText(notice)) });
  let look = (): void => undefined;
  let ownPort = address.port;
  let timer: NodeJS.Timeout | undefined;
  return {
    way,
    async listen(early) {
      const { server, useCertificate } = createNetworkServer(early, way, files?.certificate ?? null);
      try {
        server.listen({ host, port: address.port, backlog });
        await once(server, 'listening');
      } catch (cause) {
        throw cannotListen(host, address.port, cause);
      }
      ownPort = (server.address() as AddressInfo).port;
      way.answerTo(namesOf(options, ownPort));
      if (trustedProxies.length === 0) files?.tellNames(allowedHosts);
      look = () => {
        const renewed = files?.look() ?? null;
        if (renewed !== null) useCertificate(renewed);
      };
      if (files !== null) timer = setInterval(look, lookMs).unref();
    },
    look: () => look(),
    ownUrl: () => `${tls === null ? 'http' : 'https'}://${isIPv6(host) ? `[${host}]` : host}:${ownPort}`,
    fingerprint: () => files?.fingerprint ?? null,
    certificateEndsMs: () => files?.expiresAtMs ?? null,
    close: () => clearInterval(timer),
  };
}
