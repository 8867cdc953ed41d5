/** What happens to a team, at a random instant and for a random time; each ends with everything in order again. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Chance } from '../chaos/chance.ts';
import type { Direction } from '../fakes/tcp-proxy.ts';
import type { Team } from './team.ts';

/** How long a leader leads without a renewal; see `store/team/member.ts`. */
const leaseMs = 3_000;

/** Resolves when it is over. `databaseIsBack` is called when the database takes changes again, after faults of it. */
export type Fault = (team: Team, chance: Chance, databaseIsBack: () => void) => Promise<void>;

export const faults = {
  'leader killed': async (team, chance) => {
    const leader = await team.leader();
    await leader.kill();
    await wait(chance.between(0, 1_500));
    await leader.start();
  },

  'leader stopped': async (team, chance) => {
    const leader = await team.leader();
    await leader.stop();
    await wait(chance.between(0, 1_000));
    await leader.start();
  },

  /** It continues as if no time had passed, with answers and statements that it had begun. */
  'leader paused': async (team, chance) => {
    const leader = await team.leader();
    leader.pause();
    await wait(leaseMs + chance.between(-500, 1_500));
    leader.resume();
  },

  'leader cannot send to the database': cut('to_server'),
  'leader hears nothing from the database': cut('to_client'),
  'leader is cut off from the database': cut(undefined),

  'connections to the database are reset': async (team, chance) => {
    for (const { proxy } of team.hosts) proxy.refuses = true;
    for (const { proxy } of team.hosts) proxy.reset();
    await wait(chance.between(0, 500));
    for (const { proxy } of team.hosts) proxy.refuses = false;
  },

  'replies of the database are late': async (team, chance, databaseIsBack) => {
    const delayMs = chance.between(200, 3_000);
    for (const { proxy } of team.hosts) proxy.replyDelayMs = delayMs;
    await wait(chance.between(500, 3_000));
    for (const { proxy } of team.hosts) proxy.replyDelayMs = 0;
    databaseIsBack();
  },

  'database restarted': async ({ postgres }, _chance, databaseIsBack) => {
    await postgres.restart('fast');
    databaseIsBack();
  },

  'database aborted': async ({ postgres }, _chance, databaseIsBack) => {
    await postgres.restart('immediate');
    databaseIsBack();
  },

  'database killed': async ({ postgres }, chance, databaseIsBack) => {
    await postgres.kill();
    await wait(chance.between(0, 1_000));
    await postgres.run();
    databaseIsBack();
  },

  'disk full': async ({ postgres }, chance, databaseIsBack) => {
    postgres.fillDisk();
    await wait(chance.between(500, 4_000));
    await postgres.freeDisk();
    databaseIsBack();
  },
} as const satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;

/** What is cut off arrives late, or never. */
function cut(direction: Direction | undefined): Fault {
  return async (team, chance) => {
    const { proxy } = await team.leader();
    proxy.set(chance.next() < 0.5 ? 'hold' : 'lose', direction);
    await wait(chance.between(500, leaseMs + 2_000));
    proxy.set('pass', direction);
  };
}
