import { app, session, type ProxyConfig } from 'electron';
import type { Settings } from '../contract/settings.ts';

/**
 * What the desktop says about the proxy for an address, in the words of a PAC file: Chromium reads the settings of the system, and
 * runs its PAC file where there is one.
 */
export async function askDesktop(url: string): Promise<string> {
  await app.whenReady();
  return session.fromPartition('network').resolveProxy(url);
}

/** The same settings for what Chromium itself requests. */
export function proxyConfigOf({
  proxy,
  no_proxy: exceptions,
}: Pick<Settings, 'proxy' | 'no_proxy'>): ProxyConfig {
  if (proxy === 'off') return { mode: 'direct' };
  if (proxy === 'system') return { mode: 'system' };
  return {
    mode: 'fixed_servers',
    proxyRules: proxy,
    ...(exceptions === null ? {} : { proxyBypassRules: exceptions.replace(/[\s;]+/g, ',') }),
  };
}
