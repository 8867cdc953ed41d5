import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { ClientCertificate, ProxyProblem, TakenWay } from '../contract/service/network.ts';
import type { CallFailure } from '../contract/credential/rotation-trouble.ts';
import { chooseWay, type Way, waysOfDesktop, type WaySettings } from '../core/network/choose-way.ts';
import type { Destination } from '../core/network/no-proxy.ts';
import { type ProxyAddress, type ProxyLogin, proxyName } from '../contract/service/proxy-address.ts';
import {
  clientCertificateFailure,
  ConnectFailure,
  connectFailureOf,
  isAboutTrust,
  systemCodeIn,
} from './connect-failure.ts';
import { openTunnel } from './open-tunnel.ts';
import { addressRefused, checkedLookup, isRefusedHost } from './reachable-address.ts';
import { TrustedRoots } from './trusted-roots.ts';

/**
 * Network: how connections to other machines are made, for every part of the program that calls one: direct or through a proxy,
 * trusting whom, presenting which certificate. `core/network` decides the way; nobody else opens a connection to a service. It
 * speaks in codes; `text` makes the sentences. Start reading here, then `open-tunnel.ts` and `trusted-roots.ts`.
 */

export interface OutgoingSettings extends WaySettings {
  /** A file of certificates to trust; null: none. */
  readonly certificates: string | null;
}

export interface OutgoingParts {
  /** Asked for each connection. Default: nothing was set. */
  readonly settings?: () => OutgoingSettings;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What the desktop says about an address, as a PAC file does. Default: there is none. */
  readonly askDesktop?: ((url: string) => Promise<string>) | undefined;
  /** The stored login for a proxy that was given without one. Rejects when the vault cannot be used. */
  readonly loginFor?: ((proxy: ProxyAddress) => Promise<ProxyLogin | null>) | undefined;
  /** Certificates (PEM) to trust in addition. */
  readonly trusted?: string | undefined;
}

export interface ConnectorOptions {
  /** For the whole of a connection, in milliseconds. */
  readonly timeLimitMs: number;
  /**
   * How names of services are looked up; a proxy looks them up itself. Default: by the system, without the addresses that are never
   * called.
   */
  readonly lookup?: LookupFunction | undefined;
  readonly clientCertificate?: ClientCertificate | null | undefined;
  /** After how long of silence the system checks that a connection still exists, in milliseconds. */
  readonly keepAliveDelayMs?: number | undefined;
}

const nothingSet: OutgoingSettings = { proxy: 'system', no_proxy: null, certificates: null };

/**
 * Certificates are verified whatever the environment says (`NODE_TLS_REJECT_UNAUTHORIZED`). Link-local addresses and those where a cloud
 * tells its machines their secrets are never called, whoever names them: a person, the metadata of a server, or a name that leads there.
 */
// see decisions/company-networks.md
export class Outgoing {
  readonly #parts: OutgoingParts;
  readonly #settings: () => OutgoingSettings;
  readonly #roots: TrustedRoots;
  /** By origin: there are as many as services. */
  readonly #taken = new Map<string, TakenWay>();

  constructor(parts: OutgoingParts = {}) {
    this.#parts = parts;
    this.#settings = parts.settings ?? (() => nothingSet);
    this.#roots = new TrustedRoots({
      file: () => this.#settings().certificates,
      extra: parts.trusted ?? null,
    });
  }

  /** The way of the last connection to the origin of a URL; null: none was made, also because it is no whole URL. */
  takenTo(url: string): TakenWay | null {
    return this.#taken.get(URL.parse(url)?.origin ?? '') ?? null;
  }

  /** Why a call got no answer. `isSent`: it may have arrived. */
  failureOf(error: unknown, url: string): { readonly isSent: boolean; readonly failure: CallFailure } {
    const failure = connectFailureOf(error);
    if (failure !== null) return { isSent: false, failure };
    const systemCode = systemCodeIn(error);
    const way = this.takenTo(url);
    // Some servers end such a connection without an alert, when the handshake is over for the client.
    const isMissing = way !== null && way.asks_for_certificate && !way.has_client_certificate;
    return isMissing
      ? { isSent: true, failure: { code: 'client_certificate', problem: 'perhaps_needed', systemCode } }
      : { isSent: true, failure: { code: 'connection_lost', systemCode } };
  }

  /** What undici opens connections with. Every failure is a `ConnectFailure`. */
  connector(options: ConnectorOptions): buildConnector.connector {
    return ({ protocol, hostname, port }, callback) => {
      const to = destinationOf(protocol, hostname, port);
      this.#open(to, options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    };
  }

  async #open(to: Destination, options: ConnectorOptions): Promise<Socket> {
    if (isRefusedHost(to.host)) {
      throw new ConnectFailure({ code: 'not_connected', systemCode: addressRefused });
    }
    const ways = await this.#waysTo(to);
    for (const [index, way] of ways.entries()) {
      try {
        return await this.#openBy(way, to, options);
      } catch (error) {
        const isLast = index === ways.length - 1;
        if (isLast || !(error instanceof ConnectFailure) || error.failure.code !== 'proxy_failed')
          throw error;
      }
    }
    throw new ConnectFailure({ code: 'not_connected', systemCode: 'ENOTFOUND' });
  }

  async #waysTo(to: Destination): Promise<readonly Way[]> {
    const { environment = process.env, askDesktop } = this.#parts;
    const way = chooseWay(to, this.#settings(), environment);
    if (way !== null) return [way];
    const direct = [{ kind: 'direct' }] as const;
    if (askDesktop === undefined) return direct;
    return waysOfDesktop(await askDesktop(originOf(to))) ?? direct;
  }

  async #openBy(way: Way, to: Destination, options: ConnectorOptions): Promise<Socket> {
    if (way.kind === 'invalid') {
      throw new ConnectFailure({ code: 'proxy_invalid', source: way.source, problem: way.problem });
    }
    // Read first: nobody would notice meanwhile that the proxy ends the connection, and a locked keychain asks a person.
    const login = way.kind === 'proxy' ? await this.#loginFor(way) : null;
    const limit = new Limit(options.timeLimitMs);
    try {
      const socket =
        way.kind === 'direct'
          ? await this.#openTcp(to, options, limit)
          : await this.#openThrough(way, login, to, limit);
      const client = options.clientCertificate ?? null;
      const secured = to.protocol === 'https:' ? await this.#secure(socket, to.host, client, limit) : null;
      this.#taken.set(originOf(to), {
        proxy: way.kind === 'proxy' ? proxyName(way.proxy) : null,
        source: way.kind === 'proxy' ? way.source : null,
        issuer: secured === null ? null : issuerName(secured.getPeerCertificate()),
        // OpenSSL compares signature algorithms on this side only when the service has asked for a certificate.
        asks_for_certificate: secured !== null && secured.getSharedSigalgs().length > 0,
        has_client_certificate: secured !== null && client !== null,
      });
      const opened = secured ?? socket;
      opened.setNoDelay(true);
      opened.setKeepAlive(true, options.keepAliveDelayMs ?? usualKeepAliveDelayMs);
      return opened;
    } finally {
      limit.clear();
    }
  }

  async #openTcp({ host, port }: Destination, { lookup }: ConnectorOptions, limit: Limit): Promise<Socket> {
    try {
      return await tcpTo(host, port, limit, lookup ?? checkedLookup(true));
    } catch (error) {
      throw new ConnectFailure({ code: 'not_connected', systemCode: systemCodeIn(error) }, { cause: error });
    }
  }

  async #loginFor(way: WayOfProxy): Promise<ProxyLogin | null> {
    try {
      return way.proxy.login ?? (await this.#parts.loginFor?.(way.proxy)) ?? null;
    } catch (error) {
      throw proxyFailure(way, { code: 'login_unreadable' }, error);
    }
  }

  async #openThrough(
    way: WayOfProxy,
    login: ProxyLogin | null,
    to: Destination,
    limit: Limit,
  ): Promise<Socket> {
    const { proxy } = way;
    const failure = (problem: ProxyProblem, cause?: unknown) => proxyFailure(way, problem, cause);
    const tooSlow = { code: 'too_slow', limitMs: limit.ms } as const;
    let socket: Socket;
    try {
      socket = await tcpTo(proxy.host, proxy.port, limit);
    } catch (error) {
      const systemCode = systemCodeIn(error);
      // It may have accepted the connection, and reset it before that is known here.
      if (systemCode === 'ECONNRESET') throw failure({ code: 'closed' }, error);
      throw failure(systemCode === timeoutCode ? tooSlow : { code: 'unreachable', systemCode }, error);
    }
    if (proxy.scheme === 'https') {
      try {
        socket = await this.#secure(socket, proxy.host, null, limit);
      } catch (error) {
        const why = error instanceof ConnectFailure ? error.failure : null;
        if (limit.isOver) throw failure(tooSlow, error);
        if (why?.code === 'not_trusted') {
          throw failure(
            { code: 'not_trusted', systemCode: why.systemCode, issuer: why.issuer ?? null },
            error,
          );
        }
        throw failure({ code: 'unreachable', systemCode: systemCodeIn(error) }, error);
      }
    }
    const problem = await openTunnel(socket, hostAndPort(to), login);
    if (problem === null) return socket;
    socket.destroy();
    throw failure(limit.isOver ? tooSlow : problem);
  }

  /** TLS on a socket that is connected. */
  #secure(socket: Socket, host: string, client: ClientCertificate | null, limit: Limit): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      let secureContext;
      try {
        secureContext = this.#roots.contextFor(client);
      } catch (error) {
        socket.destroy();
        const systemCode = systemCodeIn(error);
        reject(
          new ConnectFailure(
            { code: 'client_certificate', problem: 'unusable', systemCode },
            { cause: error },
          ),
        );
        return;
      }
      const secured = connectTls({
        socket,
        host,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        secureContext,
        rejectUnauthorized: true,
        ALPNProtocols: ['http/1.1'],
      });
      limit.ends(secured);
      /** Of the last certificate that the service has shown. */
      let issuer: string | null = null;
      // Before Node verifies: afterwards, what the service has shown cannot be read any more.
      secured.prependListener('secure', () => {
        issuer = rootNameOf(secured.getPeerCertificate(true));
      });
      const onFailure = (cause: Error): void => {
        secured.destroy();
        socket.destroy();
        reject(
          new ConnectFailure(this.#tlsFailure(limit.isOver ? timeoutCode : systemCodeIn(cause), issuer), {
            cause,
          }),
        );
      };
      const onClose = (): void => onFailure(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
      secured.once('error', onFailure).once('close', onClose);
      secured.once('secureConnect', () => {
        secured.off('error', onFailure).off('close', onClose);
        // An alert does not destroy the socket, and its end, which follows, would hide why.
        secured.once('error', () => secured.destroy());
        resolve(secured);
      });
    });
  }

  #tlsFailure(systemCode: string, issuer: string | null): CallFailure {
    const ofClient = clientCertificateFailure(systemCode);
    if (ofClient !== null) return ofClient;
    if (!isAboutTrust(systemCode)) return { code: 'not_connected', systemCode };
    const { problem } = this.#roots;
    return {
      code: 'not_trusted',
      systemCode,
      ...(issuer === null ? {} : { issuer }),
      ...(problem === null ? {} : { file: problem }),
    };
  }
}

type WayOfProxy = Extract<Way, { kind: 'proxy' }>;

function proxyFailure({ proxy, source }: WayOfProxy, problem: ProxyProblem, cause?: unknown): ConnectFailure {
  return new ConnectFailure({ code: 'proxy_failed', proxy: proxyName(proxy), source, problem }, { cause });
}

const usualKeepAliveDelayMs = 60_000;
/** As undici names it. */
const timeoutCode = 'UND_ERR_CONNECT_TIMEOUT';

/** The time limit of one connection: whatever is being opened when it is over is destroyed. */
class Limit {
  readonly ms: number;
  readonly #timer: NodeJS.Timeout;
  #current: Socket | null = null;
  #isOver = false;

  constructor(ms: number) {
    this.ms = ms;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#current?.destroy(Object.assign(new Error(timeoutCode), { code: timeoutCode }));
    }, ms);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  ends(socket: Socket): void {
    this.#current = socket;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#current = null;
  }
}

function tcpTo(host: string, port: number, limit: Limit, lookup?: LookupFunction): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, ...(lookup === undefined ? {} : { lookup }) });
    limit.ends(socket);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function destinationOf(protocol: string, hostname: string, port: string): Destination {
  const isSecure = protocol === 'https:';
  const usualPort = isSecure ? 443 : 80;
  return {
    protocol: isSecure ? 'https:' : 'http:',
    host: hostname.replace(/^\[|\]$/g, '').toLowerCase(),
    port: port === '' ? usualPort : Number(port),
  };
}

function originOf({ protocol, host, port }: Destination): string {
  return new URL(`${protocol}//${hostAndPort({ host, port })}`).origin;
}

/** IPv6 in brackets, and always with a port (RFC 9110, section 9.3.6). */
function hostAndPort({ host, port }: Pick<Destination, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const longestName = 100;

/** Who issued a certificate, as it says. It comes from outside: bounded, and only what can be seen. */
function issuerName({ issuer }: Partial<Pick<DetailedPeerCertificate, 'issuer'>>): string | null {
  const names: Record<string, unknown> = { ...issuer };
  const name = [names['CN'], names['O'], names['OU']].flat().find((one) => typeof one === 'string');
  const clean = typeof name === 'string' ? name.replace(/[\p{C}\s]+/gu, ' ').trim() : '';
  return clean === '' ? null : clean.slice(0, longestName).toWellFormed();
}

/** Who issued the last certificate of a chain: that is the one to be trusted. */
function rootNameOf(leaf: DetailedPeerCertificate): string | null {
  let last: Partial<DetailedPeerCertificate> = leaf;
  const seen = new Set<unknown>();
  // A certificate that signs itself is its own issuer, and one whose issuer is not known has none.
  for (let next: Partial<DetailedPeerCertificate> = leaf; next.fingerprint256 !== undefined;) {
    if (seen.has(next.fingerprint256)) break;
    seen.add(next.fingerprint256);
    last = next;
    next = next.issuerCertificate ?? {};
  }
  return issuerName(last);
}

const connectLimitMs = 10_000;
/** What asks seldom keeps no connection open. */
const keepAliveMs = 1_000;

/** `fetch` for addresses on other machines, by the ways of `outgoing`. Its failures are those of `connectFailureOf`. */
export function fetchThrough(outgoing: Outgoing): typeof fetch {
  let loaded: ReturnType<typeof load> | null = null;
  const load = async () => {
    const { Agent, fetch: ofUndici } = await import('undici');
    const connect = outgoing.connector({ timeLimitMs: connectLimitMs });
    return { ofUndici, dispatcher: new Agent({ connect, keepAliveTimeout: keepAliveMs }) };
  };
  const through = async (input: unknown, init: unknown): Promise<unknown> => {
    // For the first call: loading undici takes a fifth of a start, and most starts make none.
    loaded ??= load();
    const { ofUndici, dispatcher } = await loaded;
    return ofUndici(input as string, { ...(init as object), dispatcher });
  };
  // The same functions as those of Node, with types of their own.
  return through as typeof fetch;
}
