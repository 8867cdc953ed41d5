import fastify, { type FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from '../security-headers.ts';
import { baseUrlOf } from '../base-url.ts';
import { openApiDocument } from './openapi.ts';

/**
 * `/openapi.json` and the reference page that reads it.
 *
 * The page's viewer is four megabytes of script, so it is loaded when somebody first opens the page, and served by a
 * small server of its own that only this room talks to.
 */
export function addDocsRoutes(app: FastifyInstance, { version }: { version: string }): void {
  let reference: Promise<FastifyInstance> | null = null;

  app.get('/openapi.json', () => openApiDocument({ version, baseUrl: baseUrlOf(app) }));

  for (const path of ['/docs', '/docs/', '/docs/js/scalar.js']) {
    app.get(path, async (_request, reply) => {
      reference ??= startReference();
      const page = await (await reference).inject({ url: path });
      void reply
        .code(page.statusCode)
        .header('content-type', page.headers['content-type'])
        .header('content-security-policy', contentSecurityPolicy.referencePage);
      if (page.headers.location !== undefined) void reply.header('location', '/docs/');
      return reply.send(page.body);
    });
  }
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
