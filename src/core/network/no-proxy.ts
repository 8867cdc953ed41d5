/** Where a call goes, as the address of a service says it. */
export interface Destination {
  readonly protocol: 'http:' | 'https:';
  /** In lower case; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Whether a host is this machine: calls to it go through no proxy. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const bits = bitsOf(name);
  return bits !== null && (isWithin(bits, '127.0.0.0', 8) || isWithin(bits, '::1', 128));
}

/**
 * Whether a list of exceptions (`NO_PROXY`) has a destination.
 *
 * Entries are divided by commas, `;`, spaces or, as for Java, `|`, and files of Docker leave the quotation marks around them. An entry is a name,
 * which also stands for what is below it, with or without a dot or `*.` before it; an address; a range such as `10.0.0.0/8` or
 * `10.0.0.1-10.0.0.99` (Node), for hosts that are written as addresses; a name with `*` in it; or `<local>` for names without a dot. Each may have a
 * port, if only that port is meant. Programs differ in what they read there, so everything is read that one of them reads.
 */
export function isException(list: string, destination: Destination): boolean {
  return list
    .split(/[\s,;|"']+/)
    .filter((entry) => entry !== '')
    .some((entry) => covers(entry.toLowerCase(), destination));
}

function covers(entry: string, { host, port }: Destination): boolean {
  const name = host.replace(/\.$/, '');
  const bits = bitsOf(name);
  if (entry === '*') return true;
  if (entry === '<local>') return bits === null && !name.includes('.');
  const meant = entry.replace(/^[a-z][a-z0-9+.-]*:\/\//, '');
  const [, rangeStart, prefix] = /^\[?([0-9a-f:.]+)\]?\/(\d{1,3})$/.exec(meant) ?? [];
  if (rangeStart !== undefined) return bits !== null && isWithin(bits, rangeStart, Number(prefix));
  const [from = null, to = null, ...more] = meant.split('-').map(bitsOf);
  if (from !== null && to !== null && more.length === 0) {
    return bits?.length === from.length && from.length === to.length && from <= bits && bits <= to;
  }
  const [named = ''] = meant.split('/', 1);
  const { host: entryHost, port: entryPort } = withoutPort(named);
  if (entryPort !== null && entryPort !== port) return false;
  const entryBits = bitsOf(entryHost);
  if (entryBits !== null) return bits === entryBits;
  const suffix = entryHost.replace(/^\*?\.|\.$/g, '');
  if (suffix === '') return false;
  if (suffix.includes('*')) return isLike(name, suffix);
  return name === suffix || (bits === null && name.endsWith(`.${suffix}`));
}

function withoutPort(entry: string): { host: string; port: number | null } {
  const [, inBrackets, afterBrackets] = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry) ?? [];
  if (inBrackets !== undefined) return { host: inBrackets, port: portOf(afterBrackets) };
  // More than one colon: an IPv6 address without brackets, which has no port.
  const [, host, port] = /^([^:]*):(\d+)$/.exec(entry) ?? [];
  return host === undefined ? { host: entry, port: null } : { host, port: portOf(port) };
}

function portOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** Whether a name is a pattern in which `*` stands for any text. */
function isLike(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const found = index === rest.length - 1 ? name.length - part.length : name.indexOf(part, at);
    if (found < at || !name.startsWith(part, found)) return false;
    at = found + part.length;
  }
  return true;
}

function isWithin(bits: string, start: string, prefix: number): boolean {
  const first = bitsOf(start);
  if (first?.length !== bits.length) return false;
  return prefix <= first.length && bits.startsWith(first.slice(0, prefix));
}

/** The bits of an IP address as text: 32 or 128 of them; null for a name. IPv4 inside of IPv6 is IPv4. */
function bitsOf(address: string): string | null {
  const [bare = ''] = address.split('%', 1);
  if (!bare.includes(':')) return bitsOfV4(bare);
  const dotted = /(?<=:)\d+\.\d+\.\d+\.\d+$/.exec(bare)?.[0] ?? '';
  const tail = dotted === '' ? '' : bitsOfV4(dotted);
  const head = bare.slice(0, bare.length - dotted.length);
  // The colon before the dotted part divides it from a group, unless it ends `::`.
  const [before, after, ...more] = (dotted === '' ? head : head.replace(/(?<!:):$/, '')).split('::');
  const left = bitsOfGroups(before ?? '');
  const right = bitsOfGroups(after ?? '');
  if (tail === null || left === null || right === null || more.length > 0) return null;
  const missing = 128 - left.length - right.length - tail.length;
  if (after === undefined ? missing !== 0 : missing < 0) return null;
  const bits = `${left}${'0'.repeat(missing)}${right}${tail}`;
  const mapped = `${'0'.repeat(80)}${'1'.repeat(16)}`;
  return bits.startsWith(mapped) ? bits.slice(mapped.length) : bits;
}

function bitsOfGroups(part: string): string | null {
  if (part === '') return '';
  const groups = part.split(':');
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}

function bitsOfV4(address: string): string | null {
  const parts = address.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255))
    return null;
  return parts.map((part) => Number(part).toString(2).padStart(8, '0')).join('');
}
