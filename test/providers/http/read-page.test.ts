import { describe, expect, it } from 'vitest';
import { isPageInstead, titleOf } from '../../../src/providers/http/read-page.ts';

const html = { 'content-type': 'text/html; charset=UTF-8' };

function heard(status: number, text: string, headers: Record<string, string> = html, body?: unknown) {
  return { status, text, headers, body };
}

describe('a web page in place of an answer', () => {
  // As reported in public: a proxy of a company, Cloudflare in front of a server and its check of browsers, a hotel's sign-in, and the
  // website at an address that was meant to be that of an API.
  it.each([
    ['of a website', heard(200, '<!doctype html><html><head><title>App</title></head></html>')],
    ['that a proxy blocks with', heard(403, '<html><title>Access Denied</title></html>')],
    [
      'of a check for browsers',
      heard(403, '<!DOCTYPE html><html lang="en-US"><title>Just a moment...</title>'),
    ],
    ['without a type', heard(200, '\uFEFF<!DOCTYPE HTML>\n<html>', {})],
    [
      'with a wrong type',
      heard(200, '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', {
        'content-type': 'application/json',
      }),
    ],
    ['with a comment first', heard(200, '<!-- x -->\n<html>', {})],
    ['of a network that wants a sign-in', heard(511, '<html>')],
  ])('is seen: one %s', (_what, one) => {
    expect(isPageInstead(one)).toBe(true);
  });

  it.each([
    ['JSON, whatever its type', heard(200, '{"access_token":"x"}', html, { access_token: 'x' })],
    ['nothing', heard(200, ' ')],
    ['text', heard(200, 'ok', { 'content-type': 'text/plain' })],
    ['XML', heard(200, '<Error><Code>AccessDenied</Code></Error>', { 'content-type': 'application/xml' })],
    ['that a token is not known', heard(401, '<html>')],
    ['that there is nothing', heard(404, '<html>')],
    ['that it is down', heard(502, '<html>')],
    ['a redirect', heard(302, '<html>')],
  ])('is not seen in %s', (_what, one) => {
    expect(isPageInstead(one)).toBe(false);
  });

  it('is called as it calls itself', () => {
    expect(titleOf('<title>\n Sign in &amp; go &lt;now&gt; </title>', [])).toBe('Sign in & go <now>');
    expect(titleOf('<TITLE lang="en">Zscaler</TITLE>', ['Bearer glpat-abcdefgh'])).toBe('Zscaler');
    expect(titleOf('<html>', [])).toBeNull();
    expect(titleOf('<title> </title>', [])).toBeNull();
  });

  it('shows nothing of what was sent', () => {
    expect(titleOf('<title>No: glpat-abcdefgh</title>', ['Bearer glpat-abcdefgh'])).toBeNull();
    expect(titleOf('<title>No: r3fr3shing</title>', ['grant_type=x&refresh_token=r3fr3shing'])).toBeNull();
  });
});
