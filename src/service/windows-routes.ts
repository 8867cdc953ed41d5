import type { FastifyInstance, FastifyReply } from 'fastify';
import { pageCodeFragment } from '../contract/address.ts';
import { pagePaths } from '../contract/window/window-page.ts';
import { windowsNotBuilt } from '../text/service/service-text.ts';
import { type PortalSessions, sessionCookieOf } from './guard/portal-sessions.ts';
import { refuse } from './http/refuse.ts';
import type { WindowFiles } from './early-server.ts';

/** The windows: the built renderer as static files, and the sign-in link that gives a browser its cookie. */
export function addWindowsRoutes(
  app: FastifyInstance,
  { sessions, files }: { sessions: PortalSessions; files: WindowFiles | null },
): void {
  if (files !== null) {
    // One route for all files: a route for each would be half of all routes at every start.
    app.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file } }, reply) => {
      const asset = await files.read(`/assets/${file}`);
      return asset === null ? refuse(reply, 'not_found') : reply.headers(asset.headers).send(asset.content);
    });
  }

  const page = { config: { opensByLink: true } };
  app.get<{ Querystring: { code?: unknown } }>('/', page, (request, reply) => {
    const { code } = request.query;
    // HEAD, which link previews send, must not use up the code.
    if (code !== undefined && request.method !== 'HEAD') {
      // Every browser accepts a page like this when it follows a link: https://fetch.spec.whatwg.org/#document-accept-header-value
      const asksForPage = request.headers.accept?.includes('text/html') === true;
      const signedIn = typeof code === 'string' ? sessions.redeemCode(request, code, { asksForPage }) : null;
      if (signedIn === null) return refuse(reply, 'sign_in_link_spent');
      const { session, pageCode } = signedIn;
      const { name, options } = sessionCookieOf(request);
      return reply
        .setCookie(name, session, options)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(pageCode === null ? '/' : `/${pageCodeFragment}${pageCode}`, 303);
    }
    return sendWindow(reply, files);
  });
  // All of them are the same page, which reads its own address. The list is fixed, so that a mistyped address is 404.
  for (const address of Object.values(pagePaths)) {
    if (address === pagePaths.overview) continue;
    app.get<{ Params: { id?: string } }>(address, page, ({ params }, reply) =>
      // The router would take `/ivr/` as a menu with an empty id.
      params.id === '' ? refuse(reply, 'not_found') : sendWindow(reply, files),
    );
  }
}

async function sendWindow(reply: FastifyReply, files: WindowFiles | null): Promise<FastifyReply> {
  if (files === null) return reply.type('text/plain; charset=utf-8').send(windowsNotBuilt);
  const { headers, content } = await files.readPage();
  return reply.headers(headers).send(content);
}
