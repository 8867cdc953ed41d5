import { expect, it } from 'vitest';
import { GivenBearerToken, GivenToken } from '../../src/contract/credential/credential.ts';

it('of a reply loses the word Bearer only where that is sent before it', () => {
  expect(GivenBearerToken.parse(' Bearer abc ')).toBe('abc');
  expect(GivenBearerToken.parse('bearer')).toBe('bearer');
  expect(GivenToken.parse(' Bearer abc ')).toBe('Bearer abc');
});
