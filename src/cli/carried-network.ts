import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { noProxyVariables, proxyVariables } from '../contract/service/network.ts';
import {
  type ProxyAddress,
  proxyName,
  proxyUrl,
  readProxyAddress,
} from '../contract/service/proxy-address.ts';
import type { SettingsChange } from '../contract/service/settings.ts';
import { proxyAddressText } from '../text/service/network-text.ts';
import { failure } from './service-runner.ts';
import { openPortal } from './open-portal.ts';

/** What a terminal says about the network, which a service that the system starts would not know. */
export interface CarriedNetwork {
  readonly proxy: ProxyAddress | null;
  readonly noProxy: string | null;
  readonly certificates: string | null;
}

/** Reads it, and throws a failure for what could not be used. */
export function networkOf(
  env: NodeJS.ProcessEnv,
  { mayRead }: { readonly mayRead: (file: string) => boolean },
): CarriedNetwork {
  const named = firstOf([...proxyVariables['https:'], ...proxyVariables['http:']], env);
  const read = named === null ? null : readProxyAddress(named.value);
  if (named !== null && read?.ok === false)
    throw failure({ code: 'proxy_invalid', variable: named.name, because: proxyAddressText(read.problem) });
  const file = firstOf(['NODE_EXTRA_CA_CERTS'], env)?.value;
  const certificates = file === undefined ? null : resolve(file);
  if (certificates !== null && !(existsSync(certificates) && mayRead(certificates)))
    throw failure({ code: 'certificates_unreadable', file: certificates });
  return {
    proxy: read?.ok === true ? read.value : null,
    noProxy: firstOf(noProxyVariables, env)?.value ?? null,
    certificates,
  };
}

function firstOf(names: readonly string[], env: NodeJS.ProcessEnv) {
  for (const name of names) {
    const value = env[name]?.trim() ?? '';
    if (value !== '') return { name, value };
  }
  return null;
}

/**
 * Gives it to the service of a data folder as its settings, which name no secret; the login of a proxy goes into its vault. What was
 * set there before stays. Returns what was taken over, for people.
 */
export async function carryNetwork(
  { proxy, noProxy, certificates }: CarriedNetwork,
  dataDir: string,
): Promise<readonly string[]> {
  if (proxy === null && certificates === null) return [];
  const portal = openPortal({ dataDir });
  const now = await portal.ask('readSettings');
  const takesProxy = proxy !== null && now.proxy === 'system';
  const takesCertificates = certificates !== null && now.certificates === null;
  const change: SettingsChange = {
    ...(takesProxy ? { proxy: proxyUrl(proxy) } : {}),
    ...(takesProxy && noProxy !== null && now.no_proxy === null ? { no_proxy: noProxy } : {}),
    ...(takesCertificates ? { certificates } : {}),
  };
  if (Object.keys(change).length === 0) return [];
  await portal.ask('changeSettings', { body: change });
  if (takesProxy && proxy.login !== null) await portal.ask('setProxyLogin', { body: proxy.login });
  return [...(takesProxy ? [proxyName(proxy)] : []), ...(takesCertificates ? [certificates] : [])];
}
