/** The steps of a rotation after which an agent is killed, and what must be true after each. */
import { expect } from 'vitest';
import type { EventKind } from '../../src/contract/audit-event.ts';
import { KillSetup } from './kill-setup.ts';
import type { KillPoint } from './kill-point.ts';

type Call = Extract<KillPoint, { on: 'vault' }>['call'];
type Entry = Extract<KillPoint, { on: 'vault' }>['entry'];

function event(when: KillPoint['when'], kind: EventKind, nth = 1): KillPoint {
  return { on: 'event', when, kind, nth };
}

function vault(when: KillPoint['when'], call: Call, entry: Entry, nth = 1): KillPoint {
  return { on: 'vault', when, call, entry, nth };
}

/** In the order of `rotate-credential.ts`. A path: the service has answered it, and the answer is on its way. */
const killingSteps: Readonly<Record<string, KillPoint | '/v1/auth/rotate' | '/v1/auth/token'>> = {
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
  'the third target has it, without a receipt': event('before', 'credential.delivered', 3),
  'the third receipt is recorded': event('after', 'credential.delivered', 3),
};

/** The names of all of them. */
export const everyStep = Object.keys(killingSteps);

/** Kills the agent after each of these steps, restarts it, and expects the same end as without a kill. */
export async function expectWholeAfterEach(
  vaultKind: 'memory' | 'keychain',
  steps: readonly string[],
): Promise<void> {
  const setup = await KillSetup.make(vaultKind);
  for (const step of steps) {
    await killAfter(setup, step, killingSteps[step]!);
    await setup.start();
    await setup.expectWhole(`killed when ${step}`);
  }
  await setup.forget();
}

/** Makes the token due, and fails if the agent settles instead of ending there. */
async function killAfter(
  setup: KillSetup,
  step: string,
  point: KillPoint | '/v1/auth/rotate' | '/v1/auth/token',
): Promise<void> {
  const isCall = typeof point === 'string';
  const agent = setup.fallDue(isCall ? null : point);
  setup.proxy.onAnswered = (path) => {
    if (path === point) void agent.kill();
  };
  const end = await Promise.race([agent.gone, agent.settled(setup.generation + 1).then(() => 'settled')]);
  setup.proxy.onAnswered = () => undefined;
  expect(end, step).toBe('SIGKILL');
  setup.expectNoPlaintext(`killed when ${step}`);
}
