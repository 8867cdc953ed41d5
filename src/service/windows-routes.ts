import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
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

/** For files whose name changes with their content: otherwise each window asks for some 40 of them again whenever it opens. */
const keptForGood = { maxAge: '1y', immutable: true };

/** The windows: the built renderer as static files, and the sign-in link that gives a browser its cookie. */
export async function addWindowsRoutes(
  app: FastifyInstance,
  { sessions, folder }: { sessions: PortalSessions; folder: string | undefined },
): Promise<void> {
  const hasWindows = folder !== undefined && existsSync(join(folder, 'index.html'));
  if (hasWindows) {
    await app.register(fastifyStatic, {
      root: folder,
      serve: false,
      index: false,
      setHeaders(reply) {
        void reply.header('content-security-policy', contentSecurityPolicy.windows);
        void reply.header('referrer-policy', 'no-referrer');
        void reply.header('permissions-policy', permissionsPolicy);
      },
    });
    // One route for all files: a route for each would be half of all routes at every start.
    app.get<{ Params: { file: string } }>('/assets/:file', ({ params: { file } }, reply) =>
      assetName.test(file) ? reply.sendFile(`assets/${file}`, keptForGood) : refuse(reply, 'not_found'),
    );
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
    return sendWindow(reply, hasWindows);
  });
  // All of them are the same page, which reads its own address. The list is fixed, so that a mistyped address is 404.
  for (const address of Object.values(pagePaths)) {
    if (address === pagePaths.overview) continue;
    app.get<{ Params: { id?: string } }>(address, page, ({ params }, reply) =>
      // The router would take `/ivr/` as a menu with an empty id.
      params.id === '' ? refuse(reply, 'not_found') : sendWindow(reply, hasWindows),
    );
  }
}

function sendWindow(reply: FastifyReply, hasWindows: boolean): FastifyReply {
  // Validated at each request, because it names the scripts of one build.
  if (hasWindows)
    return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
  return reply.type('text/plain; charset=utf-8').send(windowsNotBuilt);
}
