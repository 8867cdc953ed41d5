import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pageCodeFragment } from '../contract/address.ts';
import { pagePaths } from '../contract/window-page.ts';
import { windowsNotBuilt } from '../text/service.ts';
import {
  type PortalSessions,
  portOf,
  sessionCookieName,
  sessionCookieOptions,
} from './guard/portal-sessions.ts';
import { refuse } from './refuse.ts';
import { contentSecurityPolicy, permissionsPolicy } from './security-headers.ts';

/** The file names of the build: no folder, nothing hidden. */
const assetName = /^\w[\w.-]*$/;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
};

/** The windows: the built renderer as static files, and the sign-in link that gives a browser its cookie. */
export function addWindowsRoutes(
  app: FastifyInstance,
  { sessions, folder }: { sessions: PortalSessions; folder: string | undefined },
): void {
  const built = folder !== undefined && existsSync(join(folder, 'index.html')) ? folder : null;
  if (built !== null) {
    const assets = new Assets(join(built, 'assets'));
    // One route for all files: a route for each would be half of all routes at every start.
    app.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file } }, reply) => {
      const content = await assets.read(file);
      if (content === null) return refuse(reply, 'not_found');
      return (
        addPageHeaders(reply)
          .type(contentTypes[extname(file)] ?? 'application/octet-stream')
          // Its name contains a hash of its content.
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(content)
      );
    });
  }

  const page = { config: { opensByLink: true } };
  app.get<{ Querystring: { code?: unknown } }>('/', page, (request, reply) => {
    const { code } = request.query;
    // HEAD, which link previews send, must not use up the code.
    if (code !== undefined && request.method !== 'HEAD') {
      // Every browser accepts a page like this when it follows a link: https://fetch.spec.whatwg.org/#document-accept-header-value
      const asksForPage = request.headers.accept?.includes('text/html') === true;
      const signedIn = typeof code === 'string' ? sessions.redeemCode(code, { asksForPage }) : null;
      if (signedIn === null) return refuse(reply, 'sign_in_link_spent');
      const { session, pageCode } = signedIn;
      return reply
        .setCookie(sessionCookieName(portOf(request)), session, sessionCookieOptions)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(pageCode === null ? '/' : `/${pageCodeFragment}${pageCode}`, 303);
    }
    return sendWindow(reply, built);
  });
  // All of them are the same page, which reads its own address. The list is fixed, so that a mistyped address is 404.
  for (const address of Object.values(pagePaths)) {
    if (address === pagePaths.overview) continue;
    app.get<{ Params: { id?: string } }>(address, page, ({ params }, reply) =>
      // The router would take `/ivr/` as a menu with an empty id.
      params.id === '' ? refuse(reply, 'not_found') : sendWindow(reply, built),
    );
  }
}

async function sendWindow(reply: FastifyReply, folder: string | null): Promise<FastifyReply> {
  if (folder === null) return reply.type('text/plain; charset=utf-8').send(windowsNotBuilt);
  // Read and validated at each request, because it names the scripts of one build.
  const page = await readFile(join(folder, 'index.html'));
  return addPageHeaders(reply)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(page);
}

function addPageHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', contentSecurityPolicy.windows)
    .header('referrer-policy', 'no-referrer')
    .header('permissions-policy', permissionsPolicy);
}

/** The scripts, styles and pictures of the build. Those that were read are kept: one copy for all callers, however slow they are. */
class Assets {
  readonly #folder: string;
  readonly #known = new Map<string, Promise<Buffer>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null if there is no such file. */
  async read(name: string): Promise<Buffer | null> {
    if (!assetName.test(name)) return null;
    const reading = this.#known.get(name) ?? readFile(join(this.#folder, name));
    this.#known.set(name, reading);
    try {
      return await reading;
    } catch (error) {
      this.#known.delete(name);
      if (isMissing(error)) return null;
      throw error;
    }
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'EISDIR' || code === 'ENAMETOOLONG';
}
