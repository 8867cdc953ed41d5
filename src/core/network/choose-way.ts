import { noProxyVariables, type ProxySource, proxyVariables } from '../../contract/service/network.ts';
import { type Destination, isException, isLoopback } from './no-proxy.ts';
import {
  type ProxyAddressProblem,
  type ProxyAddress,
  readProxyAddress,
} from '../../contract/service/proxy-address.ts';

/** How a connection is made. */
export type Way =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly proxy: ProxyAddress; readonly source: ProxySource }
  /** What names the proxy cannot be used: nothing is sent, because a way around the proxy was not asked for. */
  | { readonly kind: 'invalid'; readonly source: ProxySource; readonly problem: ProxyAddressProblem };

/** What was chosen here. */
export interface WaySettings {
  /** `system`: what the environment or the desktop says; `off`: always direct; otherwise an address without a login. */
  readonly proxy: string;
  /** Exceptions; null: those of the environment. */
  readonly no_proxy: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const direct: Way = { kind: 'direct' };

/**
 * The way to a destination, or null where the desktop is to be asked (`waysOfDesktop`), if there is one, and it is direct otherwise.
 *
 * Calls to this machine are always direct: they are our own.
 */
export function chooseWay(to: Destination, settings: WaySettings, environment: Environment): Way | null {
  if (settings.proxy === 'off' || isLoopback(to.host)) return direct;
  const exceptions = settings.no_proxy ?? valueOf(noProxyVariables, environment)?.value ?? '';
  if (isException(exceptions, to)) return direct;
  if (settings.proxy !== 'system') return wayOf(settings.proxy, 'setting');
  const named = valueOf(proxyVariables[to.protocol], environment);
  return named === null ? null : wayOf(named.value, named.name);
}

/** The first variable that is set and not empty. */
function valueOf<Name extends string>(
  names: readonly Name[],
  environment: Environment,
): { readonly name: Name; readonly value: string } | null {
  for (const name of names) {
    const value = environment[name]?.trim() ?? '';
    if (value !== '') return { name, value };
  }
  return null;
}

function wayOf(address: string, source: ProxySource): Way {
  const read = readProxyAddress(address);
  return read.ok
    ? { kind: 'proxy', proxy: read.value, source }
    : { kind: 'invalid', source, problem: read.problem };
}

/**
 * What a desktop says about a destination, in the words of a PAC file: `PROXY a:8080; HTTPS b:443; DIRECT`. In this order one
 * after the other is tried. Null: nothing of it can be used.
 */
export function waysOfDesktop(answer: string): readonly Way[] | null {
  const ways: Way[] = [];
  for (const part of answer.split(';')) {
    const [kind = '', address = '', ...more] = part.trim().split(/\s+/);
    if (!/^\w+$/.test(kind) || more.length > 0) continue;
    if (/^direct$/i.test(kind)) ways.push(direct);
    else ways.push(wayOf(`${schemeOf(kind)}://${address}`, 'desktop'));
  }
  // One that cannot be used, such as SOCKS, only matters where there is nothing else.
  const usable = ways.filter(({ kind }) => kind !== 'invalid');
  if (usable.length > 0) return usable;
  return ways.length > 0 ? ways.slice(0, 1) : null;
}

function schemeOf(kind: string): string {
  const lower = kind.toLowerCase();
  return lower === 'proxy' ? 'http' : lower;
}
