import { describe, expect, it } from 'vitest';
import { type AddressOptions, chosenAddress } from '../../src/cli/chosen-network.ts';

const everywhere = { host: '0.0.0.0', port: 7682 };
const here = { host: '127.0.0.1', port: 7001 };
const tls = { tlsCert: 'cert.pem', tlsKey: 'key.pem' };
const name = { allowHost: ['rotavox.example.com'] };

describe('where serve listens', () => {
  it('is on loopback without --listen, and with one that names loopback', () => {
    expect(chosenAddress({ host: '::1', port: 0 })).toEqual({ hostname: '::1', port: 0, network: undefined });
    expect(chosenAddress({ listen: here })).toEqual({
      hostname: '127.0.0.1',
      port: 7001,
      network: undefined,
    });
  });

  it('is an address for other machines beside it, with TLS or behind a proxy', () => {
    const chosen = chosenAddress({ listen: everywhere, ...tls, ...name, port: 7681 });
    expect(chosen).toMatchObject({ hostname: undefined, port: 7681 });
    expect(chosen.network).toMatchObject({
      listen: everywhere,
      allowedHosts: name.allowHost,
      trustedProxies: [],
    });
    expect(chosen.network?.tls?.certFile).toMatch(/^\/.*cert\.pem$/);
    const proxied = chosenAddress({ listen: here, behindProxy: ['127.0.0.1'], ...name });
    expect(proxied.network).toMatchObject({ tls: null, trustedProxies: ['127.0.0.1'] });
    // One address is a name by itself.
    expect(chosenAddress({ listen: { host: '10.0.0.5', port: 443 }, ...tls }).network?.allowedHosts).toEqual(
      [],
    );
  });

  it.each<[string, AddressOptions, string]>([
    [
      'another machine without TLS or a proxy',
      { listen: everywhere, ...name },
      'Add --tls-cert and --tls-key',
    ],
    ['a certificate without its key', { listen: everywhere, tlsCert: 'c', ...name }, 'belong together'],
    ['a key without a certificate', { listen: everywhere, tlsKey: 'k', ...name }, 'belong together'],
    ['an empty file', { listen: everywhere, tlsCert: '', tlsKey: 'k' }, 'each need a file'],
    ['TLS without an address', { ...tls }, 'add --listen'],
    ['a proxy without an address', { behindProxy: ['10.0.0.2'] }, 'add --listen'],
    ['a name without an address', { ...name }, 'add --listen'],
    ['every address without a name', { listen: everywhere, ...tls }, 'Name it with --allow-host'],
    ['a proxy without a name', { listen: here, behindProxy: ['10.0.0.2'] }, 'Name it with --allow-host'],
    ['a name on loopback', { listen: here, ...name }, 'leave out --allow-host'],
    ['two ports on loopback', { listen: here, port: 7002 }, 'use either --listen or --host and --port'],
  ])('is wrong usage with %s', (_what, options, message) => {
    expect(() => chosenAddress(options)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) as string }) as Error,
    );
  });
});
