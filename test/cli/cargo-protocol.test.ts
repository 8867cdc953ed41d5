import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cargoAnswer, readCargoRequest } from '../../src/cli/connect/tool-protocols.ts';
import { indexAddress } from '../../src/contract/credential/connected-tools.ts';

const registry = { 'index-url': 'sparse+https://crates.example.com/index/', name: 'crates' };
const request = (more: object = {}) => JSON.stringify({ v: 1, registry, kind: 'get', ...more });

describe('a request of cargo', () => {
  it('names its kind and the address of the index', () => {
    const url = 'https://crates.example.com/index/';
    expect(readCargoRequest(request())).toEqual({ kind: 'get', url });
    expect(readCargoRequest(request({ kind: 'login', token: 'of-me' }))).toEqual({ kind: 'login', url });
    expect(readCargoRequest(request({ registry: { 'index-url': url } }))).toEqual({ kind: 'get', url });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['no registry', request({ registry: null })],
    ['a registry without an index', request({ registry: { name: 'crates' } })],
    ['another version', request({ v: 2 })],
    ['no kind', request({ kind: undefined })],
    ['too much', request({ more: 'x'.repeat(64 * 1024) })],
  ])('is none: %s', (_what, line) => {
    expect(readCargoRequest(line)).toBeNull();
  });

  it('is whatever comes, or none', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (line) => void readCargoRequest(line)));
  });
});

describe('an answer to cargo', () => {
  const token = {
    username: 'crates',
    value: 'sec"ret',
    scheme: 'plain',
    usable_until: '2026-01-10T12:00:00.900Z',
    generation: 1,
  } as const;

  it('is all of the header, and says until when', () => {
    expect(JSON.parse(cargoAnswer(token))).toEqual({
      Ok: {
        kind: 'get',
        token: 'sec"ret',
        cache: 'expires',
        expiration: Date.parse('2026-01-10T12:00:00Z') / 1000,
        operation_independent: true,
      },
    });
  });

  it('has the word Bearer where the registry wants it', () => {
    expect(JSON.parse(cargoAnswer({ ...token, scheme: 'bearer' }))).toMatchObject({
      Ok: { token: 'Bearer sec"ret' },
    });
  });
});

it('reads the address of an index that is no repository of git', () => {
  expect(indexAddress('sparse+https://crates.example.com/')).toBe('https://crates.example.com/');
  expect(indexAddress('https://crates.example.com/index.git')).toBe('https://crates.example.com/index.git');
});
