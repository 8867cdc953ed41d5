import { it } from 'vitest';
import { everyStep, expectWholeAfterEach } from './kill-steps.ts';

/** The last steps that change one of the two programs, the vault or a target. */
const weightySteps = [
  'the intent is durable',
  'the service has acted',
  'the value is pending',
  'the value is current',
  'the rotation is recorded',
];

it(
  'ends with one Active token, in the vault and in every target, whatever step it is cut off after',
  { tags: ['long'] },
  async () => {
    await expectWholeAfterEach('memory', everyStep);
  },
);

it('goes on at once with the next start when it was asked to stop', { tags: ['long'] }, async () => {
  await expectWholeAfterEach('memory', [...weightySteps, 'the first receipt is recorded'], 'SIGTERM');
});

it('ends the same in the keychain, as a process that is killed', { tags: ['long'], timeout: 120_000 }, () =>
  expectWholeAfterEach('keychain', weightySteps),
);
