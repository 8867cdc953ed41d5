import { useQueryClient } from '@tanstack/react-query';
import type { ProxyView } from '../../../contract/credential/proxy.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';
import { changeKnown } from '../../kit/live/window-cache.ts';

/** What may be sent with a credential through the proxy, and which apps do. */
export function proxyOf(name: string): Resource<ProxyView> {
  return {
    key: ['credentials', 'proxy', name],
    about: ['proxy.'],
    read: (signal) => askPortal('readProxy', { params: { name }, signal }),
  };
}

/** Shows what the answer to our own change says at once. */
export function useKnownProxy(name: string): (now: ProxyView) => void {
  const cache = useQueryClient();
  return (now) => changeKnown(cache, proxyOf(name), () => now);
}
