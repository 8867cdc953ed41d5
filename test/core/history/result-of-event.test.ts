import { expect, it } from 'vitest';
import { eventKindNames } from '../../../src/contract/history/audit-event.ts';
import { resultOfEvent } from '../../../src/core/history/choose-events.ts';

it.each([
  [
    'failed',
    [
      'credential.rotation_failed',
      'credential.delivery_failed',
      'credential.retire_failed',
      'owner.sign_in_failed',
    ],
  ],
  [
    'attention',
    [
      'token.suspended',
      'token.blacklisted',
      'token.expired',
      'token.reused',
      'credential.paused',
      'proxy.token_reflected',
      'journal.repaired',
    ],
  ],
] as const)('%s are these kinds and no others', (result, kinds) => {
  const found = eventKindNames.filter((kind) => resultOfEvent(kind) === result);
  expect(found.toSorted()).toEqual([...kinds].sort());
});

it('is failed for every kind with that in its name', () => {
  const failed = eventKindNames.filter((kind) => kind.endsWith('_failed'));
  expect(failed.filter((kind) => resultOfEvent(kind) !== 'failed')).toEqual([]);
});

it('is ok for a kind that a newer service knows', () => {
  expect(resultOfEvent('token.polished')).toBe('ok');
  expect(resultOfEvent('constructor')).toBe('ok');
});
