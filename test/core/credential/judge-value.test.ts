import { describe, expect, it } from 'vitest';
import { judgeValue } from '../../../src/core/credential/judge-value.ts';

const judge = (name: string, text: string, more: { isKnown?: boolean; isChosen?: boolean } = {}) =>
  judgeValue(name, text, { isKnown: false, ...more });

describe('a value', () => {
  it.each([
    ['API_TOKEN', 'a1b2c3d4e5f6'],
    ['apiToken', 'a1b2c3d4e5f6'],
    ['STRIPE_KEY', 'sk_live_a1b2c3d4'],
    ['client-secret', 'Tr0ub4dor&3'],
    ['//npm.example.com/:_authToken', 'npm_a1b2c3d4'],
    ['GITLAB_PAT', 'a1b2c3d4e5'],
    // A secret may look like a path in one part.
    ['AWS_SECRET_KEY', '/wJalrXUtnFEMI/K7MDENG+bPx'],
  ])('is a token by its name: %s=%s', (name, text) => {
    expect(judge(name, text)).toBe('token');
  });

  it('is a token by its beginning, whatever it is called', () => {
    expect(judge('anything', 'glpat-a1b2c3d4e5f6', { isKnown: true })).toBe('token');
  });

  it.each([
    ['PATH', '/usr/bin:/bin'],
    ['DB_PASSWORD', 'correct-horse'],
    ['PUBLIC_KEY', 'MCowBQYDK2VwAyEA'],
    ['SSH_KEY', 'AAAAC3NzaC1lZDI1'],
    ['key', 'a1b2c3d4e5f6'],
    ['TOKEN_URL', 'https://example.com'],
    ['API_TOKEN', ''],
    ['API_TOKEN', 'short'],
    ['MAX_TOKEN', '4096123457'],
    ['API_TOKEN', 'https://example.com/token'],
    ['SIGNING_KEY', '/etc/app/keys/signing.pem'],
    ['SIGNING_KEY', '~/keys/signing.pem'],
    ['API_TOKEN', 'two words of text'],
    ['SSL_KEY', '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----'],
  ])('is none: %s=%s', (name, text) => {
    expect(judge(name, text)).toBe('none');
  });

  it.each([
    ['API_TOKEN', '${CI_TOKEN}'],
    // https://github.com/semgrep/semgrep-rules/issues/2530: the value that npm recommends was reported as a token.
    ['//registry.npmjs.org/:_authToken', '${NPM_TOKEN}'],
    ['API_TOKEN', 'Bearer ${CI_TOKEN}'],
    ['API_TOKEN', '$CI_TOKEN'],
    ['API_TOKEN', '%CI_TOKEN%'],
    ['API_TOKEN', '$(pass show token)'],
    ['API_TOKEN', '{{ vault_token }}'],
    ['API_TOKEN', 'op://vault/item/field'],
    ['API_TOKEN', 'vault:secret/data/app#token'],
  ])('names where the token is: %s=%s', (name, text) => {
    expect(judge(name, text)).toBe('reference');
  });

  it.each([
    ['API_TOKEN', 'ENC[AES256_GCM,data:Tr7o=,iv:1=,aad:=,tag:k=,type:str]'],
    [
      'API_TOKEN',
      'encrypted:BDqDBibm4wsYqMpCjTQ6BsDHmMadg9K3dAt+Z9HPMfLEIRVz50hmLXPXRuDBXaJi/LwWYEVUNiq0HISrslzQPaoyS8Lotg3gFWJTsNCdOWnqpjF2xNUX2RQiP05kAbEXM6MWVjDr',
    ],
    ['api_secret', '{cipher}d3ca1f5f9d0e4c1f0b'],
    ['api.token', 'ENC(G6N718UuyPE5bHyWKyuLQSm02auQPUtm)'],
  ])('is encrypted by another program: %s=%s', (name, text) => {
    expect(judge(name, text)).toBe('encrypted_value');
    expect(judge('x', text, { isChosen: true })).toBe('encrypted_value');
  });

  it.each([
    'changeme',
    'CHANGE_ME',
    'your-token-here',
    '<token>',
    'xxxxxxxxxxxx',
    '************',
    'example-token',
  ])('stands for a token: %s', (text) => {
    expect(judge('API_TOKEN', text)).toBe('placeholder');
  });

  it('stands for a token behind the beginning of one', () => {
    expect(judge('A', 'glpat-xxxxxxxxxxxxxxxxxxxx', { isKnown: true })).toBe('placeholder');
  });

  it('is a token if a person has named its line', () => {
    expect(judge('DB_PASSWORD', 'correct-horse', { isChosen: true })).toBe('token');
    expect(judge('DB_PASSWORD', '${OTHER}', { isChosen: true })).toBe('reference');
  });
});
