/*
 * Which addresses may be called, in one place: `outgoing.ts` asks for every connection that it opens.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Where no service is: this machine's links, and what a cloud tells its machines, tokens included. */
const neverReached = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['2001::', 32], // Teredo, whose servers and clients are IPv4 addresses
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['fd00:ec2::', 32],
  ['fd00:42::42', 128],
  ['fd20:ce::254', 128],
]);
/** Loopback, private and carrier networks. */
const privateNetworks = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['::1', 128],
  ['fc00::', 7],
]);
const metadataNames: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data.ec2.internal',
  'instance-data',
  'metadata.tencentyun.com',
]);

function listOf(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of networks) {
    list.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Whether a connection to an address may be opened. IPv4 inside of IPv6 is IPv4, and what is no address leads nowhere. */
function isReachable(address: string, isPrivateAllowed: boolean): boolean {
  const inner = innerAddress(address);
  if (isIP(inner) === 0) return false;
  const family = isIP(inner) === 6 ? 'ipv6' : 'ipv4';
  if (neverReached.check(inner, family)) return false;
  return isPrivateAllowed || !privateNetworks.check(inner, family);
}

/**
 * The IPv4 address that an IPv4-mapped or translated, 6to4, NAT64 (RFC 6052, 8215) or ISATAP address (RFC 5214) leads to; otherwise the
 * address itself.
 */
function innerAddress(address: string): string {
  const [bare = ''] = address.split('%', 1);
  if (isIP(bare) !== 6) return bare;
  const groups = groupsOf(bare);
  const leads = (prefix: readonly number[]) => prefix.every((group, at) => groups[at] === group);
  const v4 = (at: number) => {
    const [high = 0, low = 0] = groups.slice(at, at + 2);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  };
  if (leads([0, 0, 0, 0, 0, 0xffff]) || leads([0, 0, 0, 0, 0xffff, 0])) return v4(6);
  if (leads([0x64, 0xff9b, 0, 0, 0, 0]) || leads([0x64, 0xff9b, 1])) return v4(6);
  if (leads([0, 0, 0, 0, 0, 0]) && !leads([0, 0, 0, 0, 0, 0, 0])) return v4(6);
  const [, , , , group4 = 0, group5] = groups;
  if ((group4 & 0xfdff) === 0 && group5 === 0x5efe) return v4(6);
  return leads([0x2002]) ? v4(1) : bare;
}

function groupsOf(address: string): readonly number[] {
  const dotted = /(?<=:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text =
    dotted === null
      ? address
      : address.slice(0, dotted.index) +
        [Number(dotted[1]) * 256 + Number(dotted[2]), Number(dotted[3]) * 256 + Number(dotted[4])]
          .map((group) => group.toString(16))
          .join(':');
  const [before = '', after] = text.split('::', 2);
  const parsed = (part: string) =>
    part === '' ? [] : part.split(':').map((one) => Number.parseInt(one, 16));
  if (after === undefined) return parsed(before);
  const [left, right] = [parsed(before), parsed(after)];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/** Names that exist in private networks only: whoever writes one means such a network (RFC 6762, 6761, 8375, 9476). */
const privateEndings = [
  'localhost',
  'local',
  'internal',
  'lan',
  'home',
  'corp',
  'intranet',
  'private',
  'home.arpa',
  'test',
];

/** Whether the address of a service itself names a private network: by an address, or by a name that exists only there. */
export function namesPrivateNetwork(hostname: string): boolean {
  const host = bareHost(hostname);
  if (isIP(host) !== 0) return !isReachable(host, false);
  if (!host.includes('.')) return true;
  return privateEndings.some((ending) => host.endsWith(`.${ending}`));
}

/** Whether a host is refused before it is looked up: a literal address is never looked up. */
export function isRefusedHost(hostname: string): boolean {
  const host = bareHost(hostname);
  return metadataNames.has(host) || (isIP(host) !== 0 && !isReachable(host, true));
}

function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

export const addressRefused = 'ROTAVOX_ADDRESS_REFUSED';

/**
 * Looks a name up once and gives only addresses that may be reached: exactly these are dialled, so that no second answer of
 * the name can lead elsewhere.
 */
export function checkedLookup(
  isPrivateAllowed: boolean,
  lookup: LookupFunction = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: LookupAddress[] = Array.isArray(found) ? found : [];
      const reachable = addresses.filter(({ address }) => isReachable(address, isPrivateAllowed));
      const [first] = reachable;
      if (error !== null || first === undefined) {
        const refusal = Object.assign(new Error(addressRefused), { code: addressRefused });
        callback(error ?? refusal, options.all === true ? [] : '');
      } else if (options.all === true) callback(null, reachable);
      else callback(null, first.address, first.family);
    });
  };
}
