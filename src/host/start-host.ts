/**
 * The program without Electron. It locks the data folder, opens the store, builds the service, listens, and writes the address
 * for the CLI. The Electron shell and `rotavox serve` both run exactly this. Nothing here knows a window or a route.
 * Start reading here.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { type Agent, createAgent } from '../agent/create-agent.ts';
import { TelephonyService } from '../calls/telephony.ts';
import { defaultPort, loopbackAddress, loopbackNames } from '../contract/address.ts';
import { dataDirOf } from '../contract/data-dir.ts';
import { type Clock, StoreUnavailable } from '../core/ledger.ts';
import type { RecordingFiles } from '../core/recording/recording-files.ts';
import { baseUrlOf } from '../service/service-context.ts';
import type { Service } from '../service/build-service.ts';
import { EarlyServer } from '../service/early-server.ts';
import type { LogTarget } from '../service/logger-options.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';
import { openRecordingFiles } from '../store/recording-files.ts';
import { BrowserFile } from '../store/browser-file.ts';
import { ReplayKeys } from '../store/replay-keys.ts';
import { StoreError } from '../store/store-error.ts';
import { agentText } from '../text/agent.ts';
import { brokenProviderText } from '../text/cli-provider-file.ts';
import { hostText } from '../text/host.ts';
import {
  callRecordsText,
  checkpointFailedText,
  repairText,
  storeProblemText,
  storeRefusalText,
  tornWriteText,
} from '../text/store.ts';
import { HostCallRecords } from './call-records.ts';
import { withDataDir } from './command-line.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { type HostPort, openPort, systemZone } from './host-port.ts';
import { HostError } from './host-error.ts';
import { type HostVault, openVaultChoice } from './open-vault-choice.ts';
import { type BrokenFile, ProviderFiles } from './provider-files.ts';
import { ownPlacesOf } from './own-places.ts';
import { type RuntimeFileHandle, writeRuntimeFile } from './runtime-file.ts';

export interface HostOptions {
  /** Default: `ROTAVOX_DATA_DIR`, otherwise the OS convention. */
  readonly dataDir?: string | undefined;
  /** 127.0.0.1 (the default), ::1 or localhost. */
  readonly hostname?: string | undefined;
  /** Default: the setting `port`, otherwise 7682; 0 takes any free port. */
  readonly port?: number | undefined;
  /** Where the tokens of credentials are stored. Default: the OS keychain. */
  readonly vault?: HostVault | undefined;
  /** The start of every command line on this machine (`commandLineOf`). Default: none. */
  readonly commandLine?: string | null | undefined;
  /** The built renderer, served at `/`. */
  readonly windowsDir?: string | undefined;
  /** Reports a problem to the person who runs it, as one line. Default: on stderr. */
  readonly say?: ((message: string) => void) | undefined;
  /** Default: warnings and errors, on stderr. */
  readonly log?: LogTarget | undefined;
  /** Default: the system's. Another clock is for programs that generate a history; it is read again at each `wake`. */
  readonly clock?: Clock | undefined;
  /** Called with the port as soon as the folder is open, before the service is loaded; awaited. */
  readonly onPort?: ((port: HostPort) => Promise<void> | void) | undefined;
  /** Called once windows can load their page, before the service is loaded; awaited. */
  readonly onListening?: ((listening: Listening) => Promise<void> | void) | undefined;
}

/** What a window needs to load its page. Its calls to the service are answered when that is loaded. */
export interface Listening {
  readonly baseUrl: string;
  readonly port: HostPort;
  /** The session cookie for our own windows. */
  windowCookie(): { name: string; value: string };
  /** Resolves when the first page was sent. */
  readonly pageSent: Promise<unknown>;
}

export interface Host {
  /** http://127.0.0.1:7682 */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** What the store repaired when it opened, a sentence each. */
  readonly repairs: readonly string[];
  /** A link that signs a browser in: it works once, within five minutes. */
  signInLink(): string;
  /** The session cookie for our own windows. */
  windowCookie(): { name: string; value: string };
  /** The state and the actions of a shell without a window. */
  readonly shellPort: HostPort;
  /** Checks the clock now: after sleep, unlock, a clock change, or when the network is back. */
  wake(): void;
  /** Finishes acknowledged work, removes `runtime.json`, and releases the folder. */
  close(): Promise<void>;
}

/** Starts the service on a data folder. Throws `HostError` with a sentence for the person; then nothing is left running. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const referenceData = { environment: process.env, platform: process.platform, homeDir: homedir() };
  const dataDir = resolve(options.dataDir ?? dataDirOf(referenceData));
  const commandLine = options.commandLine ?? null;
  const hostname = options.hostname ?? loopbackAddress;
  const clock = options.clock ?? Date.now;
  const { say = sayOnStderr } = options;
  const tellFailure = (error: unknown): void => {
    say(hostText.agentFailed(messageOf(error)));
  };
  assertLoopback(hostname);

  const lock = lockFolder(dataDir);
  let opened: OpenedFolder | null = null;
  let runtimeFile: RuntimeFileHandle | null = null;
  let agent: Agent | null = null;
  let forgetting: ForgetReplayKeys | null = null;
  let callRecords: HostCallRecords | null = null;
  let early: EarlyServer | null = null;
  let telephony: TelephonyService | null = null;
  let service: Service | null = null;
  let baseUrl = '';
  try {
    opened = await openFolder(dataDir, clock, { lock, say });
    const { store } = opened;
    const repairs = opened.repairs.map(repairText);
    /** Checks for problems that no call has met yet, on timers that exist anyway, so that idling costs no more. */
    const lookAround = (): void => {
      if (store.look().status === 'ok') restoreRuntimeFile(runtimeFile, say);
      providerFiles.look().then(tellBroken, tellFailure);
    };
    const tellBroken = (broken: readonly BrokenFile[]): void => {
      for (const { path, problems } of broken) say(brokenProviderText(path, problems));
    };
    const providerFiles = await ProviderFiles.open(dataDir);
    tellBroken(providerFiles.broken);
    callRecords = new HostCallRecords({
      dataDir,
      ledger: store,
      clock,
      tell: (notice) => say(callRecordsText(notice)),
    });
    await callRecords.start();
    const vault = await openVaultChoice(options.vault ?? { kind: 'keychain' }, dataDir);
    agent = createAgent({
      providerFiles: providerFiles.all,
      ledger: opened.store,
      text: agentText,
      vault,
      ownPlaces: ownPlacesOf(dataDir, options.vault, referenceData),
      embeddedUrl: () => baseUrl,
      clock,
      zone: systemZone,
      onFailure: tellFailure,
      onNapEnd: lookAround,
    });
    providerFiles.onChange(() => agent?.useProviderFiles(providerFiles.all));
    telephony = new TelephonyService({
      ledger: opened.store,
      vault,
      recordingFiles: opened.recordingFiles,
      openLog: callRecords.open,
      clock,
      baseUrl: () => baseUrl,
      onFailure: (error) => say(hostText.callsFailed(messageOf(error))),
    });
    const port = openPort({
      ledger: opened.store,
      keeper: agent.keeper,
      telephony,
      clock,
      zone: systemZone,
      embeddedUrl: () => baseUrl,
    });
    await options.onPort?.(port);
    const replayKeys = new ReplayKeys(dataDir, clock, () => lock.assertHeld());
    forgetting = new ForgetReplayKeys(replayKeys, tellFailure);
    const about = {
      version: packageJson.version,
      dataDir,
      commandLine: commandLine === null ? null : withDataDir(commandLine, dataDir, referenceData),
      startedAt: new Date(clock()).toISOString(),
      repairs,
    };
    const { windowsDir } = options;
    const browsers = new BrowserFile(dataDir, () => lock.assertHeld());
    early = new EarlyServer({ clock: options.clock, browsers, about, windowsDir });
    const { port: chosenPort } = opened.store.state.settings;
    await listen(early, hostname, options.port ?? chosenPort ?? defaultPort);
    baseUrl = baseUrlOf(early);
    const { pageSent } = early;
    const windowCookie = early.windowCookie.bind(early);
    await options.onListening?.({ baseUrl, port, pageSent, windowCookie });
    // Loaded only now: it is the larger half of the program, and the shell can show the state before.
    const { buildService } = await import('../service/build-service.ts');
    service = await buildService({
      ledger: opened.store,
      keeper: agent.keeper,
      callRecords: callRecords.open,
      telephony,
      recordingFiles: opened.recordingFiles,
      providerFiles,
      zone: systemZone,
      clock: options.clock,
      replayKeys,
      browsers,
      about,
      early,
      onNapEnd: lookAround,
      log: options.log ?? { level: 'warn', stream: process.stderr },
    });
    runtimeFile = writeRuntimeFile(dataDir, {
      pid: process.pid,
      base_url: baseUrl,
      portal_key: service.sessions.portalKey,
    });
    agent.start();
    telephony.start();
    return hostOf({
      baseUrl,
      dataDir,
      repairs,
      opened,
      agent,
      callRecords,
      telephony,
      forgetting,
      early,
      service,
      shellPort: port,
      lookAround,
      release() {
        runtimeFile?.remove();
        lock.release();
      },
    });
  } catch (error) {
    forgetting?.close();
    await telephony?.close();
    await agent?.close();
    await service?.app.close();
    await early?.close();
    await callRecords?.close();
    await opened?.store.close();
    lock.release();
    throw error;
  }
}

interface OpenedFolder extends OpenedStore {
  readonly recordingFiles: RecordingFiles;
}

interface HostParts {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly repairs: readonly string[];
  readonly opened: OpenedFolder;
  readonly agent: Agent;
  readonly callRecords: HostCallRecords;
  readonly telephony: TelephonyService;
  readonly forgetting: ForgetReplayKeys;
  readonly early: EarlyServer;
  readonly service: Service;
  readonly shellPort: HostPort;
  readonly lookAround: () => void;
  readonly release: () => void;
}

function hostOf(parts: HostParts): Host {
  const {
    baseUrl,
    dataDir,
    repairs,
    opened,
    agent,
    callRecords,
    telephony,
    forgetting,
    early,
    service,
    shellPort,
    lookAround,
    release,
  } = parts;
  const { app, sessions } = service;
  const { store } = opened;
  let closing: Promise<void> | null = null;

  return {
    baseUrl,
    dataDir,
    repairs,
    signInLink: () => `${baseUrl}/?code=${sessions.createCode()}`,
    windowCookie: () => service.windowCookie(),
    shellPort,
    wake: () => {
      forgetting.look();
      lookAround();
      service.wake();
      agent.wake();
      telephony.wake();
    },
    close() {
      closing ??= (async () => {
        forgetting.close();
        // Calls under way stay in the telephone system for the next start, or for their fallback.
        await telephony.close();
        // The callers of the service first, including our own.
        await agent.close();
        // First the event streams end: a connection that is idle only then is not waited for.
        await app.close();
        await early.close();
        await callRecords.close();
        await store.close();
        release();
      })();
      return closing;
    },
  };
}

function restoreRuntimeFile(runtimeFile: RuntimeFileHandle | null, say: (message: string) => void): void {
  try {
    runtimeFile?.restore();
  } catch (error) {
    say(messageOf(error));
  }
}

function sayOnStderr(message: string): void {
  console.error(`rotavox: ${message}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function openFolder(
  folder: string,
  clock: Clock,
  { lock, say }: { readonly lock: FolderLock; readonly say: (message: string) => void },
): Promise<OpenedFolder> {
  const assertHeld = (): void => lock.assertHeld();
  try {
    const opened = await openStore({
      folder,
      clock,
      assertHeld,
      explain: tornWriteText,
      onTrouble: ({ refusal, cause }) => {
        const message = refusal === null ? checkpointFailedText : storeRefusalText(refusal);
        // Later reports of the store are no longer of interest.
        say(cause instanceof StoreUnavailable ? message : `${message} (${messageOf(cause)})`);
      },
    });
    return { ...opened, recordingFiles: openRecordingFiles(folder, opened.store.state, assertHeld) };
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    const { problem } = cause;
    const code = problem.code === 'FOLDER_UNUSABLE' ? 'DATA_DIR_UNUSABLE' : problem.code;
    throw new HostError(code, storeProblemText(problem), { cause });
  }
}

/**
 * How many connections the system queues until they are accepted, one by one. It drops those beyond, and a caller
 * tries again only after a second.
 */
const backlog = 2048;

async function listen(early: EarlyServer, host: string, port: number): Promise<void> {
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

function assertLoopback(hostname: string): void {
  if (loopbackNames.includes(hostname)) return;
  throw new HostError('ADDRESS_UNUSABLE', hostText.notLoopback(hostname));
}

const hourMs = 3_600_000;

/** Destroys replay keys when they are due, even while nothing is rotated. */
class ForgetReplayKeys {
  readonly #keys: ReplayKeys;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;

  /** Starts immediately: keys may have become due while nothing ran. */
  constructor(keys: ReplayKeys, onFailure: (error: unknown) => void) {
    this.#keys = keys;
    this.#onFailure = onFailure;
    this.#timer = setInterval(() => this.look(), hourMs).unref();
    this.look();
  }

  /** Called also after sleep and when the clock was set. If the disk refuses, it is repeated within the hour. */
  look(): void {
    try {
      this.#keys.forgetOld();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
