import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kubectlAnswer, readKubectlRequest } from '../../src/cli/connect/tool-protocols.ts';

const apiVersion = 'client.authentication.k8s.io/v1';
const request = (more: object = {}) =>
  JSON.stringify({
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server: 'https://cluster.example.com:6443' } },
    ...more,
  });

describe('a request of kubectl', () => {
  it('names its version and the cluster', () => {
    const url = 'https://cluster.example.com:6443';
    expect(readKubectlRequest(request())).toEqual({ apiVersion, url });
    const beta = 'client.authentication.k8s.io/v1beta1';
    expect(readKubectlRequest(request({ apiVersion: beta }))).toEqual({ apiVersion: beta, url });
  });

  it.each([
    ['nothing', undefined],
    ['no JSON', '{'],
    ['null', 'null'],
    ['no cluster', request({ spec: { interactive: false } })],
    ['a cluster without an address', request({ spec: { cluster: {} } })],
    ['another version', request({ apiVersion: 'client.authentication.k8s.io/v2' })],
    ['too much', request({ more: 'x'.repeat(64 * 1024) })],
  ])('is none: %s', (_what, info) => {
    expect(readKubectlRequest(info)).toBeNull();
  });

  it('is whatever comes, or none', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (info) => void readKubectlRequest(info)));
  });
});

it('answers kubectl with its version, in whole seconds', () => {
  const token = {
    username: 'ada',
    value: 'secret',
    scheme: 'bearer',
    usable_until: '2026-01-10T12:00:00.900Z',
    generation: 1,
  } as const;
  expect(JSON.parse(kubectlAnswer({ apiVersion }, token))).toEqual({
    apiVersion,
    kind: 'ExecCredential',
    status: { token: 'secret', expirationTimestamp: '2026-01-10T12:00:00Z' },
  });
});
