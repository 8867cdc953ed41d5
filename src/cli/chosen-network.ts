import { InvalidArgumentError } from 'commander';
import { resolve } from 'node:path';
import {
  isAddressRange,
  isEveryAddress,
  isLoopback,
  type ListenAddress,
  type NetworkOptions,
  readHostName,
  readListenAddress,
} from '../host/network-address.ts';
import { networkText } from '../text/cli/cli-service.ts';
import { hostText } from '../text/service/host-text.ts';
import { wrongUsage } from './command-failure.ts';

/** The options of `serve` that say where it listens. */
export interface AddressOptions {
  readonly host?: string;
  readonly port?: number;
  readonly listen?: ListenAddress;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: readonly string[];
  readonly allowHost?: readonly string[];
}

/** Where the service listens. */
export interface ChosenAddress {
  readonly hostname: string | undefined;
  readonly port: number | undefined;
  readonly network: NetworkOptions | undefined;
}

/** What the options mean together. Throws wrong usage. */
export function chosenAddress(options: AddressOptions): ChosenAddress {
  const { host, port, listen, tlsCert, tlsKey, behindProxy = [], allowHost = [] } = options;
  if (tlsCert === '' || tlsKey === '') throw wrongUsage(networkText.noFile);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw wrongUsage(networkText.oneOfTwo);
  const tls =
    tlsCert === undefined || tlsKey === undefined
      ? null
      : { certFile: resolve(tlsCert), keyFile: resolve(tlsKey) };
  const isProtected = tls !== null || behindProxy.length > 0;
  if (listen === undefined) {
    if (isProtected || allowHost.length > 0) throw wrongUsage(networkText.listenMissing);
    return { hostname: host, port, network: undefined };
  }
  if (!isProtected) {
    if (!isLoopback(listen.host)) throw wrongUsage(hostText.unprotected(listen.host));
    if (allowHost.length > 0) throw wrongUsage(networkText.loopbackNames);
    if (host !== undefined || port !== undefined) throw wrongUsage(networkText.twoAddresses);
    return { hostname: listen.host, port: listen.port, network: undefined };
  }
  if (allowHost.length === 0 && (tls === null || isEveryAddress(listen.host)))
    throw wrongUsage(hostText.noHostNames(listen.host));
  const network = { listen, tls, trustedProxies: behindProxy, allowedHosts: allowHost };
  return { hostname: host, port, network };
}

export function listenAddressOf(text: string): ListenAddress {
  const address = readListenAddress(text);
  if (address === null) throw new InvalidArgumentError(networkText.badAddress);
  return address;
}

export function addressRangesOf(text: string, before: readonly string[] = []): string[] {
  if (!isAddressRange(text)) throw new InvalidArgumentError(networkText.badRange);
  return [...before, text];
}

export function hostNamesOf(text: string, before: readonly string[] = []): string[] {
  const name = readHostName(text);
  if (name === null) throw new InvalidArgumentError(networkText.badName);
  return [...before, name];
}
