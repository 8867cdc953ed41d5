import { expect, it } from 'vitest';
import { type Destination, isException, isLoopback } from '../../../src/core/network/no-proxy.ts';

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
