/*
 * The protocols by which tools ask for a token, one after the other. Texts in, texts out. What comes in is data of others, such as the
 * address of a submodule.
 */
import type { ConnectionToken } from '../../contract/credential/tool-connection.ts';
import { indexAddress } from '../../contract/credential/connected-tools.ts';

/** More is no request of a tool, in bytes. */
export const mostInput = 64 * 1024;

/*
 * Git's credential helpers (gitcredentials(7), git-credential(1)): `key=value` lines on stdin, and the same on stdout.
 */

export interface GitRequest {
  readonly url: string;
  readonly username: string | undefined;
  /** What a server has refused, in `erase`. */
  readonly password: string | undefined;
  /** Whether git can send a token alone, since 2.46. */
  readonly hasAuthtype: boolean;
}

/** Whether all of a request has come: it ends with an empty line, or with its input. */
export function isWholeGitRequest(input: Uint8Array): boolean {
  const text = Buffer.from(input).toString('latin1');
  return text.startsWith('\n') || text.includes('\n\n');
}

/**
 * Reads a request; null for what is none, so that it gets no answer.
 *
 * CR, NUL, repeated keys and a host with a path in it were ways to have git send a password elsewhere (CVE-2020-5260, CVE-2024-52006).
 */
export function readGitRequest(input: Uint8Array): GitRequest | null {
  if (input.length > mostInput) return null;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    return null; // no UTF-8
  }
  const fields = new Map<string, string>();
  const capabilities: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '') break;
    const at = line.indexOf('=');
    if (at < 1 || /[\0\r]/.test(line)) return null;
    const [key, value] = [line.slice(0, at), line.slice(at + 1)];
    if (key === 'capability[]') capabilities.push(value);
    // Headers of the server, in which a tab may stand.
    if (key.endsWith('[]')) continue;
    if (fields.has(key) || /\p{Cc}/u.test(value)) return null;
    fields.set(key, value);
  }
  const url = addressOf(fields);
  if (url === null) return null;
  return {
    url,
    username: fields.get('username'),
    password: fields.get('password') ?? fields.get('credential'),
    hasAuthtype: capabilities.includes('authtype'),
  };
}

function addressOf(fields: ReadonlyMap<string, string>): string | null {
  const [protocol, host, path = ''] = ['protocol', 'host', 'path'].map((key) => fields.get(key));
  if (protocol !== 'https' && protocol !== 'http') return null;
  if (host === undefined || !/^[^\s/?#@%\\]+$/.test(host)) return null;
  // A lone surrogate cannot come out of UTF-8.
  return `${protocol}://${host}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** What git reads; null where it cannot send the token so. */
export function gitAnswer(
  { username, value, scheme, usable_until: until }: ConnectionToken,
  { hasAuthtype }: Pick<GitRequest, 'hasAuthtype'>,
): string | null {
  const expires = `password_expiry_utc=${String(Math.floor(Date.parse(until) / 1000))}\n`;
  if (scheme === 'basic') return `username=${username}\npassword=${value}\n${expires}`;
  // An older git would send what it knows, a user name and a password.
  if (!hasAuthtype) return null;
  return `capability[]=authtype\nauthtype=Bearer\ncredential=${value}\nephemeral=true\n${expires}`;
}

/** Ends git's search: no other helper is asked, and no person. */
export const gitQuit = 'quit=1\n';

/*
 * Docker's credential helpers, which podman, buildah and skopeo speak as well (docker/docker-credential-helpers): a registry or JSON on
 * stdin, JSON on stdout, and the reason on stdout where there is none.
 */

/** What clients compare with, word for word. */
export const dockerRefusals = {
  none: 'credentials not found in native keychain',
  noServer: 'no credentials server URL',
} as const;

/** The registry that a client names: a host with its port, or an address. Null for what is none; empty where it names none. */
export function readDockerServer(input: Uint8Array): string | null {
  if (input.length > mostInput) return null;
  const server = Buffer.from(input).toString('latin1').trim();
  const host = server.startsWith('https://') ? server.slice('https://'.length) : server;
  return /^[\w.:[\]/-]*$/.test(host) && !host.includes('//') ? server : null;
}

/** The addresses that a registry may be connected by: https, and on this machine http, which docker takes there. */
export function dockerAddresses(server: string): readonly string[] {
  if (server.includes('://')) return [server];
  // Also where it was connected by its short name.
  if (server === dockerHub.short) return [dockerHub.origin, `https://${server}`];
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(server);
  return isHere ? [`https://${server}`, `http://${server}`] : [`https://${server}`];
}

/** Docker Hub: docker has its old address in the configuration, and podman, buildah and skopeo look for the short name. */
export const dockerHub = {
  origin: 'https://index.docker.io',
  old: 'https://index.docker.io/v1/',
  short: 'docker.io',
} as const;

/** How docker calls a registry, in its configuration and to its helpers. */
export function dockerServer(origin: string): string {
  return origin === dockerHub.origin ? dockerHub.old : origin.slice(origin.indexOf('://') + 3);
}

/** All names of a registry in the configuration, that of docker first. */
export function dockerServers(origin: string): readonly [string, ...string[]] {
  return origin === dockerHub.origin ? [dockerHub.old, dockerHub.short] : [dockerServer(origin)];
}

export function dockerAnswer(server: string, { username, value }: ConnectionToken): string {
  return JSON.stringify({ ServerURL: server, Username: username, Secret: value });
}

/*
 * Programs that give client-go a token (client.authentication.k8s.io): what is wanted stands in an environment variable, and an
 * ExecCredential goes to stdout.
 */

/** The variable with what is wanted. */
export const kubectlVariable = 'KUBERNETES_EXEC_INFO';

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;
/** What a new setting asks for. */
export const kubectlVersion = versions[0];

interface KubectlRequest {
  readonly apiVersion: string;
  /** The address of the cluster. */
  readonly url: string;
}

/** Reads what is wanted; null where it names no cluster (`provideClusterInfo`), or is none that we know. */
export function readKubectlRequest(info = ''): KubectlRequest | null {
  if (info.length > mostInput) return null;
  let request: unknown;
  try {
    request = JSON.parse(info);
  } catch {
    return null; // no JSON
  }
  const { apiVersion, spec } = (request ?? {}) as { readonly apiVersion?: unknown; readonly spec?: unknown };
  const { cluster } = (spec ?? {}) as { readonly cluster?: unknown };
  const { server: url } = (cluster ?? {}) as { readonly server?: unknown };
  const version = versions.find((one) => one === apiVersion);
  return version === undefined || typeof url !== 'string' ? null : { apiVersion: version, url };
}

/** What client-go reads: it asks again when the token is no longer usable, and after a 401. */
export function kubectlAnswer(
  { apiVersion }: Pick<KubectlRequest, 'apiVersion'>,
  { value: token, usable_until: until }: ConnectionToken,
): string {
  const expirationTimestamp = inWholeSeconds(until);
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token, expirationTimestamp } });
}

/*
 * Tools that ask for headers of a request: Go ("go help goauth"), Bazel (spec.md of EngFlow/credential-helper-spec) and MCP clients
 * (`headersHelper`).
 */

/** The variables in which Claude Code says where it sends what our program prints. */
export const claudeVariables = { base: 'ANTHROPIC_BASE_URL', server: 'CLAUDE_CODE_MCP_SERVER_URL' } as const;

/** RFC 7617, RFC 6750, or the token as it is. */
function authorization({ username, value, scheme }: ConnectionToken): string {
  if (scheme === 'basic') return `Basic ${Buffer.from(`${username}:${value}`).toString('base64')}`;
  return scheme === 'bearer' ? `Bearer ${value}` : value;
}

export function mcpAnswer(token: ConnectionToken): string {
  return JSON.stringify({ Authorization: authorization(token) });
}

/** An address is that of a connection whatever is queried there. What programs could read as another host stays, and is refused. */
export function withoutQuery(url: string): string {
  const at = url.search(/[?#]/);
  return at === -1 || /[@\\\p{C}\s]/u.test(url.slice(at)) ? url : url.slice(0, at);
}

/** The address that Bazel needs headers for; null for what is no request. A remote cache is gRPC, over TLS like https. */
export function readBazelAddress(input: Uint8Array): string | null {
  if (input.length > mostInput) return null;
  try {
    const { uri } = (JSON.parse(Buffer.from(input).toString()) ?? {}) as { uri?: unknown };
    return typeof uri === 'string' ? uri.replace(/^grpcs:/, 'https:') : null;
  } catch {
    return null; // no JSON
  }
}

/** Bazel keeps it until it expires. */
export function bazelAnswer(token: ConnectionToken): string {
  const headers = { Authorization: [authorization(token)] };
  return JSON.stringify({ headers, expires: inWholeSeconds(token.usable_until) });
}

/** Bazel refuses an answer with parts of a second in it (seen with 7.7). */
function inWholeSeconds(instant: string): string {
  return instant.replace(/\.\d{3}Z$/, 'Z');
}

/**
 * The header for an address and all below it. Go keeps it for one run.
 *
 * `refused` is the address of a refused request, with its query: older versions look for that, and not for the address without it
 * (https://github.com/golang/go/issues/80597).
 */
export function goAnswer(url: string, refused: string | undefined, token: ConnectionToken): string {
  const urls = refused === undefined ? [url] : [url, refused];
  return `${urls.join('\n')}\n\nAuthorization: ${authorization(token)}\n\n`;
}

/*
 * Cargo's credential providers ("Credential Provider Protocol" of The Cargo Book): a line of JSON from us first, then one for each request
 * and each answer, until stdin ends.
 */

/** What cargo waits for: the versions of the protocol that are spoken here. */
export const cargoHello = JSON.stringify({ v: [1] });

/** What cargo does next is decided by the kind: it tells a person that there is no provider, or that this one cannot. */
export const cargoRefusals = {
  notConnected: refusal('url-not-supported'),
  notSupported: refusal('operation-not-supported'),
} as const;

interface CargoRequest {
  /** `get`, `login`, `logout`, or what a newer cargo has. */
  readonly kind: string;
  /** The address of the index. */
  readonly url: string;
}

/** Reads a line; null for what is no request. A login has a token in it, which is not read. */
export function readCargoRequest(line: string): CargoRequest | null {
  if (line.length > mostInput) return null;
  let request: unknown;
  try {
    request = JSON.parse(line);
  } catch {
    return null; // no JSON
  }
  const { v, kind, registry } = (request ?? {}) as { v?: unknown; kind?: unknown; registry?: unknown };
  const { 'index-url': url } = (registry ?? {}) as { readonly 'index-url'?: unknown };
  if (v !== 1 || typeof kind !== 'string' || typeof url !== 'string') return null;
  return { kind, url: indexAddress(url) };
}

/** The token is all of the Authorization header that a registry gets. */
export function cargoAnswer({ value, scheme, usable_until: until }: ConnectionToken): string {
  return JSON.stringify({
    Ok: {
      kind: 'get',
      token: scheme === 'bearer' ? `Bearer ${value}` : value,
      cache: 'expires',
      expiration: Math.floor(Date.parse(until) / 1000),
      operation_independent: true,
    },
  });
}

/** What cargo would read in an answer of ours. */
export function readCargoAnswer(line: string): { readonly token: string | null; readonly message: string } {
  const { Ok, Err } = JSON.parse(line) as { Ok?: { token?: unknown }; Err?: { message?: string } };
  return { token: typeof Ok?.token === 'string' ? Ok.token : null, message: Err?.message ?? '' };
}

/** A person sees the message. */
export function cargoFailure(message: string): string {
  return refusal('other', { message, 'caused-by': [] });
}

function refusal(kind: string, more: object = {}): string {
  return JSON.stringify({ Err: { kind, ...more } });
}
