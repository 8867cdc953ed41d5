/** Why a text is not the address of a proxy that can be used. */
export type ProxyAddressProblem =
  | 'not_an_address'
  /** `socks5://` and its relatives. */
  | 'socks'
  /** Another scheme than http and https. */
  | 'scheme'
  /** It has a path: most often it is the address of a PAC file. */
  | 'path';

/** A proxy, as it is asked. */
export interface ProxyAddress {
  /** How the proxy itself is asked. */
  readonly scheme: 'http' | 'https';
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Null: none was given. */
  readonly login: ProxyLogin | null;
}

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

const usualPorts = { http: 80, https: 443 } as const;

/**
 * Reads the address of a proxy as people write it: with or without a scheme, and with a password that may have any character.
 *
 * What stands before the last `@` is the login, so that `@`, `/`, `#` and `%` in a password work as they are; a percent-encoded
 * character means that character. Standard parsers fail there: `%` that begins no code throws in most of them.
 */
export function readProxyAddress(
  text: string,
):
  | { readonly ok: true; readonly value: ProxyAddress }
  | { readonly ok: false; readonly problem: ProxyAddressProblem } {
  const refused = (problem: ProxyAddressProblem) => ({ ok: false, problem }) as const;
  const [, named, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/isu.exec(text.trim()) ?? [];
  const scheme = (named ?? 'http').toLowerCase();
  if (scheme.startsWith('socks')) return refused('socks');
  if (scheme !== 'http' && scheme !== 'https') return refused('scheme');
  if (/\p{Cc}/u.test(rest)) return refused('not_an_address');
  const at = rest.lastIndexOf('@');
  const [, host = '', after = ''] = /^(\[[^\]]*\](?::\d*)?|[^/?#]*)(.*)/su.exec(rest.slice(at + 1)) ?? [];
  const [, inBrackets, name, digits] =
    /^(?:\[([0-9a-f:.]+)(?:%25[\w.~-]+)?\]|([\p{L}\p{N}._-]+))(?::(\d*))?$/iu.exec(host) ?? [];
  const bare = inBrackets ?? name;
  const port = digits === undefined || digits === '' ? usualPorts[scheme] : Number(digits);
  if (bare === undefined || port < 1 || port > 65_535) return refused('not_an_address');
  if (inBrackets !== undefined && !inBrackets.includes(':')) return refused('not_an_address');
  if (after !== '' && after !== '/') return refused('path');
  const login = at === -1 ? null : loginIn(rest.slice(0, at));
  return { ok: true, value: { scheme, host: bare.toLowerCase(), port, login } };
}

function loginIn(text: string): ProxyLogin | null {
  const colon = text.indexOf(':');
  const user = decoded(colon === -1 ? text : text.slice(0, colon));
  const password = colon === -1 ? '' : decoded(text.slice(colon + 1));
  return user === '' && password === '' ? null : { user, password };
}

/** Percent-encoded characters as they are meant; a `%` that begins none stays. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes; // not UTF-8, so it was not encoded
    }
  });
}

/** Host and port, as people name a proxy: never with its login. */
export function proxyName({ host, port }: Pick<ProxyAddress, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The same with the scheme, as the setting has it. */
export function proxyUrl(proxy: Pick<ProxyAddress, 'scheme' | 'host' | 'port'>): string {
  return `${proxy.scheme}://${proxyName(proxy)}`;
}
