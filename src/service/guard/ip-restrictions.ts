import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { TokenConfiguration } from '../../contract/token.ts';

const listsByConfiguration = new WeakMap<TokenConfiguration, BlockList>();

/** Whether a configuration's IP restrictions let an address in. None restrict nobody; an unknown address is let in by none. */
export function isAllowedAddress(configuration: TokenConfiguration, address: string): boolean {
  if (configuration.ip_restrictions.length === 0) return true;
  let list = listsByConfiguration.get(configuration);
  if (list === undefined) {
    list = listOf(configuration.ip_restrictions);
    listsByConfiguration.set(configuration, list);
  }
  if (isIPv4(address)) return list.check(address, 'ipv4');
  return isIPv6(address) && list.check(address, 'ipv6');
}

/** The address of a peer as people write it: an IPv4 caller on an IPv6 socket is an IPv4 caller. */
export function plainAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return '';
  return remoteAddress.startsWith('::ffff:') && isIPv4(remoteAddress.slice(7))
    ? remoteAddress.slice(7)
    : remoteAddress;
}

function listOf(restrictions: readonly string[]): BlockList {
  const list = new BlockList();
  for (const restriction of restrictions) {
    const [address = '', prefix] = restriction.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
