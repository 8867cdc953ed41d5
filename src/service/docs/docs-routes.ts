import fastify, { type FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from '../security-headers.ts';
import { baseUrlOf, type ServiceContext } from '../service-context.ts';
import { openApiDocument } from './openapi.ts';

/**
 * `/openapi.json` and the reference page that shows it.
 *
 * The page's viewer is four megabytes of script, so it is loaded when somebody first opens the page. The page is made once
 * and shared by everybody who asks: a copy for each that does not read on would add up. It holds the viewer and the
 * document itself, for in its sandbox (`security-headers.ts`) whatever it asked us for would come from another site.
 */
export function addDocsRoutes(
  app: FastifyInstance,
  { about: { version }, connections }: ServiceContext,
): void {
  const describe = () => openApiDocument({ version, baseUrl: baseUrlOf(app) });
  /** Made at the first call, when the address is known. Nobody needs a credential for them, so a call must cost next to nothing. */
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
    // In its sandbox the page could not send a request.
    hideTestRequestButton: true,
    documentDownloadType: 'json',
    // Nothing that would send the page's content to anybody.
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
      // A sandboxed page has no storage, and the viewer does not start without one.
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

/** The viewer's script. Its package gives it to nobody but a server, so one is made for it, asked once, and gone. */
async function readViewer(): Promise<string> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { content: {} } });
  const { payload } = await app.inject({ url: '/docs/js/scalar.js' });
  await app.close();
  return payload;
}

/** A value as it can stand in an inline script: nothing in it ends the script or begins a comment. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
