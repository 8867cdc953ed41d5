import type { ConnectedTool } from '../../contract/credential/connected-tools.ts';
import type { ConnectionRecord } from '../../contract/credential/tool-connection.ts';

/** Where a tool needs a token: what is compared of an address. */
export interface Place {
  /** Scheme, host and port in the form of the URL Standard: lower case, ASCII, no usual port. */
  readonly origin: string;
  /** Of the path, decoded. */
  readonly segments: readonly string[];
}

/** Reads an address as the URL Standard says; null for none. The runtime has it (`URL.parse`), the language has not. */
export type ParseUrl = (address: string) => {
  readonly protocol: string;
  readonly hostname: string;
  readonly origin: string;
  readonly pathname: string;
} | null;

/** What a tool says of itself. */
export interface AskedPlace {
  readonly tool: string;
  readonly url: string;
  readonly username?: string | undefined;
}

/**
 * Reads an address for which a token may be handed out; null for any other.
 *
 * Only https, or http to this machine. Addresses come from others, such as the submodules of a repository, so whatever programs read in
 * different ways is no address: users, backslashes, control characters, line breaks, encoded slashes, segments that lead upwards.
 */
export function readPlace(address: string, parse: ParseUrl): Place | null {
  if (/[\p{C}\s\\?#]/u.test(address) || !/^https?:\/\/[^/@]+(?:\/|$)/i.test(address)) return null;
  // Git sends them as they are, and a server may read them in either way.
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(address)) return null;
  const parsed = parse(address);
  if (parsed === null) return null;
  const { protocol, hostname, origin, pathname } = parsed;
  if (protocol !== 'https:' && !isLoopback(hostname)) return null;
  const segments = pathname.replace(/\/$/, '').split('/').slice(1).map(decoded);
  return segments.every((segment) => segment !== null) ? { origin, segments } : null;
}

/** Why a tool cannot use the token at an address that `readPlace` has read; null: it can. The commands that connect a tool ask it, too. */
export function placeTrouble(tool: ConnectedTool, { origin, segments }: Place): 'no_https' | 'path' | null {
  if (httpsOnly.has(tool) && !origin.startsWith('https:')) return 'no_https';
  const isHub = tool === 'docker' && hubOrigins.has(origin) && segments.join('/') === 'v1';
  return hostsOnly.has(tool) && segments.length > 0 && !isHub ? 'path' : null;
}

/** Docker Hub, whose address docker writes with a path: `https://index.docker.io/v1/`. */
const hubOrigins: ReadonlySet<string> = new Set(['https://docker.io', 'https://index.docker.io']);

const httpsOnly: ReadonlySet<ConnectedTool> = new Set(['kubectl', 'terraform', 'go', 'bazel']);
const hostsOnly: ReadonlySet<ConnectedTool> = new Set(['docker', 'terraform']);

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

function decoded(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment);
    return /[/\\\p{C}]/u.test(text) ? null : text;
  } catch {
    return null; // no UTF-8
  }
}

/**
 * The connection that answers for an address: equal origin, equal first segments of the path, and no other user name. The longest path
 * wins. There is no wildcard, no subdomain, and no "only one that there is".
 */
export function matchConnection(
  connections: Iterable<ConnectionRecord>,
  { tool, url, username = '' }: AskedPlace,
  parse: ParseUrl,
): ConnectionRecord | null {
  const place = readPlace(url, parse);
  if (place === null) return null;
  let found: ConnectionRecord | null = null;
  for (const one of connections) {
    if (one.tool !== tool || one.origin !== place.origin) continue;
    if (username !== '' && username !== one.username) continue;
    if (!prefixOf(one).every((segment, at) => place.segments[at] === segment)) continue;
    if (found === null || prefixOf(one).length > prefixOf(found).length) found = one;
  }
  return found;
}

function prefixOf({ path_prefix: prefix }: Pick<ConnectionRecord, 'path_prefix'>): readonly string[] {
  return prefix === undefined ? [] : prefix.split('/');
}
