import type { FastifyInstance, InjectOptions } from 'fastify';
import type { RecordFile } from '../../src/calls/record-file.ts';
import type { UnansweredTool } from '../../src/contract/credential/tool-connection.ts';
import type { FolderOrigin } from '../../src/core/folder-origin.ts';
import type { Speaker } from '../../src/core/speech/speaker.ts';
import type { VoicePacks } from '../../src/core/speech/voice-packs.ts';
import type { Vault } from '../../src/core/vault.ts';
import type { ThrottleLimits } from '../../src/service/guard/failure-throttle.ts';
import { namingOwners } from '../../src/service/guard/owner-of-call.ts';
import type { LogTarget } from '../../src/service/http/logger-options.ts';
import type { UpstreamOptions } from '../../src/service/proxy/upstream-caller.ts';
import { buildService, type Service } from '../../src/service/build-service.ts';
import {
  baseUrlOf,
  type ProviderFileReader,
  type TeamHosts,
  type ToolCommands,
} from '../../src/service/service-context.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openRecordingFiles } from '../../src/store/open-recording-files.ts';
import { BrowserFile } from '../../src/store/browser-file.ts';
import { ReplayKeys } from '../../src/store/replay-keys.ts';
import type { Store } from '../../src/store/store.ts';
import { repairText } from '../../src/text/service/store-text.ts';
import { dateAnswersBy } from '../fixtures/date-answers-by.ts';
import { makeTelephony, callRecordsIn } from '../fixtures/call-records.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { makeAgent } from '../fixtures/make-agent.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { noon } from '../fixtures/make-events.ts';
import { whenOver } from '../fixtures/when-over.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  /** The parsed JSON; tests state what they expect of it. */
  readonly body: Record<string, unknown>;
}

/** A clock that only a test changes. */
export interface ManualClock {
  nowMs: number;
}

/** The real service on a real store in a new folder, with the test's clock. */
export class OpenService {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly store: Store;
  readonly service: Service;
  /** The vault of its agent; another service may continue with it. */
  readonly vault: Vault;
  /** Calls are recorded here. */
  readonly callRecords: () => Promise<RecordFile>;

  private constructor(
    folder: string,
    clock: ManualClock,
    parts: { store: Store; service: Service; vault: Vault; callRecords: () => Promise<RecordFile> },
  ) {
    const { store, service, vault, callRecords } = parts;
    this.vault = vault;
    this.callRecords = callRecords;
    this.folder = folder;
    this.clock = clock;
    this.store = store;
    this.service = service;
  }

  static async start(
    options: {
      folder?: string;
      clock?: ManualClock;
      throttleLimits?: ThrottleLimits;
      log?: LogTarget;
      windowsDir?: string;
      vault?: Vault;
      upstream?: UpstreamOptions;
      requestTimeoutMs?: number;
      lookForSlowMs?: number;
      providerFiles?: ProviderFileReader;
      team?: TeamHosts;
      origin?: FolderOrigin;
      stop?: () => void;
      speaker?: Speaker;
      voicePacks?: VoicePacks;
      onUnansweredTool?: (asked: UnansweredTool) => void;
      toolCommands?: ToolCommands;
    } = {},
  ): Promise<OpenService> {
    const { folder = makeFolder(), clock = { nowMs: noon }, vault = new MemoryVault() } = options;
    const now = () => clock.nowMs;
    const { store, repairs } = await openStore({ folder, clock: now });
    const ledger = namingOwners(store);
    const { requests } = makeAgent({
      ledger,
      clock: now,
      embeddedUrl: () => baseUrlOf(service.app),
      vault,
      movedFrom: () => options.origin?.movedFrom() ?? null,
    });
    const callRecords = callRecordsIn(folder);
    const service: Service = await buildService({
      telephony: makeTelephony(ledger, folder, { baseUrl: () => baseUrlOf(service.app), vault }),
      recordingFiles: openRecordingFiles(folder, store.state),
      ledger,
      credentialAgent: requests,
      callRecords,
      browsers: new BrowserFile(folder),
      replayKeys: new ReplayKeys(folder, now),
      about: {
        version: '0.0.0-test',
        dataDir: folder,
        commandLine: null,
        startedAt: new Date(noon).toISOString(),
        repairs: repairs.map(repairText),
      },
      clock: now,
      windowsDir: options.windowsDir,
      ...(options.upstream === undefined ? {} : { upstream: options.upstream }),
      ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
      ...(options.lookForSlowMs === undefined ? {} : { lookForSlowMs: options.lookForSlowMs }),
      log: options.log,
      team: options.team,
      origin: options.origin,
      stop: options.stop,
      speaker: options.speaker,
      voicePacks: options.voicePacks,
      onUnansweredTool: options.onUnansweredTool,
      toolCommands: options.toolCommands,
      ...(options.providerFiles === undefined ? {} : { providerFiles: options.providerFiles }),
      ...(options.throttleLimits === undefined ? {} : { throttleLimits: options.throttleLimits }),
    });
    dateAnswersBy(service.app, now);
    const opened = new OpenService(folder, clock, { store, service, vault, callRecords });
    whenOver(() => opened.stop());
    return opened;
  }

  get app(): FastifyInstance {
    return this.service.app;
  }

  /** Opens a port: its agent then calls it like any client. */
  async listen(): Promise<this> {
    await this.app.listen({ host: '127.0.0.1', port: 0 });
    return this;
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.store.close();
  }

  async call(options: InjectOptions): Promise<Answer> {
    const reply = await this.app.inject({ remoteAddress: '127.0.0.1', ...options });
    const isJson = String(reply.headers['content-type']).startsWith('application/json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: isJson ? reply.json<Record<string, unknown>>() : { text: reply.body },
    };
  }

  /** A call as the owner. */
  owner(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object): Promise<Answer> {
    return this.call({
      method,
      url,
      headers: { authorization: `Bearer ${this.service.sessions.portalKey}` },
      ...(payload === undefined ? {} : { payload }),
    });
  }

  /** A call with a token. */
  bearer(
    token: string,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    more: { payload?: object | string; headers?: Record<string, string>; remoteAddress?: string } = {},
  ): Promise<Answer> {
    const { headers, ...rest } = more;
    return this.call({ method, url, headers: { authorization: `Bearer ${token}`, ...headers }, ...rest });
  }

  /** Issues a token; returns it with its id. */
  async issue(configuration: Record<string, unknown> = {}): Promise<{ value: string; id: string }> {
    const { status, body } = await this.owner('POST', '/portal/tokens', {
      name: 'app',
      validity_days: 7,
      ...configuration,
    });
    if (status !== 200) throw new Error(`The token was not issued: ${JSON.stringify(body)}`);
    return { value: String(body.access_token), id: String(body.id) };
  }

  rotate(value: string, key?: string): Promise<Answer> {
    return this.bearer(
      value,
      'POST',
      '/v1/auth/rotate',
      key === undefined ? {} : { headers: { 'idempotency-key': key } },
    );
  }

  async statusOf(id: string): Promise<unknown> {
    return (await this.owner('GET', `/portal/tokens/${id}`)).body.status;
  }

  async historyOf(id: string): Promise<Record<string, unknown>[]> {
    const { body } = await this.owner('GET', `/portal/tokens/${id}/history`);
    return body.events as Record<string, unknown>[];
  }
}
