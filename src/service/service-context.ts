import type { FastifyInstance } from 'fastify';
import type { RestoreSummary } from '../contract/service/backup.ts';
import type { TeamStatus } from '../contract/service/team.ts';
import type {
  CheckedToolAnswer,
  ConnectedToolAnswer,
  ConnectTool,
  DisconnectedToolAnswer,
  ToolObstacle,
} from '../contract/credential/tool-command.ts';
import type { ConnectionId, UnansweredTool } from '../contract/credential/tool-connection.ts';
import type { ProviderReload } from '../contract/credential/provider-view.ts';
import type { CredentialAgent } from '../core/credential/credential-agent.ts';
import type { OpenCallRecords, Telephony } from '../core/calls/telephony.ts';
import type { FolderOrigin } from '../core/folder-origin.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { NetworkPort } from '../core/network/network-port.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import type { Result } from '../core/result.ts';
import type { VoicePacks } from '../core/speech/voice-packs.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import type { AddingVoice } from './adding-voice.ts';
import type { BearerGate } from './guard/bearer-gate.ts';
import type { Connections } from './guard/connections.ts';
import type { PortalSessions } from './guard/portal-sessions.ts';
import type { CredentialUses } from './credential-uses.ts';
import type { DraftWindowList } from './portal/draft-windows.ts';
import type { ProxyUses } from './proxy/proxy-use.ts';
import type { ReadHostFacts } from './host-health.ts';
import type { RecordingService } from './recording-service.ts';
import type { SpeakEverything } from './speak-all.ts';
import type { SpokenPrompts } from './spoken-prompts.ts';
import type { ReplayKeyring } from './secrets/sealed-reply.ts';

/** What the routes share. `buildService` makes it once. */
export interface ServiceContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly gate: BearerGate;
  readonly connections: Connections;
  readonly sessions: PortalSessions;
  readonly replayKeys: ReplayKeyring;
  readonly about: ServiceAbout;
  readonly credentialAgent: CredentialAgent;
  /** How calls leave this machine. */
  readonly network: NetworkPort;
  readonly callRecords: OpenCallRecords;
  readonly telephony: Telephony;
  readonly recordingFiles: RecordingFiles;
  readonly recordings: RecordingService;
  readonly spoken: SpokenPrompts;
  /** Null: no voices can be added. */
  readonly voicePacks: VoicePacks | null;
  readonly addingVoice: AddingVoice | null;
  readonly speakEverything: SpeakEverything;
  readonly zone: ZoneOffset;
  readonly uses: CredentialUses;
  readonly draftWindows: DraftWindowList;
  readonly proxyUses: ProxyUses;
  readonly providerFiles: ProviderFileReader;
  /** The address for people and for apps on other machines, if there are any; otherwise the one where the service listens. */
  readonly publicUrl: () => string;
  readonly readHost: ReadHostFacts;
  readonly launchers: Launchers;
  readonly toolCommands: ToolCommands;
  readonly onUnansweredTool: (asked: UnansweredTool) => void;
  /** Null where another place is not on this machine. */
  readonly moveTokens: MoveTokens | null;
  /** Null for a team, whose data are in its database. */
  readonly backups: Backups | null;
  /** Where the data come from; null for a team. */
  readonly origin: FolderOrigin | null;
  /** Ends the program. Null: it is not ended by a call. */
  readonly stop: (() => void) | null;
  /** Null for a host that is alone. */
  readonly team: TeamHosts | null;
}

/** The hosts of the team, as they reported themselves to its database. */
export interface TeamHosts {
  /** Null while the database does not answer. */
  read(): Promise<TeamStatus | null>;
  /** Removes one from the list; one that still runs is back with its next report. */
  remove(id: string): Promise<void>;
}

/** Moves the tokens to the other place on this machine. */
export type MoveTokens = (
  to: 'keychain' | 'file',
) => Promise<
  { readonly ok: true; readonly moved: number } | { readonly ok: false; readonly message: string }
>;

/** Backups of everything that a host stores. What is refused is a sentence for the person. */
export interface Backups {
  write(passphrase: string): Promise<Result<AsyncIterable<Uint8Array>, string>>;
  /** Unpacks and checks one; replaces nothing. */
  stage(bytes: AsyncIterable<Uint8Array>, passphrase: string): Promise<Result<RestoreSummary, string>>;
  /** Has the one that was unpacked take the place of the data at the next start. Returns where those are kept. */
  begin(): Promise<Result<string, string>>;
}

/** The programs that connected tools run. */
export interface Launchers {
  pathOf(connection: { readonly id: string; readonly tool: string }): string;
  /** Writes those of all connections, and removes the others. */
  write(): Promise<void>;
}

/**
 * Connects, checks and disconnects tools on this machine, with the files of the account that runs the program.
 *
 * Each call ends within minutes, whatever a tool does. What is refused is a sentence for the person, with what to do.
 */
export interface ToolCommands {
  /** Why it does nothing here; null: it does. */
  readonly obstacle: ToolObstacle | null;
  connect(wanted: ConnectTool): Promise<Result<ConnectedToolAnswer, string>>;
  check(id: ConnectionId): Promise<Result<CheckedToolAnswer, string>>;
  disconnect(
    id: ConnectionId,
    how: { readonly isDryRun: boolean },
  ): Promise<Result<DisconnectedToolAnswer, string>>;
  /** Ends what hangs. What changes a file now gets some seconds for it. */
  end(): void;
}

/** Reads the providers that are files again. */
export interface ProviderFileReader {
  reload(): Promise<ProviderReload>;
  /** `listener` is called after a change. Returns a function that ends this. */
  onChange(listener: () => void): () => void;
}

/** What `GET /portal/status` reports about the process. */
export interface ServiceAbout {
  readonly version: string;
  readonly dataDir: string;
  /** The start of every command line on this machine, for example commands; null if there is none. */
  readonly commandLine: string | null;
  readonly startedAt: string;
  readonly repairs: readonly string[];
}

/** The address of a listening service; IPv6 in brackets. */
export function baseUrlOf({ server }: Pick<FastifyInstance, 'server'>): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
