import type { UnansweredTool } from '../contract/credential/tool-connection.ts';
import { join } from 'node:path';
import { type Agent, createAgent } from '../agent/create-agent.ts';
import type { OwnPlaces } from '../agent/delivery/own-places.ts';
import type { CallLog } from '../calls/call-log.ts';
import { TelephonyService } from '../calls/telephony-service.ts';
import { promptsBaseUrl } from '../core/calls/asterisk-lines.ts';
import type { CallRecords } from '../core/calls/telephony.ts';
import { type FolderOrigin, recordMove } from '../core/folder-origin.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import type { Vault } from '../core/vault.ts';
import type { Service } from '../service/build-service.ts';
import type { EarlyServer } from '../service/early-server.ts';
import type { BrowserList } from '../service/guard/known-browsers.ts';
import { namingOwners } from '../service/guard/owner-of-call.ts';
import { PortalSessions } from '../service/guard/portal-sessions.ts';
import type { ReadHostFacts } from '../service/host-health.ts';
import type { Metrics } from '../service/metrics.ts';
import type { LogTarget } from '../service/http/logger-options.ts';
import type { ReplayKeyring } from '../service/secrets/sealed-reply.ts';
import type { Backups, MoveTokens, ServiceAbout, TeamHosts } from '../service/service-context.ts';
import { agentText } from '../text/credential/agent.ts';
import { hostText } from '../text/service/host-text.ts';
import { type HostPort, openPort, systemZone } from './host-port.ts';
import type { ProviderFiles } from './provider-files.ts';
import { fetchThrough, type Outgoing } from '../network/outgoing.ts';
import { HostNetwork } from './host-network.ts';
import { closeAll } from './close-all.ts';
import { messageOf } from './host-error.ts';
import { ToolCommandRunner } from './tool-command-runner.ts';
import { ToolLaunchers } from './tool-launchers.ts';

/** What the process has, whichever term it is in. */
export interface TermProcess {
  readonly early: EarlyServer;
  /** The key of the owner at this machine. */
  readonly portalKey: string;
  readonly providerFiles: ProviderFiles;
  readonly ownPlaces: OwnPlaces;
  readonly about: ServiceAbout;
  /** The command line, for tools. */
  readonly program: readonly string[] | null;
  readonly windowsDir: string | undefined;
  /** What the desktop says about the proxy for an address. Default: there is no desktop. */
  readonly askDesktop?: ((url: string) => Promise<string>) | undefined;
  /** Default: it is not ended by a call. */
  readonly onStopAsked?: (() => void) | undefined;
  /** Default: the system's. */
  readonly clock: Clock | undefined;
  readonly log: LogTarget;
  readonly say: (message: string) => void;
  /** What this host does in its team. Default: it is alone. */
  readonly readHost?: ReadHostFacts | undefined;
  readonly metrics?: Metrics | undefined;
  /** The hosts of its team. Default: it is alone. */
  readonly team?: TeamHosts | undefined;
  /** The address of the service; empty until it listens. */
  readonly baseUrl: () => string;
  /** Checks for problems that no call has met yet. Called by timers that exist for other reasons, so that idling costs nothing extra. */
  readonly onNapEnd: () => void;
}

/** What is stored, for one term. The term closes it. */
export interface TermStorage {
  readonly ledger: Ledger;
  readonly recordingFiles: RecordingFiles;
  readonly replayKeys: ReplayKeyring;
  readonly browsers: BrowserList;
  readonly vault: Vault;
  readonly openCallRecords: () => Promise<CallRecords & CallLog>;
  /** Default: the tokens of a team stay where they are. */
  readonly moveTokens?: MoveTokens | undefined;
  /** Default: a team, whose database is backed up by its own tools. */
  readonly backups?: Backups | undefined;
  /** Default: a team, whose data are not in a folder of one machine. */
  readonly origin?: FolderOrigin | undefined;
  close(): Promise<void>;
}

export interface TermClosing {
  /** Another host leads already. */
  readonly isDeposed?: boolean;
  /** How long a rotation that is under way may take. Default: some seconds. */
  readonly agentMs?: number;
  /** Called when our own agent has made its last call to the service. */
  readonly onAgentClosed?: () => void;
}

/**
 * Everything that works on one opened state, from when it may be changed here until it may not: agent, telephony, service.
 *
 * A host that is alone has one term, from its start to its end.
 */
export class Term {
  /** The state and the actions of a shell without a window. */
  readonly shellPort: HostPort;
  readonly sessions: PortalSessions;
  readonly #process: TermProcess;
  readonly #storage: TermStorage;
  /** With the owner of a call in what an owner does. */
  readonly #ledger: Ledger;
  readonly #agent: Agent;
  readonly #network: HostNetwork;
  readonly #telephony: TelephonyService;
  readonly #renewing: RenewReplayKeys;
  readonly #launchers: ToolLaunchers;
  readonly #toldOfTools = new Set<(asked: UnansweredTool) => void>();
  readonly #tellFailure: (error: unknown) => void;
  readonly #stopListening: () => void;
  #service: Service | null = null;
  #isDeposed = false;

  /** Changes nothing and answers nothing yet. */
  constructor(process: TermProcess, storage: TermStorage) {
    this.#process = process;
    this.#storage = storage;
    const { providerFiles, ownPlaces, about, say, baseUrl } = process;
    const { vault, origin } = storage;
    const ledger = namingOwners(storage.ledger);
    this.#ledger = ledger;
    const clock = process.clock ?? Date.now;
    const network = new HostNetwork({ ledger, vault, askDesktop: process.askDesktop });
    this.#network = network;
    const tellFailure = (error: unknown): void => {
      // What could not be recorded here is tried again by the host that leads now.
      if (!this.#isDeposed) say(hostText.agentFailed(messageOf(error)));
    };
    this.#tellFailure = tellFailure;
    const { dataDir } = about;
    this.#launchers = new ToolLaunchers({ dataDir, ledger, program: process.program });
    const agent = createAgent({
      providerFiles: providerFiles.all,
      ledger,
      text: agentText,
      vault,
      ownPlaces,
      embeddedUrl: baseUrl,
      outgoing: network.outgoing,
      movedFrom: () => origin?.movedFrom() ?? null,
      clock,
      zone: systemZone,
      onFailure: tellFailure,
      onNapEnd: process.onNapEnd,
    });
    this.#agent = agent;
    origin?.onConfirmed(() => {
      this.#recordMove(origin).catch(tellFailure);
      // What is due begins at once.
      agent.wake();
    });
    this.#recordMove(origin).catch(tellFailure);
    this.#stopListening = providerFiles.onChange(() => agent.useProviderFiles(providerFiles.all));
    this.#telephony = new TelephonyService({
      ledger,
      vault,
      recordingFiles: storage.recordingFiles,
      openLog: storage.openCallRecords,
      outgoing: network.outgoing,
      clock,
      baseUrl: (pbxUrl) => promptsBaseUrl(pbxUrl, { loopback: baseUrl(), public: process.early.publicUrl }),
      onFailure: (error) => say(hostText.callsFailed(messageOf(error))),
    });
    this.shellPort = openPort({
      ledger,
      credentialAgent: agent.requests,
      telephony: this.#telephony,
      onUnansweredTool: (listener) => {
        this.#toldOfTools.add(listener);
        return () => this.#toldOfTools.delete(listener);
      },
      origin,
      clock,
      zone: systemZone,
      embeddedUrl: baseUrl,
    });
    const { browsers } = storage;
    const { commandLine } = about;
    const { portalKey } = process;
    this.sessions = new PortalSessions({ ledger, clock, browsers, commandLine, portalKey });
    this.#renewing = new RenewReplayKeys(storage.replayKeys, tellFailure);
  }

  /** In the history before anything that begins because of it. */
  async #recordMove(origin: FolderOrigin | undefined): Promise<void> {
    const confirmed = origin?.unrecorded() ?? null;
    if (origin === undefined || confirmed === null) return;
    await this.#ledger.transact(() => recordMove(confirmed));
    origin.noteRecorded();
  }

  /** The way to other machines. */
  get outgoing(): Outgoing {
    return this.#network.outgoing;
  }

  /** The session cookie for our own windows. */
  windowCookie(): { name: string; value: string } {
    return this.sessions.windowCookie(this.#process.early.port);
  }

  /** A link that signs a browser in: it works once, within five minutes. */
  signInLink(): string {
    return `${this.#process.early.publicUrl}/?code=${this.sessions.createCode()}`;
  }

  /** Answers the calls from now on. */
  async serve(): Promise<void> {
    const { early, providerFiles, about, windowsDir, clock, log, onNapEnd, onStopAsked } = this.#process;
    const { recordingFiles, replayKeys, browsers, openCallRecords, moveTokens, backups, origin } =
      this.#storage;
    // Loaded only now: it is the larger half of the program, and the shell can show the state before.
    const { buildService } = await import('../service/build-service.ts');
    const [{ EngineSpeaker }, { speechEngines }, { VoicePackFolder }] = await Promise.all([
      import('../speech/engine-speaker.ts'),
      import('../speech/speech-engines.ts'),
      import('../speech/voice-pack-folder.ts'),
    ]);
    const voicePacks = new VoicePackFolder({
      folder: join(about.dataDir, 'voices'),
      fetch: fetchThrough(this.#network.outgoing),
      clock,
    });
    this.#service = await buildService({
      ledger: this.#ledger,
      credentialAgent: this.#agent.requests,
      callRecords: openCallRecords,
      telephony: this.#telephony,
      recordingFiles,
      speaker: new EngineSpeaker(speechEngines(voicePacks), () => [
        ...this.#ledger.state.pronunciations.values(),
      ]),
      voicePacks,
      providerFiles,
      networkPort: this.#network,
      upstream: { outgoing: this.#network.outgoing },
      zone: systemZone,
      clock,
      replayKeys,
      browsers,
      sessions: this.sessions,
      about,
      early,
      windowsDir,
      readHost: this.#process.readHost,
      metrics: this.#process.metrics,
      team: this.#process.team,
      moveTokens,
      backups,
      origin,
      stop: onStopAsked,
      launchers: this.#launchers,
      toolCommands: new ToolCommandRunner({ dataDir: about.dataDir, program: this.#process.program }),
      onUnansweredTool: (asked) => {
        for (const tell of this.#toldOfTools) tell(asked);
      },
      onNapEnd,
      log,
    });
    // What runs them may have moved since the last start.
    await this.#launchers.write().catch(this.#tellFailure);
  }

  /** Rotates credentials and answers telephone calls from now on. */
  start(): void {
    const { metrics } = this.#process;
    this.#ledger.subscribe((event) => {
      if (event.kind === 'token.rotated') metrics?.tellRotation('token');
      else if (event.kind === 'credential.rotated') metrics?.tellRotation('credential');
      else if (event.kind === 'settings.changed') {
        const { proxy, no_proxy: exceptions, certificates } = event.data.settings;
        // What did not get through may get through now.
        if ([proxy, exceptions, certificates].some((one) => one !== undefined)) this.#agent.wake();
      }
    });
    this.#agent.start();
    this.#telephony.start();
  }

  /** Checks the clock now: after sleep, unlock, a clock change, or when the network is back. */
  wake(): void {
    this.#renewing.look();
    this.#process.onNapEnd();
    this.#service?.wake();
    this.#agent.wake();
    this.#telephony.wake();
  }

  /**
   * Finishes acknowledged work, or, when another host leads, nothing. `endCalls` resolves when the calls that the service got are
   * answered.
   */
  async close(
    endCalls: () => Promise<void>,
    { isDeposed = false, agentMs, onAgentClosed = () => undefined }: TermClosing = {},
  ): Promise<void> {
    this.#isDeposed = isDeposed;
    this.#renewing.close();
    this.#stopListening();
    await closeAll(
      // Calls under way stay in the telephone system for the next start, or for their fallback.
      () => this.#telephony.close(),
      // The callers of the service first, including our own.
      () => this.#agent.close(isDeposed ? 0 : agentMs),
      onAgentClosed,
      // First the event streams end: a connection that is idle only then is not waited for.
      () => this.#service?.app.close(),
      endCalls,
      () => this.#storage.close(),
    );
  }
}

const hourMs = 3_600_000;

/** Has replay keys destroyed when they are due, and new ones ready, even while nothing is rotated. */
class RenewReplayKeys {
  readonly #keys: ReplayKeyring;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;

  /** Starts immediately: keys may have become due while nothing ran. */
  constructor(keys: ReplayKeyring, onFailure: (error: unknown) => void) {
    this.#keys = keys;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => this.look(), hourMs).unref();
    this.look();
  }

  /** Called also after sleep and when the clock was set. If the disk refuses, it is repeated within the hour. */
  look(): void {
    try {
      this.#keys.renew()?.catch(this.#onFailure);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
