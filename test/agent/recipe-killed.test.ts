import { expect, it } from 'vitest';
import type { EventKind } from '../../src/contract/audit-event.ts';
import { chanceOf, chosenSeed } from '../chaos/chance.ts';
import { KillingGround } from './killing-ground.ts';
import type { KillPoint } from './killing-point.ts';

type Call = Extract<KillPoint, { on: 'vault' }>['call'];
type Entry = Extract<KillPoint, { on: 'vault' }>['entry'];

function event(when: KillPoint['when'], kind: EventKind, nth = 1): KillPoint {
  return { on: 'event', when, kind, nth };
}

function vault(when: KillPoint['when'], call: Call, entry: Entry, nth = 1): KillPoint {
  return { on: 'vault', when, call, entry, nth };
}

/** In the order of the recipe (`rotate-credential.ts`). A path: the service has answered it, and the answer is on its way. */
const steps: Readonly<Record<string, KillPoint | '/v1/auth/rotate' | '/v1/auth/token'>> = {
  'the intent is durable': event('after', 'credential.rotation_begun'),
  'the vault was looked into for what is pending': vault('after', 'read', 'pending'),
  'the source was read': vault('after', 'read', 'current'),
  'room is reserved in the vault': vault('after', 'write', 'pending'),
  'the room was read back': vault('after', 'read', 'pending', 2),
  'the service has acted': '/v1/auth/rotate',
  'the reply is there': vault('before', 'write', 'pending', 2),
  'the value is pending': vault('after', 'write', 'pending', 2),
  'what is pending was read back': vault('after', 'read', 'pending', 3),
  'the value is current': vault('after', 'write', 'current'),
  'what is current was read back': vault('after', 'read', 'current', 2),
  'the end of the value was asked for': '/v1/auth/token',
  'the rotation is decided': event('before', 'credential.rotated'),
  'the rotation is recorded': event('after', 'credential.rotated'),
  'what was pending is gone': vault('after', 'remove', 'pending'),
  'the first target has it, without a receipt': event('before', 'credential.delivered'),
  'the first receipt is recorded': event('after', 'credential.delivered'),
  'the second target has it, without a receipt': event('before', 'credential.delivered', 2),
  'the second receipt is recorded': event('after', 'credential.delivered', 2),
};

const stepsWithThirdTarget: typeof steps = {
  ...steps,
  'the third target has it, without a receipt': event('before', 'credential.delivered', 3),
  'the third receipt is recorded': event('after', 'credential.delivered', 3),
};

it(
  'ends with one Active token, in the keychain and in every target, whatever step it is killed after',
  { timeout: 120_000 },
  async () => {
    const ground = await KillingGround.make('keychain');
    for (const [step, point] of Object.entries(stepsWithThirdTarget)) {
      await killAfter(ground, step, point);
      await ground.start();
      await ground.expectWhole(`killed when ${step}`);
    }
    await ground.forget();
  },
);

it(
  'ends the same with the encrypted file, killed 20 times at random instants, also while it takes up what was left',
  { timeout: 120_000 },
  async () => {
    const seed = chosenSeed();
    console.log(`ROTAVOX_CHAOS_SEED=${seed}`);
    const chance = chanceOf(seed);
    const ground = await KillingGround.make('file');

    // How long one takes is where the kills are aimed.
    const begunMs = performance.now();
    await ground.fallDue(null).settled(2);
    const wholeMs = Math.ceil(performance.now() - begunMs);
    await ground.expectWhole('not killed');

    let early = 0;
    for (let round = 1; round <= 15; round += 1) {
      const agent = ground.fallDue(null);
      await aRandomInstant(chance.between(0, wholeMs));
      await agent.kill();
      if (!agent.hasSettled(ground.generation + 1)) early += 1;
      ground.expectNoPlaintext(`after kill ${round}`);
      const next = await ground.start();
      if (round % 3 === 0) {
        await aRandomInstant(chance.between(0, wholeMs));
        await next.kill();
        await ground.start();
      }
      await ground.expectWhole(`after kill ${round}`);
    }
    console.log(`${early} of 15 first kills came before it had settled`);
    expect(early).toBeGreaterThan(0);
    await ground.forget();
  },
);

/** Lets the value fall due, and fails when the agent settles instead of dying there. */
async function killAfter(
  ground: KillingGround,
  step: string,
  point: KillPoint | '/v1/auth/rotate' | '/v1/auth/token',
): Promise<void> {
  const isCall = typeof point === 'string';
  const agent = ground.fallDue(isCall ? null : point);
  ground.proxy.onAnswered = (path) => {
    if (path === point) void agent.kill();
  };
  const end = await Promise.race([agent.gone, agent.settled(ground.generation + 1).then(() => 'settled')]);
  ground.proxy.onAnswered = () => undefined;
  expect(end, step).toBe('SIGKILL');
  ground.expectNoPlaintext(`killed when ${step}`);
}

/** Not a wait for anything: the instant at which the plug is pulled. */
function aRandomInstant(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
