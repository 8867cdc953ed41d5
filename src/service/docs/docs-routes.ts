import fastify, { type FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import type { ServiceContext } from '../service-context.ts';
import { z } from 'zod';
import { eventStreamPath } from '../../contract/address.ts';
import { routes } from '../../contract/routes.ts';
import {
  extensionsExport,
  historyExport,
  recordingAudio,
  smsTemplatesExport,
} from '../../contract/downloads.ts';
import { bodyLimitBytes, type Route } from '../../contract/route.ts';
import { RotationStep } from '../../contract/credential/credential-checks.ts';
import { ivrAliases, IvrBody } from '../../contract/menu/ivr.ts';
import { ChangeNotice } from '../../contract/service/portal.ts';
import { HistoryEvent } from '../../contract/history/audit-event.ts';
import { type ProblemCode, problems } from '../../contract/problems.ts';
import { AudioFormat } from '../../contract/menu/recording.ts';
import { refusalShapes } from '../../contract/shapes.ts';
import { audioTypes } from '../http/add-route.ts';
import { tooLargeWords } from '../http/handle-error.ts';

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

/** Problems that any route can answer with, in addition to its own. */
const everywhere: readonly ProblemCode[] = [
  'absolute_target',
  'host_not_allowed',
  'unknown_name',
  'https_required',
  'origin_not_allowed',
  'expectation_failed',
  'internal',
];

type JsonObject = Record<string, unknown>;

/** The OpenAPI 3.1 description of every route, made from the contract alone. */
function openApiDocument({ version, baseUrl }: { version: string; baseUrl: string }): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  paths[eventStreamPath] = { get: eventStreamOperation };
  paths[historyExport.path] = { get: historyExportOperation() };
  paths[recordingAudio.path.replace(':id', '{id}')] = { get: recordingAudioOperation() };
  for (const [name, route] of Object.entries({ extensionsExport, smsTemplatesExport })) {
    paths[route.path] = { get: download(name, route, { 'text/csv': {} }) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rotavox',
      version,
      description:
        'Rotate API tokens without losing one, and create phone menus. `/v1` is for apps on this machine; ' +
        '`/portal` is for owners.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Tokens', description: 'What an API token can do for itself.' },
      { name: 'IVR', description: 'Phone menus.' },
      { name: 'Portal', description: 'The owners’ side.' },
    ],
    paths,
    components: {
      schemas: {
        ChangeNotice: schemaOf(ChangeNotice, 'output'),
        RotationStep: schemaOf(RotationStep, 'output'),
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, or an access token under one.',
        },
        portal: {
          type: 'http',
          scheme: 'bearer',
          description: 'The portal key of runtime.json, or the key of an owner.',
        },
      },
    },
  };
}

const tags = { auth: 'Tokens', ivr: 'IVR', portal: 'Portal' } as const;

function operation(name: string, route: Route): JsonObject {
  const body = bodyContent(name, route);
  return {
    operationId: name,
    summary: route.title,
    description: route.summary,
    tags: [tags[route.family]],
    security: route.auth === 'none' ? [] : [{ [route.auth]: [] }],
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...parameters('header', route.headers),
    ],
    ...(body === null ? {} : { requestBody: { required: !isOptional(route), content: body } }),
    responses: {
      200: { description: 'Done.', ...replyHeaders(route), content: json(route.reply, 'output') },
      ...refusals(route),
    },
  };
}

/** The request body of a route by content type; null when it has none. */
function bodyContent(name: string, route: Route): JsonObject | null {
  if (route.takes === 'audio') return audioContent();
  if (route.takes === 'stream') return { 'application/octet-stream': {} };
  const schema = bodySchema(name, route);
  return schema === null ? null : { 'application/json': { schema } };
}

/** Bytes have no schema in OpenAPI 3.1; their content type describes them. */
function audioContent(): JsonObject {
  return Object.fromEntries(AudioFormat.options.map((format) => [audioTypes[format], {}]));
}

function bodySchema(name: string, route: Route): JsonObject | null {
  if (route.body === undefined) return null;
  if (!/createIvr|updateIvr/i.test(name)) return schemaOf(route.body, 'input');
  const schema = schemaOf(IvrBody, 'input');
  const properties = schema.properties as JsonObject;
  const aliases = Object.entries(ivrAliases).map(([alias, field]) => [
    alias,
    {
      ...(properties[field] as JsonObject),
      description: `Another name for \`${field}\`, which wins when both are there.`,
    },
  ]);
  return {
    ...schema,
    properties: { ...properties, ...Object.fromEntries(aliases) },
    additionalProperties: true,
  };
}

function isOptional(route: Route): boolean {
  return route.body?.safeParse(undefined).success === true && !(route.body instanceof z.ZodUnknown);
}

function refusals(route: Route): JsonObject {
  const changes = route.method === 'GET' ? [] : (['store_unavailable'] as const);
  const byStatus = new Map<number, string[]>();
  for (const code of [...route.problems, ...changes, ...everywhere]) {
    const { status } = problems[code];
    const message =
      code === 'body_too_large' ? tooLargeWords(route.limitBytes ?? bodyLimitBytes) : problems[code].message;
    byStatus.set(status, [...(byStatus.get(status) ?? []), message]);
  }
  const content = json(refusalShapes[route.family], 'output');
  return Object.fromEntries(
    [...byStatus].map(([status, messages]) => [status, { description: messages.join('\n\n'), content }]),
  );
}

function parameters(place: string, schema: z.ZodObject | undefined): JsonObject[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(field as z.ZodType, 'input'),
  }));
}

function replyHeaders({ replyHeaders: headers }: Route): JsonObject {
  if (headers === undefined) return {};
  const described = Object.entries(headers.shape).map(([name, field]) => [
    name,
    { schema: schemaOf(field as z.ZodType, 'output') },
  ]);
  return { headers: Object.fromEntries(described) as JsonObject };
}

function json(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  return { 'application/json': { schema: schemaOf(schema, io) } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}

/** An operation that is answered with a file instead of JSON. */
function download(name: string, route: Omit<Route, 'reply'>, content: JsonObject): JsonObject {
  const described = operation(name, { ...route, reply: z.unknown() });
  const responses = described['responses'] as Record<number, JsonObject>;
  return { ...described, responses: { ...responses, 200: { ...responses[200], content } } };
}

function recordingAudioOperation(): JsonObject {
  const described = download('readRecordingAudio', recordingAudio, audioContent());
  const responses = described['responses'] as Record<number, JsonObject>;
  return {
    ...described,
    responses: {
      ...responses,
      206: { description: 'The part that was asked for.', content: audioContent() },
    },
  };
}

function historyExportOperation(): JsonObject {
  const described = operation('exportHistory', { ...historyExport, reply: z.array(HistoryEvent) });
  const responses = described['responses'] as Record<number, { content: JsonObject }>;
  const { content, ...done } = responses[200] ?? { content: {} };
  return {
    ...described,
    responses: { ...responses, 200: { ...done, content: { ...content, 'text/csv': {} } } },
  };
}

const eventStreamOperation: JsonObject = {
  operationId: 'streamEvents',
  summary: 'Stream of changes',
  description:
    'Every change as it happens: Server-Sent Events.\n\n' +
    '- `change`: the head of an event (`ChangeNotice`), once it is on disk, with its `seq` as the id. A reader that comes ' +
    'back with `Last-Event-ID` is told what it missed.\n' +
    '- `reset`: more was missed than is told one by one, or the store or the vault began to fail or works again; ask for ' +
    'everything again.\n' +
    '- `step`: a step of a rotation or of a delivery while it happens (`RotationStep`). Without an id, told once and kept ' +
    'nowhere: what lasts comes as `change`.',
  tags: ['Portal'],
  security: [{ portal: [] }],
  responses: { 200: { description: 'The stream.', content: { 'text/event-stream': {} } } },
};
