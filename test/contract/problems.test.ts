import { expect, it } from 'vitest';
import { problems } from '../../src/contract/problems.ts';
import { rotatedMessage } from '../../src/contract/token/token.ts';

it('words the outcomes of a rotation as the spec does, to the letter (section 7)', () => {
  expect(rotatedMessage).toBe('Token refreshed successfully.');
  expect(problems.token_expired).toEqual({
    status: 401,
    message:
      'The provided token has expired and cannot be refreshed. Please generate a new token from the portal.',
  });
  expect(problems.token_suspended).toEqual({
    status: 403,
    message: 'The provided token is suspended and cannot be refreshed.',
  });
  expect(problems.token_invalid).toEqual({ status: 401, message: 'The provided token is invalid.' });
  expect(problems.token_blacklisted).toEqual({
    status: 403,
    message: 'The provided token is blacklisted and cannot be refreshed.',
  });
});
