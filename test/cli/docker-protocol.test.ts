import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dockerAddresses,
  dockerAnswer,
  dockerServer,
  dockerServers,
  readDockerServer,
} from '../../src/cli/connect/tool-protocols.ts';

const read = (text: string) => readDockerServer(Buffer.from(text));

describe('a registry that docker names', () => {
  it.each([
    ['a host', 'reg.example.com\n', ['https://reg.example.com']],
    ['a host with a port', 'reg.example.com:5050', ['https://reg.example.com:5050']],
    ['the old address of Docker Hub', 'https://index.docker.io/v1/', ['https://index.docker.io/v1/']],
    ['the short name of Docker Hub', 'docker.io', ['https://index.docker.io', 'https://docker.io']],
    ['this machine', 'localhost:5000', ['https://localhost:5000', 'http://localhost:5000']],
    ['this machine in IPv6', '[::1]:5000', ['https://[::1]:5000', 'http://[::1]:5000']],
    ['a name that only begins so', 'localhost.example.com', ['https://localhost.example.com']],
  ])('is read and asked for: %s', (_what, text, addresses) => {
    const server = read(text);
    expect(server).toBe(text.trim());
    expect(dockerAddresses(server ?? '')).toEqual(addresses);
  });

  it.each([
    ['a user', 'me@reg.example.com'],
    ['a line break', 'reg.example.com\nevil.test'],
    ['a zero byte', 'reg.example.com\0'],
    ['http to another machine', 'http://reg.example.com'],
    ['other bytes', 'r\u00e9g.example.com'],
    ['too much', 'x'.repeat(64 * 1024 + 1)],
  ])('is none: %s', (_what, text) => {
    expect(read(text)).toBeNull();
  });

  it('is called as docker calls it', () => {
    expect(dockerServer('https://reg.example.com:5050')).toBe('reg.example.com:5050');
    expect(dockerServer('http://127.0.0.1:5000')).toBe('127.0.0.1:5000');
    expect(dockerServer('https://index.docker.io')).toBe('https://index.docker.io/v1/');
    expect(dockerServers('https://index.docker.io')).toEqual(['https://index.docker.io/v1/', 'docker.io']);
  });

  it('is whatever comes, or none, and is asked for by https, or on this machine', () => {
    const part = fc.constantFrom(
      'localhost',
      '127.0.0.1',
      '::1',
      '[',
      ']',
      ':',
      '/',
      '@',
      '.',
      'https://',
      'http://',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ unit: 'binary' }))), (parts) => {
        const server = read(parts.join(''));
        for (const address of server === null ? [] : dockerAddresses(server))
          expect(/^https:\/\/|^http:\/\/(?:localhost|127\.|\[::1\])/.test(address)).toBe(true);
      }),
    );
  });
});

it('answers docker with JSON', () => {
  const token = {
    username: 'me"',
    value: 'a\\b',
    scheme: 'basic',
    usable_until: '2026-01-10T12:00:00.000Z',
    generation: 1,
  } as const;
  expect(JSON.parse(dockerAnswer('reg.example.com', token))).toEqual({
    ServerURL: 'reg.example.com',
    Username: 'me"',
    Secret: 'a\\b',
  });
});
