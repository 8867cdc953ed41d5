import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';

/** A person with a browser: follows redirects and has cookies. Stops at the first page, and returns it. */
export class Visitor {
  readonly #cookies = new Map<string, string>();

  async visit(url: string, form: Record<string, string> | null = null): Promise<Response> {
    let next = url;
    let body = form === null ? null : new URLSearchParams(form);
    for (let step = 0; step < 20; step += 1) {
      const reply = await fetch(next, {
        redirect: 'manual',
        method: body === null ? 'GET' : 'POST',
        headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body === null ? {} : { body }),
      });
      for (const cookie of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') this.#cookies.delete(name);
        else this.#cookies.set(name, value);
      }
      const to = reply.headers.get('location');
      if (to === null) return reply;
      next = new URL(to, next).href;
      body = null;
    }
    throw new Error('The redirects do not end.');
  }

  /** Enters the code of a sign-in without a browser, and agrees. */
  async enterCode(url: string, code: string): Promise<Response> {
    const page = await (await this.visit(url)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    return this.visit(new URL(url).href.split('?')[0] ?? url, { xsrf, user_code: code, confirm: 'yes' });
  }
}

export interface OidcServer {
  /** Where it listens. */
  readonly baseUrl: string;
  /** The last page says no instead of yes. */
  denies: boolean;
  isRefreshAlive(refreshToken: string): Promise<boolean>;
  isAccessAlive(accessToken: string): Promise<boolean>;
  /** Ends every sign-in, as an administrator does. */
  endSignIns(): Promise<void>;
  /** Ends an access token, and not its refresh token. */
  endAccess(accessToken: string): Promise<void>;
  close(): void;
}

/** A client may ask about its own tokens and end them, and no others. */
function isOfClient(
  _context: unknown,
  client: { readonly clientId: string },
  token: { readonly clientId?: string | undefined },
) {
  return token.clientId === client.clientId;
}

export const oidcClient = 'app';
export const oidcMachine = { id: 'machine', secret: 'machine-secret-0123456789abcdef' } as const;

/** Signs ID tokens. Made once, because that takes longer than a server needs to start. */
const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

/** What a server has stored, of one kind; `all` has every kind. */
class OidcStorage implements Adapter {
  readonly #kind: string;
  readonly #all: Map<string, AdapterPayload>;

  constructor(kind: string, all: Map<string, AdapterPayload>) {
    this.#kind = kind;
    this.#all = all;
  }

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#all.set(this.#keyOf(id), payload);
    return Promise.resolve();
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#all.get(this.#keyOf(id)));
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#with((one) => one.uid === uid)[0]?.[1]);
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#with((one) => one.userCode === userCode)[0]?.[1]);
  }

  consume(id: string): Promise<void> {
    const payload = this.#all.get(this.#keyOf(id));
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    return Promise.resolve();
  }

  destroy(id: string): Promise<void> {
    this.#all.delete(this.#keyOf(id));
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [key] of this.#with((one) => one.grantId === grantId)) this.#all.delete(key);
    return Promise.resolve();
  }

  #keyOf(id: string): string {
    return `${this.#kind} ${id}`;
  }

  #with(isWanted: (payload: AdapterPayload) => boolean): [string, AdapterPayload][] {
    return [...this.#all].filter(([key, payload]) => key.startsWith(`${this.#kind} `) && isWanted(payload));
  }
}

/**
 * A real OAuth server: `oidc-provider` on loopback with its storage in memory. It replaces refresh tokens of public clients with
 * each use, and ends the whole grant when one is used again. Everybody is signed in and agrees.
 */
export async function listenAsOidc({
  issuer,
  accessSeconds = 7 * 86_400,
}: {
  /** The address under which it is called: its own, or of a proxy in front of it. */
  readonly issuer?: string;
  readonly accessSeconds?: number;
} = {}): Promise<OidcServer> {
  const server = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calledAt = issuer ?? baseUrl;
  const stored = new Map<string, AdapterPayload>();
  const provider = new Provider(calledAt, {
    adapter: (kind) => new OidcStorage(kind, stored),
    jwks: { keys: [{ ...signingKey, kid: 'tests', alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: oidcClient,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
      {
        client_id: oidcMachine.id,
        client_secret: oidcMachine.secret,
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
    cookies: { keys: ['only for tests'] },
    scopes: ['openid', 'offline_access'],
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    features: {
      devInteractions: { enabled: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource(context, form) {
          context.body = form;
        },
        userCodeConfirmSource(context, form) {
          context.body = form;
        },
        successSource(context) {
          context.body = 'Signed in.';
        },
      },
      introspection: { enabled: true, allowedPolicy: isOfClient },
      revocation: { enabled: true, allowedPolicy: isOfClient },
      clientCredentials: { enabled: true },
    },
    ttl: {
      AccessToken: accessSeconds,
      ClientCredentials: accessSeconds,
      AuthorizationCode: 60,
      DeviceCode: 600,
      Grant: 30 * 86_400,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 30 * 86_400,
      Session: 86_400,
    },
  });
  const answerAll = provider.callback();
  const grants: string[] = [];
  const oidc: OidcServer = {
    baseUrl,
    denies: false,
    async isRefreshAlive(refreshToken) {
      const found = await provider.RefreshToken.find(refreshToken);
      return found?.isValid === true && found.consumed === undefined;
    },
    async isAccessAlive(accessToken) {
      const found =
        (await provider.AccessToken.find(accessToken)) ??
        (await provider.ClientCredentials.find(accessToken));
      return found?.isValid === true;
    },
    async endSignIns() {
      for (const id of grants.splice(0)) await provider.RefreshToken.revokeByGrantId(id);
    },
    async endAccess(accessToken) {
      await (await provider.AccessToken.find(accessToken))?.destroy();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return oidc;

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    // Its metadata name the address under which it is called.
    incoming.headers.host = new URL(calledAt).host;
    if (incoming.url?.startsWith('/interaction/') === true) await interact(incoming, answer);
    else await answerAll(incoming, answer);
  }

  async function interact(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(incoming, answer);
    const accountId = session?.accountId ?? 'ada';
    if (oidc.denies) {
      const result = { error: 'access_denied', error_description: 'Ada does not want to.' };
      await provider.interactionFinished(incoming, answer, result);
      return;
    }
    if (prompt.name === 'login') {
      await provider.interactionFinished(incoming, answer, { login: { accountId } });
      return;
    }
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) });
    grant.addOIDCScope('openid offline_access');
    const grantId = await grant.save();
    grants.push(grantId);
    await provider.interactionFinished(
      incoming,
      answer,
      { consent: { grantId } },
      { mergeWithLastSubmission: true },
    );
  }
}
