import { expect, it } from 'vitest';
import { KillSetup } from '../agent/rotation/kill-setup.ts';
import { everyStep, expectWholeAfterEach } from '../agent/rotation/kill-steps.ts';
import { chanceOf, chosenSeed } from '../chaos/chance.ts';

const kills = 15;

it('ends with one Active token, in the keychain and in every target, whatever step its process is killed after', () =>
  expectWholeAfterEach('keychain', everyStep));

it(
  `ends the same with the encrypted file, killed ${kills} times at random instants, also while it takes up what was left`,
  { timeout: 120_000 },
  async () => {
    const seed = chosenSeed();
    console.log(`ROTAVOX_CHAOS_SEED=${seed} ROTAVOX_CHAOS_KILLS=${kills}`);
    const chance = chanceOf(seed);
    const setup = await KillSetup.make('file');

    // The duration of a rotation, in which the kills are placed.
    const begunMs = performance.now();
    await setup.fallDue(null).settled(2);
    const wholeMs = Math.ceil(performance.now() - begunMs);
    await setup.expectWhole('not killed');

    let early = 0;
    for (let round = 1; round <= kills; round += 1) {
      const agent = setup.fallDue(null);
      await aRandomInstant(chance.between(0, wholeMs));
      await agent.kill();
      if (!agent.hasSettled(setup.generation + 1)) early += 1;
      setup.expectNoPlaintext(`after kill ${round}`);
      const next = await setup.start();
      if (round % 3 === 0) {
        await aRandomInstant(chance.between(0, wholeMs));
        await next.kill();
        await setup.start();
      }
      await setup.expectWhole(`after kill ${round}`);
    }
    console.log(`${early} of ${kills} first kills came before it had settled`);
    expect(early).toBeGreaterThan(0);
    await setup.forget();
  },
);

/** Not a wait for a condition: the instant at which the process is killed. */
function aRandomInstant(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
