import { it } from 'vitest';
import { simulate } from '../team/simulation/simulate.ts';

const seeds = Number(process.env['ROTAVOX_SIMULATIONS'] ?? 10_000);

it('loses nothing, doubles nothing and tells nothing old in a team under many more faults', async () => {
  // Other seeds each time, which a failure names: ROTAVOX_SIMULATION_SEED repeats it in the suite of a team.
  const firstSeed = Math.floor(Math.random() * 1e9);
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    try {
      await simulate(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
});
