/** The steps of a rotation after which an agent is killed, and what must be true after each. */
import { expect } from 'vitest';
import type { EventKind } from '../../../src/contract/history/audit-event.ts';
import { KillSetup } from './kill-setup.ts';
import type { EndSignal } from './kill-agent.ts';
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

/** Ends the agent after each of these steps, restarts it, and expects that it goes on at once to the same end as without that. */
export async function expectWholeAfterEach(
  vaultKind: 'memory' | 'keychain',
  steps: readonly string[],
  signal: EndSignal = 'SIGKILL',
): Promise<void> {
  const setup = await KillSetup.make(vaultKind, signal);
  for (const step of steps) {
    await endAfter(setup, step, killingSteps[step]!, signal);
    await setup.start();
    await setup.expectWhole(`${signal} when ${step}`);
  }
  await setup.forget();
}

/** Makes the token due, and fails if the agent settles instead of ending there. One that is asked to stop may do both. */
async function endAfter(
  setup: KillSetup,
  step: string,
  point: KillPoint | '/v1/auth/rotate' | '/v1/auth/token',
  signal: EndSignal,
): Promise<void> {
  const isCall = typeof point === 'string';
  const agent = setup.fallDue(isCall ? null : point);
  setup.proxy.onAnswered = (path) => {
    if (path === point) void agent.kill();
  };
  const end =
    signal === 'SIGKILL'
      ? await Promise.race([agent.gone, agent.settled(setup.generation + 1).then(() => 'settled')])
      : await agent.gone;
  setup.proxy.onAnswered = () => undefined;
  expect(end, step).toBe(signal);
  setup.expectNoPlaintext(`${signal} when ${step}`);
}
