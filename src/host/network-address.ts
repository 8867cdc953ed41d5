import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { loopbackNames } from '../contract/address.ts';

export interface ListenAddress {
  /** An IP address, IPv6 without brackets, or a name. */
  readonly host: string;
  readonly port: number;
}

/** How other machines reach the service. */
export interface NetworkOptions {
  readonly listen: ListenAddress;
  /** As in a Host header, in lower case; without a port the usual one, or the one that is listened on. */
  readonly allowedHosts: readonly string[];
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Addresses and ranges (CIDR) of proxies. */
  readonly trustedProxies: readonly string[];
}

const largestPort = 65_535;
const httpsPort = 443;

/** `10.0.0.5:7682`, `[::1]:7682`, `db1.example.com:7682`; null for any other text. */
export function readListenAddress(text: string): ListenAddress | null {
  const [, inBrackets, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > largestPort) return null;
  if (inBrackets !== undefined) return isIPv6(inBrackets) ? { host: inBrackets, port } : null;
  const host = plain === undefined ? null : readName(plain);
  return host === null ? null : { host, port };
}

/** A name or an address with or without a port, as a Host header has it; null for any other text. */
export function readHostName(text: string): string | null {
  const [, inBrackets, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? httpsPort : Number(digits);
  if (port === 0 || port > largestPort) return null;
  if (inBrackets !== undefined) return isIPv6(inBrackets) ? withPort(inBrackets, port) : null;
  const host = plain === undefined ? null : readName(plain);
  return host === null ? null : withPort(host, port);
}

/** Whether it is an address or a range of addresses, not of all of them. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}

const loopbackRange = new BlockList();
loopbackRange.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackRange.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return loopbackNames.includes(host);
  return loopbackRange.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
}

/** Whether it means every address of the machine, and so is no name for it. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || (isIPv6(host) && inUrl(host) === '[::]');
}

/** What a Host header may be on a service that listens on this port; the name for people is the first. */
export function namesOf(
  { listen: { host }, allowedHosts, tls, trustedProxies }: NetworkOptions,
  port: number,
): string[] {
  const given = allowedHosts.flatMap((name) => {
    if (hasPort(name) || tls === null) return [name];
    const own = withPort(name.replace(/^\[(.*)\]$/, '$1'), port);
    return trustedProxies.length > 0 ? [name, own] : [own, name];
  });
  return [...new Set([...given, ...ownNames(host).map((name) => withPort(name, port))])];
}

/** The names for what a service listens on, without its port. */
function ownNames(host: string): string[] {
  if (isLoopback(host)) return [host, ...loopbackNames];
  return isEveryAddress(host) ? [] : [host];
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name) && !name.endsWith(']');
}

function withPort(host: string, port: number): string {
  return port === httpsPort ? inUrl(host) : `${inUrl(host)}:${port}`;
}

/** IPv6 in brackets and in its short form, as browsers send it. */
function inUrl(host: string): string {
  return isIPv6(host) ? new URL(`http://[${host}]`).hostname : host;
}

/** A name or an IPv4 address in the form that a browser sends. */
function readName(text: string): string | null {
  // The conversion would leave out what follows these, as in an address of a page.
  if (/[\s/?#@\\%]/.test(text)) return null;
  const name = domainToASCII(text).toLowerCase();
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name) ? name : null;
}
