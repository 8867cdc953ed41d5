import packageJson from '../../package.json' with { type: 'json' };
import { homedir } from 'node:os';
import { resolve, join, basename, dirname } from 'node:path';
import { loopbackAddress } from '../contract/address.ts';
import { dataDirOf, type DataDirEnvironment, usualDataDirOf } from '../contract/service/data-dir.ts';
import type { Clock } from '../core/ledger.ts';
import { EarlyServer } from '../service/early-server.ts';
import { type ArrivalOptions, Arrivals } from '../service/guard/arrival.ts';
import { logFailure, type LogTarget } from '../service/http/logger-options.ts';
import { mintToken } from '../service/secrets/token-value.ts';
import { baseUrlOf } from '../service/service-context.ts';
import { brokenProviderText } from '../text/cli/cli-provider.ts';
import { hostText } from '../text/service/host-text.ts';
import { withDataDir } from './command-line.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { messageOf, HostError } from './host-error.ts';
import {
  assertLoopback,
  listen,
  listenNear,
  type MovedPort,
  type NetworkAddress,
  prepareNetwork,
} from './listen.ts';
import type { NetworkOptions } from './network-address.ts';
import { type BrokenFile, ProviderFiles } from './provider-files.ts';
import type { TermProcess } from './host-term.ts';
import { readFileSync, rmSync } from 'node:fs';
import { RuntimeFile } from '../contract/service/portal.ts';
import { replaceFileSync } from '../store/durable-file.ts';
import type { OwnPlaces } from '../agent/delivery/own-places.ts';

export interface ProcessOptions {
  /** Default: `ROTAVOX_DATA_DIR`, otherwise the OS convention. */
  readonly dataDir?: string | undefined;
  /** 127.0.0.1 (the default), ::1 or localhost. */
  readonly hostname?: string | undefined;
  /** Default: the setting `port`, otherwise 7682, or any free port with `network`; 0 takes any free port. */
  readonly port?: number | undefined;
  /** How other machines reach it, in addition. Default: they do not. */
  readonly network?: NetworkOptions | undefined;
  /** The start of every command line on this machine (`commandLineOf`). Default: none. */
  readonly commandLine?: string | null | undefined;
  /** The command line as a program (`programOf`), which connected tools run. Default: none. */
  readonly program?: readonly string[] | null | undefined;
  /** What the desktop says about the proxy for an address, in the words of a PAC file. Default: there is no desktop. */
  readonly askDesktop?: ((url: string) => Promise<string>) | undefined;
  /** The built renderer, served at `/`. */
  readonly windowsDir?: string | undefined;
  /** Called when its own computer asks it to end, by a call. Default: it is not ended so. */
  readonly onStopAsked?: (() => void) | undefined;
  /** Reports a problem to the person who runs it, as one line. Default: on stderr. */
  readonly say?: ((message: string) => void) | undefined;
  /** Default: warnings and errors, on stderr. */
  readonly log?: LogTarget | undefined;
  /** Default: the system's. Another clock is for programs that generate a history; it is read again at each `wake`. */
  readonly clock?: Clock | undefined;
}

interface OwnParts {
  /** A file of the vault with its passphrase. */
  readonly passphraseFile: string | undefined;
  /** The arrival of a call that another host passed on. */
  readonly readForwarded?: ArrivalOptions['readForwarded'];
}

/** What a running program has in every role: its folder, its addresses, its runtime file, its provider files. */
export class HostProcess {
  readonly dataDir: string;
  readonly lock: FolderLock;
  readonly early: EarlyServer;
  readonly network: NetworkAddress | null;
  readonly say: (message: string) => void;
  /** Goes into `runtime.json`, and stays the same for as long as the process runs. */
  readonly portalKey = mintToken('portal').value;
  readonly #options: ProcessOptions;
  readonly #passphraseFile: string | undefined;
  #baseUrl = '';
  #runtimeFile: RuntimeFileHandle | null = null;
  #providerFiles: ProviderFiles | null = null;

  private constructor(options: ProcessOptions, network: NetworkAddress | null, own: OwnParts) {
    const { say = sayOnStderr, windowsDir } = options;
    this.#options = options;
    this.#passphraseFile = own.passphraseFile;
    this.network = network;
    this.say = say;
    this.dataDir = resolve(options.dataDir ?? dataDirOf(referenceData()));
    // A host finishes a restore that was begun.
    this.lock = lockFolder(this.dataDir, { isRestoring: true });
    const arrivals = new Arrivals({ network: network?.way, readForwarded: own.readForwarded });
    this.early = new EarlyServer({
      windowsDir,
      arrivals,
      onFailure: (error, requestId) => logFailure(this.log, error, requestId),
    });
  }

  /** Locks the data folder and opens nothing else. Throws `HostError`. */
  static async open(options: ProcessOptions, own: OwnParts): Promise<HostProcess> {
    const { say = sayOnStderr, clock = Date.now } = options;
    assertLoopback(options.hostname ?? loopbackAddress);
    const network =
      options.network === undefined ? null : await prepareNetwork(options.network, { clock, say });
    return new HostProcess(options, network, own);
  }

  get clock(): Clock {
    return this.#options.clock ?? Date.now;
  }

  get log(): LogTarget {
    return this.#options.log ?? { level: 'warn', stream: process.stderr };
  }

  /** http://127.0.0.1:7682; empty until it listens. */
  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** What a term needs of it. Reads the provider files. */
  async parts({
    repairs,
    isStoreOk,
  }: {
    repairs: readonly string[];
    isStoreOk: () => boolean;
  }): Promise<TermProcess> {
    const { commandLine = null, program = null, windowsDir, clock, askDesktop, onStopAsked } = this.#options;
    const { dataDir, early, portalKey, say } = this;
    const providerFiles = (this.#providerFiles ??= await ProviderFiles.open(dataDir));
    this.#tellBroken(providerFiles.broken);
    return {
      early,
      portalKey,
      providerFiles,
      ownPlaces: ownPlacesOf(dataDir, this.#passphraseFile, referenceData()),
      about: {
        version: packageJson.version,
        dataDir,
        commandLine: commandLine === null ? null : withDataDir(commandLine, dataDir, referenceData()),
        startedAt: new Date(this.clock()).toISOString(),
        repairs,
      },
      program,
      windowsDir,
      askDesktop,
      onStopAsked,
      clock,
      log: this.log,
      say,
      baseUrl: () => this.#baseUrl,
      onNapEnd: () => {
        this.look(isStoreOk);
      },
    };
  }

  /**
   * Opens the port that the start names, or else the usual one; another one, which is returned, where another Rotavox has that. Throws
   * `HostError`.
   */
  async listen(usualPort: number): Promise<MovedPort | null> {
    const { hostname = loopbackAddress, port } = this.#options;
    let moved: MovedPort | null = null;
    if (port === undefined) moved = await listenNear(this.early, hostname, usualPort);
    else await listen(this.early, hostname, port);
    await this.network?.listen(this.early);
    this.#baseUrl = baseUrlOf(this.early);
    return moved;
  }

  /** Has commands of this machine find it. */
  writeRuntimeFile(): void {
    const { dataDir, portalKey } = this;
    this.#runtimeFile = writeRuntimeFile(dataDir, {
      pid: process.pid,
      base_url: this.#baseUrl,
      portal_key: portalKey,
      proves: true,
    });
  }

  /** Checks for problems that no call has met yet. Called by timers that exist for other reasons, so that idling costs nothing extra. */
  look(isStoreOk: () => boolean): void {
    this.network?.look();
    if (isStoreOk()) this.#restoreRuntimeFile();
    this.#providerFiles?.look().then(
      (broken) => this.#tellBroken(broken),
      (error: unknown) => this.say(hostText.agentFailed(messageOf(error))),
    );
  }

  /** Accepts no further calls, and resolves when those that are there have ended. */
  async endCalls(): Promise<void> {
    this.network?.close();
    await this.early.close();
  }

  /** The last step of a stop. */
  release(): void {
    this.network?.close();
    this.#runtimeFile?.remove();
    this.lock.release();
  }

  #tellBroken(broken: readonly BrokenFile[]): void {
    for (const { path, problems } of broken) this.say(brokenProviderText(path, problems));
  }

  #restoreRuntimeFile(): void {
    try {
      this.#runtimeFile?.restore();
    } catch (error) {
      this.say(messageOf(error));
    }
  }
}

function referenceData() {
  return { environment: process.env, platform: process.platform, homeDir: homedir() };
}

function sayOnStderr(message: string): void {
  console.error(`rotavox: ${message}`);
}

interface RuntimeFileHandle {
  /** Writes it again if it is missing: without it the CLI cannot find the running service. */
  restore(): void;
  remove(): void;
}

/** The address and the key of the running service, for the CLI. Exists only while the service runs. Mode 0600. */
export function writeRuntimeFile(folder: string, content: RuntimeFile): RuntimeFileHandle {
  const path = join(folder, 'runtime.json');
  writeRuntime(path, content);
  return {
    restore() {
      if (!isOwnRuntime(path, content)) writeRuntime(path, content);
    },
    remove() {
      if (isOwnRuntime(path, content)) rmSync(path, { force: true });
    },
  };
}

function writeRuntime(path: string, content: RuntimeFile): void {
  try {
    replaceFileSync(path, JSON.stringify(content));
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new HostError('DATA_DIR_UNUSABLE', hostText.runtimeFileRefused(path, code), { cause });
  }
}

function isOwnRuntime(path: string, content: RuntimeFile): boolean {
  try {
    return RuntimeFile.parse(JSON.parse(readFileSync(path, 'utf8'))).portal_key === content.portal_key;
  } catch {
    return false;
  }
}

/** In every build, the code is two folders below the program's root. */
const program = join(import.meta.dirname, '..', '..');
/** The files of a checkout that are needed to run. Other files may be the developer's own, such as a `.env`. */
const programParts = ['package.json', 'node_modules', 'out', 'resources', 'src'];

/** Every place with files of Rotavox: its data, the program, the profile of its windows, the vault's passphrase. */
export function ownPlacesOf(
  dataDir: string,
  passphraseFile: string | undefined,
  referenceData: DataDirEnvironment,
): OwnPlaces {
  return {
    dataDir,
    others: [
      // These may be links to another disk.
      ...['journal', 'recordings'].map((name) => join(dataDir, name)),
      ...(basename(program) === 'app.asar'
        ? [dirname(dirname(program))]
        : programParts.map((part) => join(program, part))),
      // Electron's profile of the desktop app, whichever data folder this process has.
      dirname(usualDataDirOf(referenceData)),
      ...(passphraseFile === undefined ? [] : [passphraseFile]),
    ],
  };
}
