import fastify, { type FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from '../security-headers.ts';
import { baseUrlOf } from '../base-url.ts';
import type { ServiceContext } from '../service-context.ts';
import { openApiDocument } from './openapi.ts';

interface Page {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Shared by everybody who asks: four megabytes for each that does not read on would add up. */
  readonly content: Buffer;
}

/**
 * `/openapi.json` and the reference page that reads it.
 *
 * The page's viewer is four megabytes of script, so it is loaded when somebody first opens the page: a small server of
 * its own makes each page once, and is gone.
 */
export function addDocsRoutes(
  app: FastifyInstance,
  { about: { version }, connections }: ServiceContext,
): void {
  let pages: Promise<ReadonlyMap<string, Page>> | null = null;
  /** Made at the first call, when the address is known. Nobody needs a credential for it, so it must cost next to nothing. */
  let document: Buffer | null = null;

  app.get('/openapi.json', async (request, reply) => {
    await connections.turn(request.raw.socket);
    document ??= Buffer.from(JSON.stringify(openApiDocument({ version, baseUrl: baseUrlOf(app) })));
    return reply.type('application/json; charset=utf-8').send(document);
  });

  for (const path of pagePaths) {
    app.get(path, { config: { opensByLink: path !== '/docs/js/scalar.js' } }, async (request, reply) => {
      await connections.turn(request.raw.socket);
      pages ??= makePages();
      const page = (await pages).get(path);
      if (page === undefined) return reply.callNotFound();
      return reply.code(page.status).headers(page.headers).send(page.content);
    });
  }
}

const pagePaths = ['/docs', '/docs/', '/docs/js/scalar.js'] as const;

async function makePages(): Promise<ReadonlyMap<string, Page>> {
  const reference = await startReference();
  const pages = new Map<string, Page>();
  for (const path of pagePaths) {
    const { statusCode, headers, rawPayload } = await reference.inject({ url: path });
    pages.set(path, {
      status: statusCode,
      headers: {
        'content-type': headers['content-type'] ?? 'text/plain; charset=utf-8',
        'content-security-policy': contentSecurityPolicy.referencePage,
        ...(headers.location === undefined ? {} : { location: '/docs/' }),
      },
      content: rawPayload,
    });
  }
  await reference.close();
  return pages;
}

async function startReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Rotavox API',
      telemetry: false,
      withDefaultFonts: false,
      hideClientButton: true,
      // Nothing that would send the page's content to anybody.
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return app;
}
