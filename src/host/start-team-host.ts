/**
 * A host of a team: several programs over one PostgreSQL, of which one leads at a time. While this one leads, it has a term, as a
 * host that is alone has from its start to its end; while another one leads, it passes its calls on. Start reading here.
 */
// see decisions/team-host.md
import { type KeyObject, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { defaultPort } from '../contract/address.ts';
import type { TeamStatus } from '../contract/service/team.ts';
import { type Ledger, StoreUnavailable } from '../core/ledger.ts';
import { ownerWithKey } from '../core/owner/change-owners.ts';
import { FollowerService } from '../service/follower/follower-service.ts';
import { readAddress, signAddress } from '../service/follower/known-leader.ts';
import { PassedOnCalls } from '../service/guard/passed-on.ts';
import type { HostFacts } from '../service/host-health.ts';
import type { Metrics } from '../service/metrics.ts';
import { copyHost } from '../store/copy-lines.ts';
import { readNewestCheckpoint } from '../store/team/checkpoint-table.ts';
import { FencedTables } from '../store/team/fenced-tables.ts';
import { JournalKey } from '../store/team/journal-key.ts';
import { Member, type MemberStatus, type TermEnd } from '../store/team/member.ts';
import { PostgresDatabase } from '../store/team/postgres-database.ts';
import { Replica } from '../store/team/replica.ts';
import { TableEntries } from '../store/team/table-entries.ts';
import { assertOfDatabase, type Term as LeadTerm } from '../store/team/term.ts';
import { StoreError } from '../store/store-error.ts';
import { hostText } from '../text/service/host-text.ts';
import { storeProblemText, storeRefusalText } from '../text/service/store-text.ts';
import { passphraseHost } from './change-passphrase.ts';
import { closeAll } from './close-all.ts';
import { HostError, messageOf } from './host-error.ts';
import { HostProcess, type ProcessOptions } from './host-process.ts';
import { isEveryAddress, isLoopback } from './network-address.ts';
import { openTeamVault, type TeamVault } from './open-vault-choice.ts';
import { asHostError } from './open-folder.ts';
import { KnownSeal, openTeamStorage, type TeamPlace } from './team-storage.ts';
import type { RunningHost } from './start-host.ts';
import { hostMetrics } from './read-metrics.ts';
import { TeamLeaders } from './team-leaders.ts';
import { Term } from './host-term.ts';

export interface TeamHostOptions extends ProcessOptions {
  /** `postgres://user@host/database` */
  readonly journal: string;
  readonly vault: TeamVault;
  /** How the other hosts reach this one, such as `https://10.0.0.5:7682`. Default: where it listens. */
  readonly advertise?: string | undefined;
}

export interface TeamHost extends RunningHost {
  readonly role: () => HostFacts['role'];
  /** Where the host that leads is reached by other hosts; null while this one leads, or nobody is known to. */
  leaderUrl(): string | null;
  /** A link that signs a browser in; null while another host leads, which makes its own. */
  signInLink(): string | null;
}

/** Longer than it takes the hosts that follow to see that this one no longer leads, in milliseconds. */
const seenMs = 500;
/** How long rotations and the calls of a term may take to their end, in milliseconds: less than a member waits before it goes on without. */
const lastCallsMs = 2_000;
/** How long the rotations may take of it: what they give their callers as an answer comes after them. */
const lastRotationMs = 1_500;

/** Joins a team. Resolves when this host follows or leads. Throws `HostError`; then nothing is left running. */
export async function startTeamHost(options: TeamHostOptions): Promise<TeamHost> {
  let passedOnCalls: PassedOnCalls | null = null;
  const running = await HostProcess.open(options, {
    passphraseFile: options.vault.passphraseFile,
    readForwarded: (request) => passedOnCalls?.read(request, Date.now()) ?? null,
  });
  let database: PostgresDatabase | null = null;
  let host: HostOfTeam | null = null;
  try {
    database = await openDatabase(options.journal);
    if (existsSync(join(running.dataDir, 'journal')))
      running.say(hostText.ownJournal(running.dataDir, database.place));
    const epoch: { current: () => number | null } = { current: () => null };
    const tables = new FencedTables(database, () => epoch.current());
    const entries = new TableEntries(tables);
    const vault = await openTeamVault(options.vault, entries);
    const key = vault.clusterKey();
    const id = randomUUID();
    passedOnCalls = new PassedOnCalls(key, id);
    const seal = new KnownSeal(running.dataDir, vault.journalKey(), running.say);
    seal.see(vault.sealedFrom);
    const journalKey = new JournalKey(vault.journalKey(), seal.from, database.place, seal.path);
    database.useKey(journalKey);
    const place: TeamPlace = { database, tables, entries, vault, journalKey, seal, epoch };
    const checkpoint = await orHostError(readNewestCheckpoint(database));
    await running.listen(running.network === null ? defaultPort : 0);
    const url = options.advertise ?? ownUrl(running, options);
    assertPrivate(url);
    const { onStopAsked } = options;
    host = await HostOfTeam.create({ id, running, place, key, passedOnCalls, url, checkpoint, onStopAsked });
    running.writeRuntimeFile();
    await host.join();
    return teamHostOf(host, running, database);
  } catch (error) {
    // What made the start fail is said, and not what failed after it.
    await closeTeamHost(host, running, database).catch(() => undefined);
    throw error;
  }
}

function closeTeamHost(
  host: HostOfTeam | null,
  running: HostProcess,
  database: PostgresDatabase | null,
): Promise<void> {
  return closeAll(
    () => host?.close(),
    () => running.endCalls(),
    () => database?.close(),
    () => running.release(),
  );
}

function teamHostOf(host: HostOfTeam, running: HostProcess, database: PostgresDatabase): TeamHost {
  let closing: Promise<void> | null = null;
  return {
    baseUrl: running.baseUrl,
    publicUrl: running.early.publicUrl,
    dataDir: running.dataDir,
    repairs: [],
    role: () => host.facts().role,
    leaderUrl: () => host.leaderUrl,
    signInLink: () => host.term?.signInLink() ?? null,
    wake: () => host.wake(),
    close() {
      closing ??= closeTeamHost(host, running, database);
      return closing;
    },
  };
}

interface HostParts {
  /** Of this process: another one each time the program starts. */
  readonly id: string;
  readonly running: HostProcess;
  readonly place: TeamPlace;
  /** The key of the cluster. */
  readonly key: KeyObject;
  readonly passedOnCalls: PassedOnCalls;
  /** Where other hosts reach this one. */
  readonly url: string;
  readonly checkpoint: { readonly seq: number; readonly head: string; readonly state: Replica['state'] };
  readonly onStopAsked: ProcessOptions['onStopAsked'];
}

/** What leads the database and is no host, for a while. */
const foreignTexts: Readonly<Record<string, (place: string) => string>> = {
  [copyHost]: hostText.unfinishedCopy,
  [passphraseHost]: hostText.passphraseChanging,
};

class HostOfTeam {
  readonly #parts: HostParts;
  readonly #id: string;
  readonly #leaders: TeamLeaders;
  readonly #metrics: Metrics;
  readonly #follower: FollowerService;
  readonly #replica: Replica;
  readonly #member: Member;
  readonly #joined = Promise.withResolvers<undefined>();
  #term: Term | null = null;
  /** Of the term. */
  #ledger: Pick<Ledger, 'look'> | null = null;
  #isReady = false;
  #terms = 0;
  #told = '';
  /** Whether it led until it stopped. */
  #hasHandedOver = false;

  private constructor(parts: HostParts) {
    this.#parts = parts;
    this.#id = parts.id;
    const { running, place, key, passedOnCalls, url, checkpoint, onStopAsked } = parts;
    const { early, say } = running;
    const { database } = place;
    this.#leaders = new TeamLeaders({
      host: this.#id,
      key,
      onForeign: (host) => say((foreignTexts[host] ?? hostText.foreignLeader)(database.place)),
    });
    this.#metrics = hostMetrics({
      running,
      facts: () => this.facts(),
      term: () => this.#term,
      terms: () => this.#terms,
      leaseMs: () => this.#member.status().leaseMs,
      callsPassedOn: () => (this.#term === null ? this.#follower.size : null),
    });
    this.#follower = new FollowerService({
      early,
      leaders: this.#leaders,
      key,
      passedOnCalls,
      portalKey: running.portalKey,
      isOwnerKey: async (digest) => {
        const isKnown = () => ownerWithKey(this.#replica.state, digest) !== undefined;
        if (!isKnown()) return false;
        // It may have been revoked a moment ago.
        return (await this.#member.lookNow()) && isKnown();
      },
      readArrival: (request) => early.arrivals.read(request),
      version: packageJson.version,
      readHost: () => this.facts(),
      metrics: this.#metrics,
      log: running.log,
      onStopAsked,
    });
    this.#replica = new Replica(checkpoint.state, checkpoint, database.place);
    const readFingerprint = () =>
      url.startsWith('https:') ? (running.network?.fingerprint() ?? null) : null;
    const sign = (fingerprint: string | null) => ({
      fingerprint,
      text: signAddress(key, { host: this.#id, url, fingerprint }),
    });
    let address = sign(readFingerprint());
    this.#member = new Member({
      database,
      replica: this.#replica,
      host: this.#id,
      name: hostname(),
      address: () => {
        const fingerprint = readFingerprint();
        if (fingerprint !== address.fingerprint) address = sign(fingerprint);
        return address.text;
      },
      version: packageJson.version,
      clock: () => performance.now(),
      random: Math.random,
      startTimer(ms, act) {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
      onLead: (term) => this.#begin(term),
      onEnd: (end) => this.#end(end),
      onChange: (status) => {
        this.#tell(status);
      },
      onTrouble: (error) => say(troubleText(error)),
    });
  }

  /** Has everything ready that a term needs, so that a takeover does not wait for it. */
  static async create(parts: HostParts): Promise<HostOfTeam> {
    await import('../service/build-service.ts');
    return new HostOfTeam(parts);
  }

  get term(): Term | null {
    return this.#term;
  }

  get leaderUrl(): string | null {
    return this.#term === null ? (this.#leaders.leader?.url ?? null) : null;
  }

  /** Resolves when this host leads or knows who does. */
  async join(): Promise<void> {
    this.#parts.running.early.handOver(this.#follower.handle);
    await this.#removeEarlier();
    this.#member.start();
    await this.#joined.promise;
  }

  /** What an earlier process at this address left, which could not stop cleanly: otherwise it would be missing. */
  async #removeEarlier(): Promise<void> {
    const { key, url } = this.#parts;
    const { database } = this.#parts.place;
    try {
      for (const { host, address } of await database.hosts())
        if (readAddress(key, host, address)?.url === url) await database.removeHost(host);
    } catch (error) {
      assertOfDatabase(error);
    }
  }

  facts(): HostFacts {
    const { role, epoch, lag, isReady } = this.#member.status();
    if (role === 'leader') {
      const isWritable = this.#term !== null && this.#ledger?.look().status === 'ok';
      return { role, epoch, isReady: isReady && isWritable };
    }
    return { role: 'follower', epoch, lag, isReady: isReady && this.#leaders.leader !== null };
  }

  wake(): void {
    if (this.#term !== null) this.#term.wake();
    else this.#parts.running.look(() => true);
  }

  /**
   * Lets another host lead. Those that follow still send calls here until they have seen it; they are told that nothing was done, which
   * they could not know of a connection that is closed.
   */
  async close(): Promise<void> {
    await closeAll(
      () => this.#member.close(),
      async () => {
        if (this.#hasHandedOver) await wait(seenMs);
      },
      () => this.#follower.close(),
    );
  }

  async #begin(lead: LeadTerm): Promise<void> {
    const { running, place, checkpoint } = this.#parts;
    place.epoch.current = () => lead.epoch;
    const storage = await openTeamStorage(place, {
      clock: running.clock,
      say: running.say,
      term: lead,
      replica: this.#replica,
      checkpointSeq: checkpoint.seq,
      onAppend: (ms, events) => {
        this.#metrics.tellAppend(ms / 1000, events);
      },
    });
    const { ledger } = storage;
    let term: Term | null = null;
    try {
      const parts = await running.parts({
        repairs: [],
        isStoreOk: () => ledger.look().status === 'ok',
      });
      term = new Term(
        {
          ...parts,
          readHost: () => this.facts(),
          metrics: this.#metrics,
          team: {
            read: () => this.#readTeam(),
            remove: (id) => place.database.removeHost(id),
          },
        },
        storage,
      );
      await term.serve();
    } catch (error) {
      running.early.handOver(this.#follower.handle);
      if (term === null) await storage.close();
      else await term.close(() => Promise.resolve(), { isDeposed: true });
      throw error;
    }
    this.#term = term;
    this.#ledger = ledger;
    this.#isReady = true;
    this.#terms += 1;
    term.start();
  }

  /** Null while the database does not answer. What the database has of this host is older than what it knows itself. */
  async #readTeam(): Promise<TeamStatus | null> {
    const { place, key, url } = this.#parts;
    const seen = await place.database.hosts().catch(() => null);
    if (seen === null) return null;
    const { epoch, seq } = this.#member.status();
    const others = new Map<string, TeamStatus['hosts'][number]>();
    for (const { host, name, address: signed, version, seq: seenSeq, secondsAgo } of seen) {
      const address = readAddress(key, host, signed)?.url;
      if (address === undefined || address === url || others.has(address)) continue;
      const seconds = Math.max(0, Math.round(secondsAgo));
      others.set(address, {
        id: host,
        name,
        address,
        version,
        role: 'follower',
        last_seq: seenSeq,
        seen_seconds_ago: seconds,
      });
    }
    return {
      epoch,
      hosts: [
        {
          id: this.#id,
          name: hostname(),
          address: url,
          version: packageJson.version,
          role: 'leader',
          last_seq: seq,
          seen_seconds_ago: 0,
        },
        ...[...others.values()].sort((one, other) => (one.address < other.address ? -1 : 1)),
      ],
    };
  }

  async #end(end: TermEnd): Promise<void> {
    const { running, place } = this.#parts;
    const term = this.#term;
    const untilMs = performance.now() + lastCallsMs;
    this.#hasHandedOver = end === 'closed' && term !== null;
    // From now on calls wait for the next leader.
    const handOver = (): void => {
      this.#term = null;
      this.#ledger = null;
      this.#leaders.look(this.#member.status(), false);
      running.early.handOver(this.#follower.handle);
    };
    // While this host still leads, its agent may finish a rotation, also of a token of this team.
    if (end !== 'closed' || term === null) handOver();
    await term?.close(() => this.#endCalls(untilMs), {
      isDeposed: end !== 'closed',
      agentMs: lastRotationMs,
      ...(end === 'closed' ? { onAgentClosed: handOver } : {}),
    });
    place.epoch.current = () => null;
  }

  /** Resolves when the calls that the service got are answered; at an instant of the monotonic clock they end without. */
  async #endCalls(untilMs: number): Promise<void> {
    const { early } = this.#parts.running;
    const left = early.connections.underWay().filter((response) => !this.#follower.has(response));
    const limit = setTimeout(() => {
      for (const response of left) response.destroy();
    }, untilMs - performance.now());
    await Promise.all(
      left.map(
        (response) =>
          new Promise((resolve) => (response.closed ? resolve(null) : response.once('close', resolve))),
      ),
    );
    clearTimeout(limit);
  }

  #tell(status: MemberStatus): void {
    const { say } = this.#parts.running;
    this.#leaders.look(status, this.#term !== null);
    if (status.isReady || status.role === 'stopped') this.#joined.resolve(undefined);
    // A leader without its database may not answer any more, or again: windows that only listen would not notice.
    if (status.isReady !== this.#isReady) this.#ledger?.look();
    this.#isReady = status.isReady;
    const { role, epoch, isReachable } = status;
    const told = `${role} ${String(isReachable)}`;
    if (told === this.#told) return;
    const isFirst = this.#told === '';
    this.#told = told;
    if (!isReachable) say(hostText.databaseLost(this.#parts.place.database.place));
    else if (role === 'leader') say(hostText.leads(epoch));
    else if (role === 'follower' && !isFirst) say(hostText.follows);
  }
}

/** Throws `HostError` for an address at which another machine would have to send calls for everybody on the way to read. */
function assertPrivate(url: string): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    throw new HostError('ADDRESS_UNUSABLE', hostText.tlsBetweenHosts(url));
}

/** The address at which this host listens, if that is one. */
function ownUrl({ baseUrl, network }: HostProcess, { network: options }: TeamHostOptions): string {
  if (network === null || options === undefined) return baseUrl;
  const { host } = options.listen;
  if (isEveryAddress(host)) throw new HostError('ADDRESS_UNUSABLE', hostText.advertiseMissing);
  return network.ownUrl();
}

function troubleText(error: unknown): string {
  if (error instanceof StoreError) return storeProblemText(error.problem);
  if (error instanceof StoreUnavailable) return hostText.termFailed(storeRefusalText(error.refusal));
  return hostText.termFailed(messageOf(error));
}

async function openDatabase(url: string): Promise<PostgresDatabase> {
  return orHostError(PostgresDatabase.open(url));
}

async function orHostError<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw asHostError(error);
  }
}
