import { describe, expect, it } from 'vitest';
import type { ProxyProblem } from '../../src/contract/service/network.ts';
import type { CallFailure } from '../../src/contract/credential/rotation-trouble.ts';
import { callFailureText } from '../../src/text/credential/rotation-trouble-text.ts';
import { takenWayText } from '../../src/text/service/network-text.ts';
import { expectSentences, type OneEach } from './problems.ts';

const service = 'https://api.corp.test';

const problems: OneEach<ProxyProblem> = {
  unreachable: { code: 'unreachable', systemCode: 'ECONNREFUSED' },
  not_trusted: { code: 'not_trusted', systemCode: 'SELF-SIGNED', issuer: 'Corp Root' },
  login_needed: { code: 'login_needed', schemes: ['basic'] },
  login_refused: { code: 'login_refused', schemes: [] },
  login_unreadable: { code: 'login_unreadable' },
  refused: { code: 'refused', status: 403 },
  no_proxy: { code: 'no_proxy' },
  closed: { code: 'closed' },
  too_slow: { code: 'too_slow', limitMs: 10_000 },
};

describe('a proxy that gives no connection', () => {
  it.each(Object.values(problems))('$code is said with what to do', (problem) => {
    const text = callFailureText(service, {
      code: 'proxy_failed',
      proxy: 'proxy.corp.test:8080',
      source: 'setting',
      problem,
    });
    expectSentences(text);
    expect(text).toContain('proxy.corp.test:8080 (the setting “proxy”)');
  });
});

it.each<[CallFailure, string]>([
  [
    { code: 'not_trusted', systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', issuer: 'Corp Root' },
    'ask for the certificate of “Corp Root” as a file and name it in the setting “certificates” or in NODE_EXTRA_CA_CERTS.',
  ],
  [
    {
      code: 'not_trusted',
      systemCode: 'SELF_SIGNED_CERT_IN_CHAIN',
      file: { file: '/etc/root.pem', code: 'missing' },
    },
    'The file in the setting “certificates” (/etc/root.pem) does not exist.',
  ],
  [{ code: 'not_trusted', systemCode: 'CERT_HAS_EXPIRED', issuer: 'Corp Root' }, 'has expired'],
  [{ code: 'not_trusted', systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'is for another name'],
  [{ code: 'proxy_invalid', source: 'ALL_PROXY', problem: 'socks' }, 'SOCKS is not supported'],
  [
    { code: 'proxy_invalid', source: 'HTTPS_PROXY', problem: 'path' },
    'A PAC file is read by the desktop app',
  ],
  [{ code: 'client_certificate', problem: 'needed', systemCode: 'X' }, 'asks for a client certificate'],
  [
    {
      code: 'proxy_failed',
      proxy: 'p:1',
      source: 'HTTPS_PROXY',
      problem: { code: 'login_needed', schemes: ['negotiate', 'ntlm'] },
    },
    'refuses (407): it wants a user name and a password. It accepts only negotiate and ntlm, which Rotavox does not speak',
  ],
])('%j names the remedy', (failure, words) => {
  expect(callFailureText(service, failure)).toContain(words);
});

it('says which way a call took', () => {
  const way = {
    proxy: null,
    source: null,
    issuer: null,
    asks_for_certificate: false,
    has_client_certificate: false,
  };
  expect(takenWayText(way)).toBe('Asked directly.');
  expect(takenWayText({ ...way, proxy: 'p:1', source: 'HTTPS_PROXY', issuer: 'Corp Root' })).toBe(
    'Asked through the proxy p:1 (HTTPS_PROXY), certificate issued by “Corp Root”.',
  );
  expect(takenWayText({ ...way, asks_for_certificate: true })).toBe(
    'Asked directly. The service asked for a client certificate, and the credential has none.',
  );
});
