import { describe, expect, it } from 'vitest';
import { outgoingQuery } from '../../../src/service/proxy/outgoing-request.ts';

describe('the query of a request', () => {
  it.each([
    '_method=DELETE',
    '%5Fmethod=DELETE',
    '_METHOD=DELETE',
    '_method[]=DELETE',
    // PHP makes `_` of these, and ends a name at a NUL (owasp-modsecurity-crs#1386).
    '.method=DELETE',
    '%2Emethod=DELETE',
    '[method=DELETE',
    '%5Bmethod=DELETE',
    '_method%00=DELETE',
    '_method%00[x]=DELETE',
    '+_method=DELETE',
    '%09_method=DELETE',
    'private_token=theirs',
    'private.token=theirs',
    'private[token=theirs',
    'private%20token=theirs',
    'private_token%00x=theirs',
    'private_token[a][b]=theirs',
    '[private_token=theirs',
  ])('loses %s, and nothing else', (parameter) => {
    expect(outgoingQuery(`a=1&${parameter}&b=2`)).toBe('a=1&b=2');
  });

  it.each([
    'method=card',
    'a[method]=1',
    'filter[_method]=1',
    'a.method=1',
    'x_method=1',
    'token[0=1',
    '[a=1',
    '%00=1',
    '=',
  ])('keeps %s byte by byte', (parameter) => {
    expect(outgoingQuery(`a=1&${parameter}&b=2`)).toBe(`a=1&${parameter}&b=2`);
  });
});
