import { expect, it } from 'vitest';
import { issueToken } from '../../src/core/token/issue-token.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { leaseClock } from '../../src/store/team/term.ts';
import type { FamilyId } from '../../src/contract/token/token.ts';
import { configuration, digest } from '../fixtures/make-events.ts';
import { SimulatedDatabase } from './simulation/simulated-database.ts';
import { SimulatedHost } from './simulation/simulated-host.ts';
import { World } from './simulation/world.ts';

interface Team {
  readonly world: World;
  readonly database: SimulatedDatabase;
  readonly hosts: readonly SimulatedHost[];
  readonly troubles: unknown[];
}

/** A team in simulated time without faults. */
function teamOf(count: number, seed = 1): Team {
  const world = new World(seed);
  const database = new SimulatedDatabase(world);
  const troubles: unknown[] = [];
  const onTrouble = (error: unknown) => troubles.push(error);
  const hosts = Array.from(
    { length: count },
    (_, place) => new SimulatedHost(world, database, { name: `h${place}`, onTrouble }),
  );
  for (const host of hosts) host.start();
  return { world, database, hosts, troubles };
}

function leaderOf({ hosts }: Team): SimulatedHost | undefined {
  return hosts.find(({ running }) => {
    const status = running?.member.status();
    return status?.role === 'leader' && status.isReady;
  });
}

async function untilLed(team: Team, withinMs = 10_000): Promise<SimulatedHost> {
  await team.world.runUntil(team.world.nowMs + withinMs, () => leaderOf(team) !== undefined);
  const leader = leaderOf(team);
  if (leader === undefined) throw new Error('Nobody leads');
  return leader;
}

/** Issues a token, outside of every process. */
async function issue({ world }: Team, host: SimulatedHost, name: string): Promise<unknown> {
  const command = {
    familyId: `fam_${name}` as FamilyId,
    digest: digest(name),
    configuration,
    expiresAtMs: null,
  };
  let outcome: unknown = null;
  world.after(0, host.running?.process ?? null, () => {
    host.running
      ?.transact((_, nowMs) => issueToken(command, nowMs))
      .then(
        (value) => (outcome = value),
        (error: unknown) => (outcome = error),
      );
  });
  await world.runUntil(world.nowMs + 5_000, () => outcome !== null);
  return outcome;
}

function problemsOf({ hosts }: Team): unknown[] {
  return hosts.flatMap(({ running }) => running?.member.status().problem ?? []);
}

it('is led again within 5 s of the loss of the leader, and at once when it was stopped', async () => {
  const gaps: number[] = [];
  for (let seed = 1; seed <= 50; seed += 1) {
    const team = teamOf(3, seed);
    const killed = await untilLed(team);
    await team.world.runUntil(team.world.nowMs + team.world.chance.next() * 3_000);
    killed.kill();
    const killedAtMs = team.world.nowMs;
    const stopped = await untilLed(team);
    gaps.push(team.world.nowMs - killedAtMs);
    stopped.stop();
    const stoppedAtMs = team.world.nowMs;
    await team.world.runUntil(stoppedAtMs + 5_000, () => stopped.running === null);
    await untilLed(team);
    expect(team.world.nowMs - stoppedAtMs).toBeLessThan(600);
  }
  expect(Math.max(...gaps)).toBeLessThan(4_000);
});

it('refuses when it goes on after a pause, and follows when another host leads by then', async () => {
  const team = teamOf(2);
  const paused = await untilLed(team);
  paused.pause(10_000);
  await team.world.runUntil(team.world.nowMs + 9_000);
  const other = leaderOf({ ...team, hosts: team.hosts.filter((host) => host !== paused) });
  expect(other).toBeDefined();
  expect(await issue(team, paused, 'late')).toMatchObject({ code: 'NOT_LEADING' });
  await team.world.runUntil(team.world.nowMs + 2_000);
  expect(paused.running?.member.status()).toMatchObject({
    role: 'follower',
    leader: { address: other?.name },
  });
});

it('keeps its term while it is alone without the database, and refuses meanwhile', async () => {
  const team = teamOf(1);
  const host = await untilLed(team);
  host.link.isRequestCut = true;
  await team.world.runUntil(team.world.nowMs + 6_000);
  expect(host.running?.member.status()).toMatchObject({
    role: 'leader',
    epoch: 1,
    isReady: false,
    leaseMs: 0,
  });
  host.link.isRequestCut = false;
  await team.world.runUntil(team.world.nowMs + 3_000);
  expect(host.running?.member.status()).toMatchObject({ role: 'leader', epoch: 1, isReady: true });
});

it('says once that the database refuses to let it lead, and leads when that is over', async () => {
  const team = teamOf(1);
  team.database.isFull = true;
  await team.world.runUntil(10_000);
  expect(team.troubles).toMatchObject([{ code: '53100' }]);
  team.database.isFull = false;
  const leader = await untilLed(team);
  team.database.isFull = true;
  await team.world.runUntil(team.world.nowMs + 5_000);
  expect(leader.running?.member.status().isReady).toBe(false);
  expect(team.troubles).toMatchObject([{ code: '53100' }, { code: '53100' }]);
});

it('stops, and replays nothing, once a newer version of the program has led', async () => {
  const team = teamOf(2);
  const leader = await untilLed(team);
  await issue(team, leader, 'one');
  team.database.isOfNewerProgram = true;
  await team.world.runUntil(team.world.nowMs + 3_000);
  expect(problemsOf(team)).toMatchObject([{ code: 'FORMAT_TOO_NEW' }, { code: 'FORMAT_TOO_NEW' }]);
});

it('stops when the database lost events that it has seen, and says which', async () => {
  const team = teamOf(2);
  const leader = await untilLed(team);
  await issue(team, leader, 'one');
  await issue(team, leader, 'two');
  await team.world.runUntil(team.world.nowMs + 1_000);
  team.database.goBackTo(1);
  await team.world.runUntil(team.world.nowMs + 3_000);
  const problem = { code: 'JOURNAL_DAMAGED', damage: { kind: 'went_back', seen_seq: 2, found_seq: 1 } };
  expect(problemsOf(team)).toMatchObject([problem, problem]);
  expect(team.hosts.map(({ running }) => running?.member.status().role)).toEqual(['stopped', 'stopped']);
  expect(team.troubles.filter((error) => error instanceof StoreError)).toHaveLength(2);
});

it('stops at a line that was changed, with the event', async () => {
  const team = teamOf(2);
  const leader = await untilLed(team);
  const follower = team.hosts.find((host) => host !== leader);
  await issue(team, leader, 'one');
  follower?.kill();
  team.database.lines[0] = {
    seq: 1,
    line: team.database.lines[0]?.line.replace('billing', 'filling') ?? '',
  };
  follower?.start();
  await team.world.runUntil(team.world.nowMs + 1_000);
  expect(team.troubles).toEqual([expect.any(StoreError)]);
  expect(problemsOf(team)).toMatchObject([
    { code: 'JOURNAL_DAMAGED', line: 1, damage: { kind: 'hash_differs' } },
  ]);
  expect(leaderOf(team)).toBe(leader);
});

it('counts a suspension of the machine and a clock that is set forward, but not one that is set back', () => {
  let monotonicMs = 0;
  let wallMs = 1_000;
  const clock = leaseClock(
    () => monotonicMs,
    () => wallMs,
  );
  monotonicMs += 50;
  wallMs += 51;
  expect(clock()).toBe(50);
  wallMs += 5_000;
  expect(clock()).toBe(5_050);
  wallMs -= 60_000;
  monotonicMs += 10;
  expect(clock()).toBe(5_060);
  wallMs += 30_000;
  expect(clock()).toBe(35_060);
});
