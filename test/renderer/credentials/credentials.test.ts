import { describe, expect, it } from 'vitest';
import {
  credentialStates,
  isDead,
  waitsForPerson,
} from '../../../src/contract/credential/credential-view.ts';
import { stateSign } from '../../../src/renderer/credentials/state-sign.tsx';
import { pemOf } from '../../../src/renderer/credentials/client-certificate-fields.tsx';
import type { Actor } from '../../../src/contract/history/audit-event.ts';
import { ownUserAgent } from '../../../src/contract/service/own-call.ts';
import type { TokenId } from '../../../src/contract/token/token.ts';
import { usersIn } from '../../../src/renderer/credentials/use/users.tsx';
import { credentialView, trouble } from './credential-view.ts';

const refused = (kind: 'refused' | 'invalid' | 'blacklisted') =>
  credentialView({ state: 'refused', trouble: trouble(kind) });

describe('the sign of a state', () => {
  it('has words for every state, and a shape that no calm and no failing state share', () => {
    const signs = credentialStates.map((state) => stateSign({ state, trouble: null }));
    expect(signs.every(({ words }) => words !== '')).toBe(true);
    const calm = signs.filter(({ tone }) => tone === 'good' || tone === 'accent' || tone === 'pause');
    const failing = signs.filter(({ tone }) => tone === 'bad' || tone === 'warn');
    expect(calm.filter(({ shape }) => failing.some((other) => other.shape === shape))).toEqual([]);
    expect(new Set(calm.map(({ shape }) => shape)).size).toBe(calm.length);
  });

  it('tells a refusal that passes from one that does not', () => {
    expect(stateSign(refused('refused')).words).toBe('Refused');
    expect(stateSign(refused('invalid')).words).toBe('Needs a new token');
    expect(stateSign({ ...refused('invalid'), provider: { id: 'oauth2' } }).words).toBe('Sign in again');
    expect(stateSign(refused('blacklisted')).words).toBe('Blacklisted');
    expect([isDead(refused('refused')), isDead(refused('invalid'))]).toEqual([false, true]);
  });

  it('knows what waits for a person', () => {
    const waiting = credentialStates.filter((state) => waitsForPerson({ state, trouble: null }));
    expect(waiting).toEqual(['reply_lost', 'value_missing', 'expired']);
  });
});

const block = (label: string, body = 'QUJD'): string =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
const file = (text: string, name = 'client.pem') => ({ name, text });
const kindOf = (...texts: readonly string[]): string => pemOf(texts.map((text) => file(text))).kind;

describe('the files of a client certificate', () => {
  it('may be one or several, in any order, with the certificates up to the root', () => {
    const [leaf, between] = [block('CERTIFICATE', 'bGVhZg=='), block('CERTIFICATE', 'YmV0d2Vlbg==')];
    const key = block('PRIVATE KEY');
    const found = { kind: 'both', certificate: `${leaf}\n${between}\n`, key: `${key}\n` };
    expect(pemOf([file(`${leaf}\n${between}\n${key}`)])).toMatchObject(found);
    expect(pemOf([file(key, 'k'), file(`${leaf}\n${between}`, 'c')])).toMatchObject({
      ...found,
      names: ['k', 'c'],
    });
  });

  it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'])(
    'may have a %s',
    (label) => {
      expect(kindOf(block('CERTIFICATE') + block(label))).toBe('both');
    },
  );

  // What `openssl pkcs12 -in client.p12` writes; an EC key of `openssl ecparam -genkey` begins with its parameters.
  it('may have other text around what counts, and lines that end as in Windows', () => {
    const text = `Bag Attributes\n    friendlyName: me\n${block('CERTIFICATE')}\nKey Attributes\n${block('EC PARAMETERS')}\n${block('EC PRIVATE KEY')}\n`;
    for (const one of [text, text.replaceAll('\n', '\r\n')]) {
      const found = pemOf([file(one)]);
      expect(found.kind === 'both' && found.certificate + found.key).not.toMatch(/Bag|Attributes|PARAMETERS/);
    }
  });

  it.each([
    ['noKey', block('CERTIFICATE')],
    ['noKey', block('CERTIFICATE') + block('PUBLIC KEY')],
    ['noCertificate', block('PRIVATE KEY')],
    ['noCertificate', block('CERTIFICATE REQUEST') + block('PRIVATE KEY')],
    ['noPem', '0\u0082\u000b\u0000'],
    ['noPem', '-----BEGIN CERTIFICATE-----\ncut off'],
    ['noPem', ''],
  ])('are told as %s: %j', (kind, text) => {
    expect(kindOf(text)).toBe(kind);
  });
});

function use(token: string, userAgent: string | null, at: string, address = '127.0.0.1') {
  const actor: Actor = { kind: 'bearer', token_id: token as TokenId, address, user_agent: userAgent };
  return { at, actor };
}

describe('the programs that use a token', () => {
  it('are those that showed it, each once with its latest use', () => {
    const events = [
      use('tok_a_2', 'curl/8', '2026-01-03'),
      use('tok_a_2', 'curl/8', '2026-01-02'),
      use('tok_a_2', null, '2026-01-01', '10.0.0.7'),
    ];
    expect(usersIn(events, 'tok_a_2')).toEqual([
      { address: '127.0.0.1', user_agent: 'curl/8', at: '2026-01-03' },
      { address: '10.0.0.7', user_agent: null, at: '2026-01-01' },
    ]);
  });

  it('are not those of another token, nor Rotavox itself', () => {
    const events = [
      use('tok_a_1', 'curl/8', '2026-01-01'),
      use('tok_a_2', ownUserAgent, '2026-01-02'),
      { at: '2026-01-03', actor: { kind: 'owner' } as const },
    ];
    expect(usersIn(events, 'tok_a_2')).toEqual([]);
  });

  it('include one from another machine that calls itself Rotavox', () => {
    const events = [use('tok_a_2', ownUserAgent, '2026-01-02', '10.0.0.7')];
    expect(usersIn(events, 'tok_a_2')).toHaveLength(1);
  });
});
