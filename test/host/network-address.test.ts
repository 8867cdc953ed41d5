import { describe, expect, it } from 'vitest';
import {
  isAddressRange,
  isEveryAddress,
  isLoopback,
  namesOf,
  readHostName,
  readListenAddress,
} from '../../src/host/network-address.ts';

describe('an address to listen on', () => {
  it.each([
    ['10.0.0.5:7682', { host: '10.0.0.5', port: 7682 }],
    ['[::1]:7682', { host: '::1', port: 7682 }],
    ['[::]:0', { host: '::', port: 0 }],
    ['DB1.example.com:443', { host: 'db1.example.com', port: 443 }],
    ['7682', null],
    [':7682', null],
    ['::1:7682', null],
    ['[10.0.0.5]:7682', null],
    ['10.0.0.5:65536', null],
    ['10.0.0.5:http', null],
    ['https://10.0.0.5:7682', null],
    ['a b:7682', null],
  ])('%s', (text, address) => {
    expect(readListenAddress(text)).toEqual(address);
  });

  it('is one of this machine, every one, or one for other machines', () => {
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      expect(isLoopback(host), host).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.5', 'example.com'])
      expect(isLoopback(host), host).toBe(false);
    for (const host of ['0.0.0.0', '::', '0:0::0']) expect(isEveryAddress(host), host).toBe(true);
    expect(isEveryAddress('10.0.0.5')).toBe(false);
  });
});

describe('a name by which the service is called', () => {
  it.each([
    ['rotavox.example.com', 'rotavox.example.com'],
    ['Rotavox.Example.com:8443', 'rotavox.example.com:8443'],
    ['rotavox.example.com:443', 'rotavox.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['[2001:DB8:0:0::1]:8443', '[2001:db8::1]:8443'],
    ['10.0.0.5', '10.0.0.5'],
    ['*.example.com', null],
    ['https://rotavox.example.com', null],
    ['rotavox.example.com/', null],
    ['rotavox.example.com:0', null],
    ['', null],
  ])('%s', (text, name) => {
    expect(readHostName(text)).toBe(name);
  });

  const tls = { certFile: 'c', keyFile: 'k' };
  it.each([
    ['0.0.0.0', ['a.example'], tls, [], ['a.example:7682', 'a.example']],
    ['10.0.0.5', [], tls, [], ['10.0.0.5:7682']],
    ['10.0.0.5', ['a.example:8443'], tls, [], ['a.example:8443', '10.0.0.5:7682']],
    ['10.0.0.5', ['a.example'], null, ['10.0.0.2'], ['a.example', '10.0.0.5:7682']],
    ['::', ['[2001:db8::1]'], tls, ['10.0.0.2'], ['[2001:db8::1]', '[2001:db8::1]:7682']],
    ['::1', [], tls, [], ['[::1]:7682', '127.0.0.1:7682', 'localhost:7682']],
  ])('on %s with %j', (host, allowedHosts, certificate, trustedProxies, names) => {
    const options = { listen: { host, port: 0 }, allowedHosts, tls: certificate, trustedProxies };
    expect(namesOf(options, 7682)).toEqual(names);
  });

  it('has no port if that is the usual one', () => {
    const options = {
      listen: { host: '10.0.0.5', port: 443 },
      allowedHosts: ['a.example'],
      tls,
      trustedProxies: [],
    };
    expect(namesOf(options, 443)).toEqual(['a.example', '10.0.0.5']);
  });
});

describe('the addresses of proxies', () => {
  it.each(['10.0.0.2', '10.0.0.0/8', '2001:db8::/32', '::1'])('%s', (text) => {
    expect(isAddressRange(text)).toBe(true);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/', '10.0.0', 'proxy.example', '', '10.0.0.0/8/8'])(
    'are not %s',
    (text) => {
      expect(isAddressRange(text)).toBe(false);
    },
  );
});
