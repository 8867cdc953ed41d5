import { expect } from 'vitest';
import type { Agent } from '../../../src/agent/create-agent.ts';
import { digestOf } from '../../../src/service/secrets/token-value.ts';
import type { AuditEvent } from '../../../src/contract/history/audit-event.ts';
import type { Ledger } from '../../../src/core/ledger.ts';
import { statusAt } from '../../../src/core/token/token-record.ts';
import { type FaultyProxy, startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { ManualTimer } from '../../fakes/manual-timer.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type AgentSetup, type LoneAgent, setUpAgent, setUpLoneAgent } from '../agent-setup.ts';

/** A local agent, a remote service, a faulty proxy between them; one clock for all. */
export interface RotationSetup {
  readonly here: LoneAgent;
  readonly there: AgentSetup;
  readonly proxy: FaultyProxy;
  readonly time: ManualTimer;
  /** The first token of `crm`. */
  readonly first: string;
}

export const name = 'crm';
export const pending = { service: 'rotavox', account: `${name} (pending)` };
export const current = { service: 'rotavox', account: name };

/** With one credential, `crm`, of seven days. Nothing runs until `here.agent.start()`. */
export async function setUpRotation(
  options: Omit<NonNullable<Parameters<typeof setUpAgent>[0]>, 'time' | 'vault'> = {},
): Promise<RotationSetup> {
  const time = new ManualTimer(noon);
  const there = await setUpAgent({ time });
  const proxy = await startFaultyProxy(() => there.baseUrl);
  const here = await setUpLoneAgent({ ...options, time });
  const { value: first } = await there.issue();
  await here.keep({ name, value: first, base_url: proxy.baseUrl });
  return { here, there, proxy, time, first };
}

/** Makes one attempt now; returns the state of the credential afterwards. */
export async function attempt({ here }: RotationSetup) {
  const rotated = await here.agent.requests.rotateNow(name);
  if (!rotated.ok) throw new Error(rotated.refusal.reason.code);
  return here.view(name);
}

/** The keys of rotation calls, attempt by attempt. */
export function keysSent({ proxy }: Pick<RotationSetup, 'proxy'>): (string | undefined)[] {
  return proxy.seen.filter(({ path }) => path === '/v1/auth/rotate').map((call) => call.idempotencyKey);
}

export function failures({ here }: Pick<RotationSetup, 'here'>): AuditEvent<'credential.rotation_failed'>[] {
  return here.events.filter((event) => event.kind === 'credential.rotation_failed');
}

/** Everything that is promised of a healthy credential: one Active token in its family, which is in the vault. */
export async function expectWhole(setup: RotationSetup, generation: number): Promise<void> {
  const { here, there, time } = setup;
  expect(here.view(name)).toMatchObject({
    state: 'fine',
    message: null,
    trouble: null,
    rotation: null,
    generation,
  });
  const tokens = [...there.store.state.tokens.values()];
  const active = tokens.filter((token) => statusAt(token, time.nowMs) === 'Active');
  expect(active).toHaveLength(1);
  const value = (await here.valueOf(name)) ?? '';
  expect(digestOf(value)).toBe(active[0]?.digest);
  expect(await here.vault.read(pending)).toBeNull();
  expect(here.failures).toEqual([]);
  expectNoToken(setup);
}

/** Neither history and no message for a person contains a token. */
export function expectNoToken({ here, there, first }: RotationSetup): void {
  const histories = JSON.stringify([here.events, there.events, here.view(name)]);
  expect(histories).not.toContain(first);
  expect(histories).not.toMatch(/rvx_[0-9A-Za-z]{10}/);
}

/** A new process that continues with what the previous one left. */
export async function restart({ here, time }: RotationSetup, ledger: Ledger = here.store): Promise<Agent> {
  await here.agent.close();
  const { vault, baseUrl } = here;
  return makeAgent({ ledger, vault, clock: time.clock, timer: time, embeddedUrl: () => baseUrl });
}

/** The owner of the service blacklists the first token that it issued. */
export async function blacklist({ there }: RotationSetup): Promise<void> {
  const [token] = [...there.store.state.tokens.values()];
  const reply = await fetch(`${there.baseUrl}/portal/tokens/${token?.id ?? ''}/blacklist`, {
    method: 'POST',
    headers: { authorization: `Bearer ${there.service.sessions.portalKey}` },
  });
  expect(reply.status).toBe(200);
}
