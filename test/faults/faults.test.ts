import { it } from 'vitest';
import { type FaultKind, faults } from '../team/faults.ts';
import { gapTable, proveTeam } from '../team/prove-team.ts';

/** How often each kind of fault happens. */
const often = Number(process.env['ROTAVOX_TEAM_FAULTS'] ?? 10);
const megabyte = 1024 * 1024;
const all = (Object.keys(faults) as FaultKind[]).flatMap((kind) => Array<FaultKind>(often).fill(kind));
/** Those with a small disk, which is in memory, and half of the others. */
const onSmallDisk = all.filter((kind, place) => kind === 'disk full' || place % 2 === 0);
const onDisk = all.filter((kind, place) => kind !== 'disk full' && place % 2 === 1);

it(
  `loses nothing that was acknowledged, whatever happens to hosts and database, ${often} times each`,
  { timeout: 120_000 + all.length * 10_000 },
  async () => {
    const gaps = await Promise.all([
      proveTeam({ hosts: 2, kinds: onSmallDisk, postgres: { diskSize: 512 * megabyte } }),
      proveTeam({ hosts: 3, kinds: onDisk }),
    ]);
    console.log(gapTable(gaps.flat()));
  },
);
