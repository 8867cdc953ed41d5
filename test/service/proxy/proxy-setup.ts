import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import {
  NewAppToken,
  type ProxyRuleId,
  ProxyView,
  type RuleMethod,
} from '../../../src/contract/credential/proxy.ts';
import { currentEntry } from '../../../src/agent/vault/token-entries.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { noon } from '../../fixtures/make-events.ts';
import { OpenService } from '../open-service.ts';

/** The token of the credential `shop`: with characters that look different in an address. */
export const secret = 'tok_+/live~5fA9 = very/secret'.replaceAll(' ', '');
export const shopId = 'cred_shop' as CredentialId;

export interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export interface Upstream {
  readonly port: number;
  readonly origin: string;
  /** Every request that was read to its end. */
  readonly heard: Heard[];
  /** Answers the next requests instead of the usual `{"ok":true}`. */
  answer: RequestListener;
}

/** A service on this machine that notes what it gets. */
export async function startUpstream(): Promise<Upstream> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => upstream.answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    port,
    origin: `http://127.0.0.1:${port}`,
    heard,
    answer(request, response) {
      void note(request, heard).then(() => {
        response.setHeader('content-type', 'application/json');
        response.end('{"ok":true}');
      });
    },
  };
  return upstream;
}

export async function note(request: IncomingMessage, heard: Heard[]): Promise<void> {
  let body = '';
  for await (const part of request) body += String(part);
  const { method = '', url = '', headers, rawHeaders } = request;
  heard.push({ method, url, headers, rawHeaders, body });
}

/** Notes each request, then answers it in this way. */
export function answering(
  upstream: Upstream,
  answer: (response: ServerResponse, heard: Heard) => void,
): void {
  upstream.answer = (request, response) => {
    void note(request, upstream.heard).then(() => {
      const last = upstream.heard.at(-1);
      if (last !== undefined) answer(response, last);
    });
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The code of a refusal of ours; null for an answer of the service. */
  readonly refusal: string | null;
}

export interface ProxySetup {
  readonly service: OpenService;
  readonly vault: MemoryVault;
  readonly port: number;
  readonly upstream: Upstream;
  /** The app token of `agent`, which may use `shop`. */
  readonly token: string;
  readonly tokenId: string;
  allow(rule: Record<string, unknown>, credential?: string): Promise<ProxyView>;
  issue(wanted?: Record<string, unknown>, credential?: string): Promise<NewAppToken>;
  view(): Promise<ProxyView>;
  /** A request of the app. Without an app token where `token` is null. */
  send(wanted: {
    readonly method?: string;
    readonly path: string;
    readonly token?: string | null;
    readonly headers?: Readonly<Record<string, string | string[]>>;
    readonly body?: string;
  }): Promise<Answer>;
}

/** Paths that the tests send to, written out as rules have to. */
const usualPaths = [
  '/',
  '/a',
  '/b',
  '/c',
  '/d',
  '/e',
  '/f',
  '/g',
  '/h',
  '/a/b',
  '/list',
  '/slow',
  '/whole',
  '/small',
  '/waiting',
  '/soon',
  '/stream',
  '/@127.0.0.1/a',
];

/** Rules in the journal, in one piece: as they are, also such as were added before wildcards had limits. */
export async function writeRules(
  { store }: OpenService,
  rules: readonly { readonly method: RuleMethod; readonly path: string; readonly [more: string]: unknown }[],
  name = 'shop',
): Promise<void> {
  const credentialId = `cred_${name}` as CredentialId;
  await store.transact(() => ({
    events: rules.map((rule) => ({
      kind: 'proxy.rule_added' as const,
      subject: credentialId,
      actor: { kind: 'owner' as const },
      data: {
        app: null,
        private_network: false,
        ...rule,
        rule_id: `rule_${name}_${rule.method}_${rule.path}` as ProxyRuleId,
        credential_id: credentialId,
      },
    })),
    value: null,
  }));
}

export function usualRules(more: Record<string, unknown> = {}) {
  return usualPaths.map((path) => ({ method: '*' as const, path, ...more }));
}

/** The service with the credential `shop` of a service on this machine, where `agent` may send to the usual paths. */
export async function setUpProxy(
  options: {
    readonly baseUrl?: (upstream: Upstream) => string | null;
    readonly rules?: readonly Record<string, unknown>[];
    readonly start?: Parameters<typeof OpenService.start>[0];
  } = {},
): Promise<ProxySetup> {
  const vault = new MemoryVault();
  const upstream = await startUpstream();
  const service = await (await OpenService.start({ vault, ...options.start })).listen();
  await addCredential(service, vault, {
    name: 'shop',
    baseUrl: options.baseUrl === undefined ? upstream.origin : options.baseUrl(upstream),
  });
  const port = (service.app.server.address() as AddressInfo).port;
  const allow = async (rule: Record<string, unknown>, credential = 'shop') =>
    ProxyView.parse(await owned(service, 'POST', `/portal/credentials/${credential}/proxy/rules`, rule));
  const issue = async (wanted: Record<string, unknown> = {}, credential = 'shop') =>
    NewAppToken.parse(
      await owned(service, 'POST', `/portal/credentials/${credential}/proxy/tokens`, {
        app: 'agent',
        ...wanted,
      }),
    );
  if (options.rules === undefined) await writeRules(service, usualRules());
  else for (const rule of options.rules) await allow(rule);
  const { token, id: tokenId } = await issue();
  return {
    service,
    vault,
    port,
    upstream,
    token,
    tokenId,
    allow,
    issue,
    view: async () => ProxyView.parse(await owned(service, 'GET', '/portal/credentials/shop/proxy')),
    send: ({ method = 'GET', path, token: own = token, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const sent = httpRequest(
          {
            host: '127.0.0.1',
            port,
            method,
            path: path.startsWith('/proxy/') ? path : `/proxy/shop${path}`,
            agent: false,
            headers: { ...(own === null ? {} : { authorization: `Bearer ${own}` }), ...headers },
          },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (part: string) => (text += part));
            response.on('error', reject);
            response.on('end', () => {
              const isOurs = response.headers['rotavox-proxy'] === 'refused';
              const refusal = isOurs && text !== '' ? (JSON.parse(text) as { code: string }).code : null;
              resolve({ status: response.statusCode ?? 0, headers: response.headers, text, refusal });
            });
          },
        );
        sent.on('error', reject);
        sent.end(body);
      }),
  };
}

export async function owned(
  service: OpenService,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const answer = await service.owner(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path} is refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A credential with a token that its service was never asked about. */
export async function addCredential(
  { store }: OpenService,
  vault: MemoryVault,
  {
    name,
    baseUrl,
    token = secret,
  }: { readonly name: string; readonly baseUrl: string | null; readonly token?: string },
): Promise<void> {
  const id = `cred_${name}` as CredentialId;
  await vault.write(currentEntry(name), token);
  await store.transact(() => ({
    events: [
      {
        kind: 'credential.added',
        subject: id,
        actor: { kind: 'owner' },
        data: {
          credential_id: id,
          name,
          base_url: baseUrl,
          policy: { fraction: 0.5, preferred_hours: null },
          obtained_at: new Date(noon).toISOString(),
          expires_at: new Date(noon + 30 * 86_400_000).toISOString(),
          validity_days: 30,
        },
        sealed: { fingerprint: hash('sha256', token, 'base64url') },
      },
    ],
    value: null,
  }));
}

/** The token of a credential was replaced, as at the end of a rotation. */
export async function replaceToken(
  { store }: OpenService,
  vault: MemoryVault,
  { name, token, generation }: { readonly name: string; readonly token: string; readonly generation: number },
): Promise<void> {
  const id = `cred_${name}` as CredentialId;
  await vault.write(currentEntry(name), token);
  await store.transact(() => ({
    events: [
      {
        kind: 'credential.value_replaced',
        subject: id,
        actor: { kind: 'owner' },
        data: {
          credential_id: id,
          generation,
          obtained_at: new Date(noon).toISOString(),
          expires_at: new Date(noon + 30 * 86_400_000).toISOString(),
          validity_days: 30,
          cause: 'pasted',
        },
        sealed: { fingerprint: hash('sha256', token, 'base64url') },
      },
    ],
    value: null,
  }));
}
