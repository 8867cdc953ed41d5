import { expect, it } from 'vitest';
import { chooseWay, waysOfDesktop } from '../../../src/core/network/choose-way.ts';
import { proxyName, readProxyAddress } from '../../../src/contract/service/proxy-address.ts';
import { type Destination, isException, isLoopback } from '../../../src/core/network/no-proxy.ts';

const api = { protocol: 'https:', host: 'api.corp.test', port: 443 } as const;
const plain = { protocol: 'http:', host: 'api.corp.test', port: 80 } as const;
const system = { proxy: 'system', no_proxy: null };

/** The way in a few words. */
function way(...args: Parameters<typeof chooseWay>): string {
  const chosen = chooseWay(...args);
  if (chosen === null) return 'ask the desktop';
  switch (chosen.kind) {
    case 'direct':
      return 'direct';
    case 'invalid':
      return `${chosen.source} is invalid: ${chosen.problem}`;
    case 'proxy':
      return `${proxyName(chosen.proxy)} by ${chosen.source}`;
  }
}

it.each([
  [{}, 'ask the desktop'],
  [{ HTTPS_PROXY: 'http://a:1' }, 'a:1 by HTTPS_PROXY'],
  [{ https_proxy: 'http://b:2', HTTPS_PROXY: 'http://a:1' }, 'b:2 by https_proxy'],
  [{ https_proxy: '', HTTPS_PROXY: 'http://a:1' }, 'a:1 by HTTPS_PROXY'],
  [{ HTTP_PROXY: 'http://a:1' }, 'ask the desktop'],
  [{ ALL_PROXY: 'http://c:3' }, 'c:3 by ALL_PROXY'],
  [{ ALL_PROXY: 'socks5://c:3', HTTPS_PROXY: 'http://a:1' }, 'a:1 by HTTPS_PROXY'],
  [{ all_proxy: 'socks5h://c:3' }, 'all_proxy is invalid: socks'],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: '.corp.test' }, 'direct'],
  [{ HTTPS_PROXY: 'http://a:1', no_proxy: 'other', NO_PROXY: '.corp.test' }, 'a:1 by HTTPS_PROXY'],
  // Never around a proxy that was asked for.
  [{ HTTPS_PROXY: 'http://a:port' }, 'HTTPS_PROXY is invalid: not_an_address'],
])('the environment %j leads to an https service by %s', (environment, expected) => {
  expect(way(api, system, environment)).toBe(expected);
});

it('takes HTTP_PROXY for http only', () => {
  expect(way(plain, system, { HTTP_PROXY: 'a:1', HTTPS_PROXY: 'b:2' })).toBe('a:1 by HTTP_PROXY');
});

it('prefers the setting, and keeps the exceptions of the environment unless there are others', () => {
  const environment = { HTTPS_PROXY: 'http://a:1', NO_PROXY: 'api.corp.test' };
  const setting = { proxy: 'http://s:8080', no_proxy: null };
  expect(way(api, setting, {})).toBe('s:8080 by setting');
  expect(way(api, setting, environment)).toBe('direct');
  expect(way(api, { ...setting, no_proxy: 'other.test' }, environment)).toBe('s:8080 by setting');
  expect(way(api, { ...system, no_proxy: '' }, environment)).toBe('a:1 by HTTPS_PROXY');
  expect(way(api, { proxy: 'off', no_proxy: null }, { HTTPS_PROXY: 'http://a:1' })).toBe('direct');
});

it('never sends calls of this machine through a proxy', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    const here = { protocol: 'http:', host, port: 7682 } as const;
    expect(way(here, { proxy: 'http://s:1', no_proxy: '' }, { HTTP_PROXY: 'a:1' })).toBe('direct');
  }
});

it('reads what a desktop says, in its order', () => {
  const said = (answer: string) =>
    waysOfDesktop(answer)?.map((one) =>
      one.kind === 'proxy' ? `${one.proxy.scheme} ${proxyName(one.proxy)}` : one.kind,
    ) ?? null;
  expect(said('DIRECT')).toEqual(['direct']);
  expect(said('PROXY a:8080; HTTPS b:443; DIRECT')).toEqual(['http a:8080', 'https b:443', 'direct']);
  expect(said('SOCKS5 s:1080; PROXY a:8080')).toEqual(['http a:8080']);
  expect(said('SOCKS s:1080')).toEqual(['invalid']);
  expect(said('PROXY [fd00::1]:8080')).toEqual(['http [fd00::1]:8080']);
  expect(said('')).toBeNull();
});

it.each([
  ['http://proxy.corp.test:8080', 'http proxy.corp.test:8080'],
  ['proxy.corp.test:8080', 'http proxy.corp.test:8080'],
  [' http://Proxy.Corp.test:8080/ ', 'http proxy.corp.test:8080'],
  ['http://proxy', 'http proxy:80'],
  ['https://proxy', 'https proxy:443'],
  ['http://[fd00::1]:3128', 'http [fd00::1]:3128'],
  ['http://10.0.0.1:3128', 'http 10.0.0.1:3128'],
  ['http://u:p@proxy:1', 'http proxy:1 u:p'],
  // A domain of Windows before the user.
  ['http://CORP%5Cmary:p@proxy:1', 'http proxy:1 CORP\\mary:p'],
  ['http://u:p@ss@proxy:1', 'http proxy:1 u:p@ss'],
  ['http://u:p%40ss@proxy:1', 'http proxy:1 u:p@ss'],
  ['http://u:100%@proxy:1', 'http proxy:1 u:100%'],
  ['http://u:a%6q@proxy:1', 'http proxy:1 u:a%6q'],
  ['http://u:a%ff@proxy:1', 'http proxy:1 u:a%ff'],
  ['http://u:a/b#c?d:e@proxy:1', 'http proxy:1 u:a/b#c?d:e'],
  ['http://u:sch%C3%B6n@proxy:1', 'http proxy:1 u:schön'],
  ['http://only-user@proxy:1', 'http proxy:1 only-user:'],
])('reads “%s”', (text, expected) => {
  const read = readProxyAddress(text);
  if (!read.ok) throw new Error(read.problem);
  const { scheme, login } = read.value;
  const shown = login === null ? '' : ` ${login.user}:${login.password}`;
  expect(`${scheme} ${proxyName(read.value)}${shown}`).toBe(expected);
});

it.each([
  ['', 'not_an_address'],
  ['http://', 'not_an_address'],
  ['http://proxy:0', 'not_an_address'],
  ['http://proxy:70000', 'not_an_address'],
  ['http://pro xy:1', 'not_an_address'],
  ['http://proxy:1\r\nX-Y: z', 'not_an_address'],
  ['http://[proxy]:1', 'not_an_address'],
  ['http:proxy:1', 'not_an_address'],
  ['socks5://proxy:1080', 'socks'],
  ['ftp://proxy:21', 'scheme'],
  ['http://proxy.corp.test/proxy.pac', 'path'],
])('refuses “%s”: %s', (text, problem) => {
  expect(readProxyAddress(text)).toEqual({ ok: false, problem });
});

function to(host: string, port = 443): Destination {
  return { protocol: 'https:', host, port };
}

it.each([
  ['corp.test', 'corp.test'],
  ['corp.test', 'api.corp.test'],
  ['.corp.test', 'api.corp.test'],
  // As in curl: the dot is for those who read it as "and below".
  ['.corp.test', 'corp.test'],
  ['*.corp.test', 'api.corp.test'],
  ['*.corp.test', 'a.b.corp.test'],
  ['CORP.test', 'api.corp.test'],
  ['corp.test.', 'api.corp.test'],
  ['corp.test', 'api.corp.test.'],
  ['other.test, corp.test', 'corp.test'],
  ['other.test corp.test', 'corp.test'],
  ['other.test;corp.test', 'corp.test'],
  [',,corp.test,', 'corp.test'],
  ['https://corp.test/', 'corp.test'],
  ['*', 'anything.test'],
  ['api-*.corp.test', 'api-7.corp.test'],
  ['<local>', 'intranet'],
  ['corp.test:443', 'api.corp.test'],
  ['10.1.2.3', '10.1.2.3'],
  ['10.1.2.3:443', '10.1.2.3'],
  ['10.0.0.0/8', '10.200.1.1'],
  ['192.168.1.128/25', '192.168.1.200'],
  ['0.0.0.0/0', '8.8.8.8'],
  ['10.0.0.8-10.0.0.11', '10.0.0.10'],
  ['fd00::1-fd00::f', 'fd00::a'],
  ['"other.test,corp.test"', 'corp.test'],
  ["'corp.test'", 'corp.test'],
  ['localhost|*.corp.test', 'api.corp.test'],
  ['10.*', '10.1.2.3'],
  ['::1', '::1'],
  ['[fd00::1]', 'fd00::1'],
  ['[fd00::1]:443', 'fd00::1'],
  ['fd00:0:0:0:0:0:0:1', 'fd00::1'],
  ['fd00::/8', 'fd12:3456::7'],
  ['10.0.0.0/8', '::ffff:a00:1'],
])('“%s” has %s', (list, host) => {
  expect(isException(list, to(host))).toBe(true);
});

it.each([
  ['', 'corp.test'],
  ['corp.test', 'notcorp.test'],
  ['corp.test', 'corp.test.evil.example'],
  ['.corp.test', 'notcorp.test'],
  ['api.corp.test', 'corp.test'],
  ['corp.test:8443', 'corp.test'],
  ['[fd00::1]:8443', 'fd00::1'],
  ['<local>', 'intranet.corp.test'],
  ['<local>', '10.1.2.3'],
  ['10.0.0.0/8', '11.0.0.1'],
  // A range is about addresses: names are not looked up to find out.
  ['10.0.0.0/8', '10.corp.test'],
  ['10.0.0.0/33', '10.0.0.1'],
  ['10.0.0.8-10.0.0.11', '10.0.0.12'],
  ['10.0.0.8-10.0.0.11', 'fd00::a'],
  ['10.0.0.8-10.0.0.11', '10.0.0.10.corp.test'],
  ['fd00::/8', 'fe00::1'],
  ['0.3.4', '10.0.3.4'],
  ['api-*.corp.test', 'api.corp.test'],
  ['.', 'corp.test'],
  ['1::2::3', '1::2'],
])('“%s” does not have %s', (list, host) => {
  expect(isException(list, to(host))).toBe(false);
});

it.each(['localhost', 'app.localhost', 'localhost.', '127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
  '%s is this machine',
  (host) => expect(isLoopback(host)).toBe(true),
);

it.each(['localhost.corp.test', '128.0.0.1', '::2', '127.corp.test', 'notlocalhost'])(
  '%s is another machine',
  (host) => expect(isLoopback(host)).toBe(false),
);
