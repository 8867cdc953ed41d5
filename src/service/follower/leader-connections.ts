import type { TLSSocket } from 'node:tls';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { KnownLeader } from './known-leader.ts';

const connectLimitMs = 2_000;
/** Less than the leader waits for the next call, so that a call is rarely sent on a connection that is being closed. */
const keptOpenMs = 30_000;
/** Connections for calls; more calls wait. */
const mostConnections = 200;

/** The connections of a host that follows to the one that leads. Made anew for each leader and each address. */
export class LeaderConnections {
  #leader: KnownLeader;
  readonly #calls: Pool;
  /** Event streams have their own: each keeps its connection for as long as it is open. */
  readonly #streams: Pool;

  constructor(leader: KnownLeader) {
    this.#leader = leader;
    const options = {
      connect:
        leader.fingerprint === null ? { timeout: connectLimitMs } : pinnedTo(() => this.#leader.fingerprint),
      pipelining: 1,
      keepAliveTimeout: keptOpenMs,
      // How long an answer may take is the caller's decision; a leader that is gone is noticed by its successor.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.#calls = new Pool(leader.url, { ...options, connections: mostConnections });
    this.#streams = new Pool(leader.url, options);
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

  dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    { isStream }: { readonly isStream: boolean },
  ): void {
    (isStream ? this.#streams : this.#calls).dispatch(options, handler);
  }

  /** Ends what is still under way, too. */
  async close(): Promise<void> {
    await Promise.all([this.#calls.destroy(), this.#streams.destroy()]);
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
