import fastify, { type FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import type { ServiceContext } from '../service-context.ts';
import { openApiDocument } from './openapi.ts';

/**
 * `/openapi.json` and the reference page that shows it.
 *
 * The page's viewer is four megabytes of script, so it is loaded when the page is first opened. The page is made once and
 * shared by all requests, because a copy for each slow reader would add up. It includes the viewer and the document
 * itself, because in its sandbox (`security-headers.ts`) its requests to the service would be cross-origin.
 */
export function addDocsRoutes(
  app: FastifyInstance,
  { about: { version }, connections, publicUrl }: ServiceContext,
): void {
  const describe = () => openApiDocument({ version, baseUrl: publicUrl() });
  /** Made at the first call, when the address is known. They need no credential, so a call must cost very little. */
  let document: Buffer | null = null;
  let page: Promise<Buffer> | null = null;

  app.get('/openapi.json', async (request, reply) => {
    await connections.turn(request.raw.socket);
    document ??= Buffer.from(JSON.stringify(describe()));
    return reply.type('application/json; charset=utf-8').send(document);
  });

  app.get('/docs', { config: { opensByLink: true } }, (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/', { config: { opensByLink: true } }, async (request, reply) => {
    await connections.turn(request.raw.socket);
    page ??= makePage(describe());
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy.referencePage)
      .send(await page);
  });
}

async function makePage(document: object): Promise<Buffer> {
  const configuration = {
    content: document,
    telemetry: false,
    withDefaultFonts: false,
    hideClientButton: true,
    // The sandboxed page cannot send requests.
    hideTestRequestButton: true,
    documentDownloadType: 'json',
    // Nothing that would send the page's content to another service.
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  return Buffer.from(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Rotavox API</title>
  </head>
  <body>
    <div id="app"></div>
    <script>
      // A sandboxed page has no storage, and the viewer does not start without storage.
      for (const name of ['localStorage', 'sessionStorage']) {
        const kept = new Map();
        const getItem = (key) => kept.get(key) ?? null;
        const setItem = (key, value) => void kept.set(key, String(value));
        const removeItem = (key) => void kept.delete(key);
        Object.defineProperty(window, name, { value: { getItem, setItem, removeItem } });
      }
      const viewer = document.createElement('script');
      viewer.textContent = ${inScript(await readViewer())};
      document.body.append(viewer);
      Scalar.createApiReference('#app', ${inScript(configuration)});
    </script>
  </body>
</html>
`);
}

/** The viewer's script. Its package only offers it through a server, so a temporary server is made and asked once. */
async function readViewer(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
  const { payload } = await app.inject({ url: '/docs/js/scalar.js' });
  await app.close();
  return payload;
}

/** A value for an inline script: it cannot end the script or begin a comment. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
