import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server as SocketServer, type Socket } from 'node:net';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Handler, keepAccepting, type ReportFailure } from '../network/create-listener.ts';
import { readPagePath } from '../contract/window/window-page.ts';
import { Arrivals } from './guard/arrival.ts';
import { Connections } from './guard/connections.ts';
import { refusalOf } from './http/refusal-body.ts';
import { baseUrlOf } from './service-context.ts';
import { contentSecurityPolicy, embeddingHeaders, permissionsPolicy } from './http/security-headers.ts';

export interface EarlyServerOptions {
  /** Default: calls come to loopback addresses only. */
  readonly arrivals?: Arrivals | undefined;
  /** The folder of the built renderer; without it `/` answers that it is not built. */
  readonly windowsDir?: string | undefined;
  /** How long a request may take to arrive, in milliseconds. Default: 15 s. */
  readonly requestTimeoutMs?: number;
  /** The interval of checks for slow callers, in milliseconds. Default: 10 s. */
  readonly lookForSlowMs?: number;
  /** Reports what no handler of a call has caught. Default: nothing is reported. */
  readonly onFailure?: ReportFailure | undefined;
}

/**
 * The HTTP server, which can listen before the service is built: then a window loads its page while the service is loaded.
 *
 * Whenever no service has the calls, it sends the files of the windows, which contain nothing of the owner's. It answers nothing
 * else, not even with a refusal: every other call waits, and the service decides.
 */
// see decisions/start-of-the-desktop-app.md
export class EarlyServer {
  readonly connections = new Connections();
  readonly arrivals: Arrivals;
  readonly files: WindowFiles | null;
  readonly server: Server;
  readonly #waiting: { readonly response: ServerResponse; readonly goOn: () => void }[] = [];
  readonly #onFailure: ReportFailure;
  readonly #seconds: SocketServer[] = [];
  readonly #pageSent = Promise.withResolvers<undefined>();
  /** What the page that was sent needs and was not sent yet. */
  #needed = new Set<string>();
  #service: Handler | null = null;

  constructor({ windowsDir, ...options }: EarlyServerOptions = {}) {
    this.arrivals = options.arrivals ?? new Arrivals();
    this.files = WindowFiles.in(windowsDir);
    this.#onFailure = options.onFailure ?? (() => undefined);
    this.server = this.connections.createServer(
      {
        handle: (request, response) =>
          this.#service === null ? this.#answerEarly(request, response) : this.#service(request, response),
        refusal: refusalOf,
        onFailure: this.#onFailure,
      },
      { requestTimeoutMs: options.requestTimeoutMs, lookForSlowMs: options.lookForSlowMs },
    );
  }

  /** The port of the first address. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The address for people and for apps; see `ServiceContext`. */
  get publicUrl(): string {
    return this.arrivals.network?.origin ?? baseUrlOf(this);
  }

  /** Resolves when a page, its scripts and its style sheets were sent, so that the window has work of its own. */
  get pageSent(): Promise<unknown> {
    return this.#pageSent.promise;
  }

  /** Has a service answer from now on, and first the calls that waited; with null they wait for the next one. */
  handOver(service: Handler | null): void {
    this.#service = service;
    if (service === null) return;
    for (const { goOn } of this.#waiting.splice(0)) goOn();
  }

  /** A server for another address: its connections are passed to the first one, with all its limits. */
  createSecond(
    take: (socket: Socket) => void = (socket) => this.server.emit('connection', socket),
    { allowHalfOpen }: { allowHalfOpen: boolean } = { allowHalfOpen: true },
  ): SocketServer {
    const second = createServer({ allowHalfOpen, noDelay: true }, take);
    keepAccepting(second, this.#onFailure);
    this.#seconds.push(second);
    return second;
  }

  /** Takes no more connections. Resolves when those that are there have ended. */
  async close(): Promise<void> {
    for (const second of this.#seconds) second.close();
    if (!this.server.listening) return;
    this.connections.close();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      for (const { response } of this.#waiting.splice(0)) response.destroy();
      this.server.closeIdleConnections();
    });
  }

  async #answerEarly(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '' } = request;
    // The service answers for a file that cannot be read.
    const file = this.#isPlain(request) ? await this.files?.read(url).catch(() => null) : null;
    if (file) {
      response.writeHead(200, { ...file.headers, 'content-length': file.content.length }).end(file.content);
      if (!url.startsWith(assetsPath)) this.#needed = new Set(namedIn(file.content.toString()));
      else if (this.#needed.delete(url) && this.#needed.size === 0) this.#pageSent.resolve(undefined);
      return;
    }
    while (this.#service === null) await new Promise<void>((goOn) => this.#waiting.push({ response, goOn }));
    if (!response.destroyed) await this.#service(request, response);
  }

  /** Whether the guard (`guard/host-and-origin.ts`) would surely let it pass. Stricter than that, because the guard decides about the rest. */
  #isPlain(request: IncomingMessage): boolean {
    const { method, headers } = request;
    const { origin, expect } = headers;
    const site = headers['sec-fetch-site'];
    const arrived = this.arrivals.read(request);
    return (
      method === 'GET' &&
      arrived.ok &&
      (origin === undefined || origin === arrived.value.origin) &&
      (site === undefined || site === 'same-origin' || site === 'none') &&
      expect === undefined &&
      headers['content-length'] === undefined &&
      headers['transfer-encoding'] === undefined
    );
  }
}

/** The paths of the scripts and style sheets of a page. */
function namedIn(page: string): string[] {
  return [...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
}

interface WindowFile {
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The file names of the build: no folder, nothing hidden. */
const assetName = /^\w[\w.-]*$/;
/** The start of the path of everything but pages. */
const assetsPath = '/assets/';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
};

/** The built windows: one page, its scripts, styles, pictures and sounds, each with its headers. */
export class WindowFiles {
  readonly #folder: string;
  /** Those that were read: one copy for all callers, however slow they are. */
  readonly #assets = new Map<string, Promise<Buffer>>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null if there are none in the folder. */
  static in(folder: string | undefined): WindowFiles | null {
    return folder !== undefined && existsSync(join(folder, 'index.html')) ? new WindowFiles(folder) : null;
  }

  /** What a path without a query names; null if that is no file. */
  async read(path: string): Promise<WindowFile | null> {
    if (path.startsWith(assetsPath)) return await this.#readAsset(path.slice(assetsPath.length));
    return readPagePath(path) === undefined ? null : await this.readPage();
  }

  /** All addresses of windows are the same page, which reads its own address. */
  async readPage(): Promise<WindowFile> {
    return {
      // Read and validated at each request, because it names the scripts of one build.
      content: await readFile(join(this.#folder, 'index.html')),
      headers: headersOf('text/html; charset=utf-8', 'no-cache'),
    };
  }

  async #readAsset(name: string): Promise<WindowFile | null> {
    if (!assetName.test(name)) return null;
    const reading = this.#assets.get(name) ?? readFile(join(this.#folder, 'assets', name));
    this.#assets.set(name, reading);
    try {
      // Its name contains a hash of its content.
      const caching = 'public, max-age=31536000, immutable';
      return {
        content: await reading,
        headers: headersOf(contentTypes[extname(name)] ?? 'application/octet-stream', caching),
      };
    } catch (error) {
      this.#assets.delete(name);
      if (isMissing(error)) return null;
      throw error;
    }
  }
}

function headersOf(type: string, caching: string): WindowFile['headers'] {
  return {
    'content-type': type,
    'cache-control': caching,
    'content-security-policy': contentSecurityPolicy.windows,
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    ...embeddingHeaders,
  };
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'EISDIR' || code === 'ENAMETOOLONG';
}
