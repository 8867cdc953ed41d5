import { describe, expect, it } from 'vitest';
import { type ProxyRefusalCode, proxyRefusals } from '../../src/contract/credential/proxy.ts';
import { proxyRefusalText, ruleText, trialText } from '../../src/text/credential/proxy-text.ts';
import { expectSentences } from './problems.ts';

const codes = Object.keys(proxyRefusals) as ProxyRefusalCode[];
const trial = { requests: 30, allowed: 12, newly_allowed: 3, forbidden: 0, routes: [], names_rights: [] };

describe('a refusal of the proxy', () => {
  it.each(codes)('says why, in whole sentences: %s', (code) => {
    for (const context of [
      {},
      {
        method: 'POST',
        credential: 'gitlab',
        app: 'agent',
        service: 'gitlab.com',
        because: 'The token has expired.',
      },
    ]) {
      const { title, detail } = proxyRefusalText(code, context);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expectSentences(detail.replace('(..)', 'x'));
    }
  });

  it('names what it is about', () => {
    const context = { app: 'agent', credential: 'gitlab' };
    expect(proxyRefusalText('not_allowed', context).detail).toBe(
      'No rule allows agent to send this request. Do not repeat it: ask the owner of “gitlab” to add a rule.',
    );
    const request = { ...context, method: 'POST', route: '/projects/*' };
    expect(proxyRefusalText('not_allowed', request).detail).toContain('to send POST /projects/*. ');
  });
});

describe('what a rule would have allowed', () => {
  it.each([
    [trial, 'This would have allowed 12 of the 30 requests of the last 24 hours, 3 of which were refused.'],
    [
      { ...trial, newly_allowed: 1, forbidden: 2 },
      'This would have allowed 12 of the 30 requests of the last 24 hours, 1 of which was refused. 2 requests can never be allowed.',
    ],
    [
      { ...trial, newly_allowed: 0 },
      'This would have allowed 12 of the 30 requests of the last 24 hours, none of which was refused.',
    ],
    [
      { ...trial, allowed: 0, newly_allowed: 0 },
      'This would have allowed none of the 30 requests of the last 24 hours.',
    ],
    [
      { ...trial, requests: 0, allowed: 0 },
      'No request was made in the last 24 hours, so there is nothing to compare with.',
    ],
  ])('%j', (seen, text) => {
    expect(trialText(seen)).toBe(text);
  });

  it('is a rule in one line', () => {
    expect(ruleText({ method: 'GET', path: '/api/**', private_network: false })).toBe('GET /api/**');
    expect(ruleText({ method: '*', path: '/', private_network: true })).toBe('* / (private network)');
    const both = { method: '*', path: '/', private_network: true, scrub: true } as const;
    expect(ruleText(both)).toBe('* / (private network, answers searched)');
  });
});
