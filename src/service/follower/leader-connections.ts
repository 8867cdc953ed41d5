import type { TLSSocket } from 'node:tls';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { KnownLeader } from './known-leader.ts';

const connectLimitMs = 2_000;
/** Less than the leader waits for the next call, so that a call is rarely sent on a connection that is being closed. */
const keptOpenMs = 30_000;
/**
 * The connections of a host that follows to the one that leads. Made anew for each leader and each address.
 *
 * There is one for each call that is under way, so as many as this host has callers. With fewer, strangers who send or read
 * slowly would have every other call wait.
 */
export class LeaderConnections {
  #leader: KnownLeader;
  readonly #pool: Pool;

  constructor(leader: KnownLeader) {
    this.#leader = leader;
    this.#pool = new Pool(leader.url, {
      connect:
        leader.fingerprint === null ? { timeout: connectLimitMs } : pinnedTo(() => this.#leader.fingerprint),
      pipelining: 1,
      keepAliveTimeout: keptOpenMs,
      // How long an answer may take is the caller's decision; a leader that is gone is noticed by its successor.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  get leader(): KnownLeader {
    return this.#leader;
  }

  /**
   * Whether these are connections to `leader`. A renewed certificate counts for new connections: those that are there were made to the
   * same process, and their calls go on.
   */
  continueTo(leader: KnownLeader): boolean {
    const { host, url, fingerprint } = this.#leader;
    const isPinned = fingerprint !== null;
    if (host !== leader.host || url !== leader.url || isPinned !== (leader.fingerprint !== null))
      return false;
    this.#leader = leader;
    return true;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch(options, handler);
  }

  /** Ends what is still under way, too. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** Connects to the host with this certificate only, whoever signed it and whatever name it has. */
function pinnedTo(readFingerprint: () => string | null): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectLimitMs,
    rejectUnauthorized: false,
    // A resumed session would come without the certificate.
    maxCachedSessions: 0,
  });
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const { fingerprint256 } = (socket as TLSSocket).getPeerCertificate();
      if (fingerprint256 === readFingerprint()) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(new OtherCertificate(), null);
    });
  };
}

/** Another program answers at the address of the leader, or its certificate was renewed and the database does not say so yet. */
class OtherCertificate extends Error {
  override readonly name = 'OtherCertificate';
}
