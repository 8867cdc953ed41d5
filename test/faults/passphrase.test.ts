import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, it } from 'vitest';
import { chanceOf, chosenSeed } from '../chaos/chance.ts';
import { afterChanges, expectOneOpensAfter, fileVault, teamVault } from '../team/sealed-vaults.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';

const kills = 40;
/** Longer than a change takes, in milliseconds. */
const longestMs = { file: 30, postgres: 120 };

let postgres: Postgres;
beforeAll(async () => {
  postgres = await commonPostgres();
});

it.each([
  ['a data folder', fileVault],
  ['a team', () => teamVault(postgres)],
])(
  `the passphrase of %s opens everything or nothing, killed ${kills} times at random instants`,
  async (_, make) => {
    const seed = chosenSeed();
    console.log(`ROTAVOX_CHAOS_SEED=${seed}`);
    const chance = chanceOf(seed);
    const vault = await make();
    const instants = Array.from({ length: kills }, () => async (lines: AsyncIterable<string>) => {
      await afterChanges(chance.between(1, 3))(lines);
      // Not a wait for a condition: the instant of the kill.
      await wait(chance.next() * longestMs[vault.place.kind]);
    });
    await expectOneOpensAfter(vault, instants);
  },
);
