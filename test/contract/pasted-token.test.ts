import { describe, expect, it } from 'vitest';
import { type PasteMistake, readPasted } from '../../src/contract/credential/pasted-token.ts';

describe('what is pasted where a token is wanted', () => {
  it.each([
    'ATATT3xFfGF0aBcDeFgHiJk_lMnOp-qRs=1A2B3C4D',
    '12|AbCdEf0123456789AbCdEf0123456789AbCdEf01',
    'sntrys_eyJpYXQiOjE3MDAwMDAwMDAuMX0=_NDtyKO3XabcDEF0123456789',
    'monitor@pve!probe=11111111-2222-3333-4444-555555555555',
    'sv=2024-01-01&ss=b&sig=abc%2Bdef%3D',
    'user:password',
    'gitlab-ci-token:glcbt-1',
    'JBSWY3DPEHPK3PXP====',
    'dGVzdF9rZXk=',
    'https://hooks.example.com/services/T0/B0/xx',
    'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abc==;EndpointSuffix=core.example.net',
    'SharedAccessSignature sr=https&sig=x&se=1&skn=y',
    'host=db user=x password=y',
    'abcd efgh ijkl mnop',
    'p@$$,w0rd;{}[]',
    String.raw`abc\def`,
    'ünïcode-ключ',
    '[abc]',
    '{"type":"service_account","project_id":"x"}',
    'keybase',
    // Reported: passwords that end in a quote, and one that has some.
    'abc"',
    "it's'",
    'p$x`y`',
    'pa"ss"',
    'a'.repeat(9000),
  ])('is a token as it is: %s', (text) => {
    expect(readPasted(` ${text}\r\n`)).toEqual({ mistakes: [], token: text });
  });

  it.each<[string, readonly PasteMistake[]]>([
    ['"glpat-x"', ['quotes']],
    ["'glpat-x'", ['quotes']],
    ['`glpat-x`', ['quotes']],
    ['“glpat-x”', ['quotes']],
    ['„glpat-x“', ['quotes']],
    ['<glpat-x>', ['quotes']],
    ['"glpat-x",', ['quotes']],
    ['Bearer glpat-x', ['scheme']],
    ['bearer  glpat-x', ['scheme']],
    ['token glpat-x', ['scheme']],
    ['Authorization: Bearer glpat-x', ['header', 'scheme']],
    ['authorization:Bearer glpat-x', ['header', 'scheme']],
    ['PRIVATE-TOKEN: glpat-x', ['header']],
    ['X-Api-Key: glpat-x', ['header']],
    ['-H "Authorization: Bearer glpat-x"', ['header', 'scheme']],
    ['export GITLAB_TOKEN="glpat-x" # of ci', ['assignment', 'quotes']],
    ['GITLAB_TOKEN=glpat-x # of ci', ['assignment']],
    ['curl -H "PRIVATE-TOKEN: glpat-x" https://gitlab.example', ['header']],
    ['GITLAB_TOKEN=glpat-x', ['assignment']],
    ['export GITLAB_TOKEN="glpat-x"', ['assignment', 'quotes']],
    ['GITLAB_TOKEN = glpat-x', ['assignment']],
    ['export GITLAB_TOKEN=glpat-x; export OTHER', ['assignment']],
    ['set GITLAB_TOKEN=glpat-x', ['assignment']],
    ['setx GITLAB_TOKEN "glpat-x"', ['assignment', 'quotes']],
    ['$env:GITLAB_TOKEN = "glpat-x"', ['assignment', 'quotes']],
    ['api_token: glpat-x', ['assignment']],
    ['//registry.example/:_authToken=glpat-x', ['assignment']],
    ['"token": "glpat-x",', ['json', 'quotes']],
    ['{"token":"glpat-x"}', ['json']],
    ['{\n "access_token": "glpat-x",\n "refresh_token": "y"\n}', ['json']],
    ['# a comment\nGITLAB_TOKEN=glpat-x\n', ['lines', 'assignment']],
    ['glpat-\u200bx', ['invisible']],
    ['\u2060glpat-x', ['invisible']],
    ['Bearer\u00a0glpat-x', ['invisible', 'scheme']],
    ['\u00ff\u00feg\0l\0p\0a\0t\0-\0x\0\r\0\n\0', ['utf16']],
    ['\0g\0l\0p\0a\0t\0-\0x', ['utf16']],
    ['\u001b[200~glpat-x\u001b[201~', ['control']],
    ['\u001b[32mglpat-x\u001b[0m', ['control']],
  ])('is more than a token, which is named and found in it: %j', (text, mistakes) => {
    expect(readPasted(text)).toEqual({ mistakes, token: 'glpat-x' });
  });

  it('finds a long token that a window has broken into lines', () => {
    const line = 'a'.repeat(40);
    expect(readPasted(`${line}\n${line}\nbcd`)).toEqual({ mistakes: ['lines'], token: `${line}${line}bcd` });
  });

  it.each<[string, readonly PasteMistake[]]>([
    ['••••••••', ['masked']],
    ['glpat-****************', ['masked']],
    ['first line\nsecond one', ['lines']],
    ['{"token":"a","secret":"b"}', ['json']],
    ['""', ['quotes']],
    ['export GITLAB_TOKEN="glpat-x" and more', ['assignment']],
    ['Bearer glpat-x of ci', ['scheme']],
  ])('has no token that can be told: %j', (text, mistakes) => {
    expect(readPasted(text)).toEqual({ mistakes, token: null });
  });
});
