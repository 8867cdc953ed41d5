import type { CredentialView } from '../../src/contract/credential/credential-view.ts';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { test as base } from '@playwright/test';
import { eventStreamPath } from '../../src/contract/address.ts';
import { readPagePath } from '../../src/contract/window/window-page.ts';
import { type SharedBrowser, sharedBrowser, type SharedContext } from '../journeys/browser/shared-browser.ts';
import { WindowPage } from '../journeys/pages/window-page.ts';

/** What the service says of itself. */
export const cannedStatus = {
  version: '0.1.0',
  base_url: 'http://127.0.0.1:7682',
  data_dir: '/home/one/.local/share/rotavox',
  command_line: 'rotavox',
  tool_obstacle: null,
  pid: 4711,
  started_at: new Date(Date.now() - 600 * 60_000).toISOString(),
  tokens: { Active: 1, Superseded: 0, Expired: 0, Suspended: 0, Blacklisted: 0 },
  ivrs: 0,
  store: { status: 'ok', last_seq: 12 },
  repairs: [],
};

/** What most windows ask for beside their own, of a computer without voices: answered so unless a test says otherwise. */
const usualReplies: Readonly<Record<string, unknown>> = {
  '/portal/status': cannedStatus,
  '/portal/settings': { ...defaultSettings, first_steps: 'dismissed' },
  '/portal/voices': { voices: [], language: 'en-US', voice: null },
  '/portal/voice-packs': { packs: [], offered: [], runtime: null, downloading: null, adding: null },
  '/portal/speech': { missing: 0, changed: 0, job: null },
  '/portal/pronunciations': { pronunciations: [] },
  '/portal/connections': { connections: [] },
};

const shownHeader = 'x-shown';
const built = join(import.meta.dirname, '..', '..', 'out', 'renderer');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/**
 * The built windows with replies that a test writes, by path: what they show of any state, without a service in it.
 *
 * The windows check each reply against the contract, so one that no service would give shows as an error.
 */
export class CannedService {
  /** What a path of `/portal` answers: a value, a sound, or a refusal with its status. */
  readonly replies = new Map<string, unknown>();
  /** The paths that the page that is shown asked for and that have no reply. */
  readonly unanswered = new Set<string>();
  /** Counts the pages that were shown. Each names its number, because a question of the one before it may come late. */
  shown = 0;
  /** What was sent to each path, as JSON. */
  readonly bodies = new Map<string, unknown>();
  /** The paths where a change was asked for, in their order. */
  readonly sent: string[] = [];
  readonly #changes = new Map<string, { reply: unknown; replies: Readonly<Record<string, unknown>> }>();
  readonly #streams = new Set<ServerResponse>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (pathname === eventStreamPath) this.#openStream(response);
      else if (pathname.startsWith('/portal/')) void this.#answer(pathname, request, response);
      else sendFile(readPagePath(pathname) === undefined ? pathname : '/index.html', response);
    });
  }

  /** Answers so from now on, and has every window that is open ask for everything again. */
  change(replies: Readonly<Record<string, unknown>>): void {
    for (const [path, reply] of Object.entries(replies)) this.replies.set(path, reply);
    this.tell('reset', {});
  }

  /**
   * Answers the next change at a path, and reads differently from then on. A reading may come at any time: one that was told of the change
   * before a person asks for it would take away what they press.
   */
  onChange(path: string, reply: unknown, replies: Readonly<Record<string, unknown>> = {}): void {
    this.#changes.set(path, { reply, replies });
  }

  /** Forgets all replies. */
  clear(): void {
    for (const one of [this.replies, this.unanswered, this.bodies, this.#changes]) one.clear();
  }

  /** Sends an event to every window that is open. */
  tell(event: string, data: unknown): void {
    for (const stream of this.#streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Stays open, as the service's does. */
  #openStream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  async #answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET') this.sent.push(path);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (body !== '' && request.headers['content-type'] === 'application/json')
      this.bodies.set(path, JSON.parse(body));
    const change = request.method === 'GET' ? undefined : this.#changes.get(path);
    if (change !== undefined) {
      this.#changes.delete(path);
      for (const [read, reply] of Object.entries(change.replies)) this.replies.set(read, reply);
      sendReply(change.reply, response);
      return;
    }
    const isKnown = this.replies.has(path) || Object.hasOwn(usualReplies, path);
    if (!isKnown && request.headers[shownHeader] === String(this.shown)) this.unanswered.add(path);
    sendReply(this.replies.has(path) ? this.replies.get(path) : usualReplies[path], response);
  }
}

function sendReply(reply: unknown, response: ServerResponse): void {
  if (reply instanceof Uint8Array) return void response.setHeader('content-type', 'audio/wav').end(reply);
  if (reply instanceof Refusal) response.statusCode = reply.status;
  response.setHeader('content-type', 'application/json');
  response.end(reply instanceof Refusal ? reply.body : JSON.stringify(reply ?? {}));
}

/** A reply that says no; without a message it is what something else than the service would send. */
export class Refusal {
  readonly status: number;
  readonly body: string;

  constructor(status: number, message?: string, more: object = {}) {
    this.status = status;
    this.body = message === undefined ? '<h1>No</h1>' : JSON.stringify({ success: false, message, ...more });
  }
}

function sendFile(path: string, response: ServerResponse): void {
  const type = types[extname(path)];
  if (type === undefined || path.includes('..')) return void response.writeHead(404).end();
  // Their names change with what is in them, and so the browser may keep what it made of a script.
  const cache = path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
  response.writeHead(200, { 'content-type': type, 'cache-control': cache });
  response.end(readFileSync(join(built, path)));
}

/** A window over canned replies, open at a path. */
export const test = base.extend<
  {
    view: WindowPage;
    canned: CannedService;
    shown: SharedContext;
    show: (path: string, replies: Readonly<Record<string, unknown>>) => Promise<void>;
  },
  { service: { readonly canned: CannedService; readonly url: string }; shared: SharedBrowser }
>({
  service: [
    async ({}, use) => {
      const canned = new CannedService();
      await use({ canned, url: await canned.start() });
      await canned.close();
    },
    { scope: 'worker' },
  ],
  shared: [...sharedBrowser],
  canned: async ({ service: { canned } }, use) => use(canned),
  shown: async ({ shared, service, viewport, contextOptions }, use) => {
    const shown = await shared.with({ ...contextOptions, viewport });
    await shown.keepAt(service.url);
    await use(shown);
    await shared.giveBack(shown);
  },
  context: async ({ shown }, use) => use(shown.context),
  view: async ({ page }, use) => {
    const view = new WindowPage(page);
    await use(view);
    view.expectNoViolations();
  },
  show: async ({ view, service: { canned, url } }, use) => {
    await use(async (path, replies) => {
      // A page that is left asks everything again when its stream ends.
      await view.page.goto('about:blank');
      canned.clear();
      await view.page.setExtraHTTPHeaders({ [shownHeader]: String((canned.shown += 1)) });
      for (const [asked, reply] of Object.entries(replies)) canned.replies.set(asked, reply);
      await view.page.goto(url + path);
      await view.page.getByRole('heading').first().waitFor();
    });
    base.expect([...canned.unanswered], 'what was asked for and has no reply').toEqual([]);
  },
});

/** What the page of a credential asks for, of one that nobody has used. */
export function repliesOf(one: CredentialView) {
  const path = `/portal/credentials/${one.name}`;
  return {
    '/portal/credentials': {
      credentials: [one],
      vault: { kind: 'keychain', description: 'the keychain', status: 'ok', message: null },
    },
    [path]: one,
    [`${path}/history`]: { events: [], next_before: null },
    [`${path}/use`]: {
      credential: one.name,
      generation: 3,
      users: [],
      running: [],
      tools: [],
      deliveries: [],
    },
    [`${path}/proxy`]: {
      credential: one.name,
      url: `http://127.0.0.1:7682/proxy/${one.name}`,
      rules: [],
      tokens: [],
      forbidden: [],
      recent: [],
    },
  };
}
