import { setImmediate as nextTurn } from 'node:timers/promises';
import { lockKeyOf, runExclusive } from '../../../src/agent/run-exclusive.ts';
import type { AuditEvent, EventKind } from '../../../src/contract/history/audit-event.ts';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import type { TokenStatus } from '../../../src/contract/token/token.ts';
import type { Credential } from '../../../src/core/credential/credential-state.ts';
import { credentialNamed } from '../../../src/core/credential/find-credential.ts';
import { nextDeliveryMs, nextRotationMs } from '../../../src/core/credential/next-action.ts';
import { deriveCredential } from '../../../src/core/credential/derive-credential.ts';
import { familyOf } from '../../../src/core/credential/view-credential.ts';
import { statusAt } from '../../../src/core/token/token-record.ts';
import { type AgentSetup, setUpAgent } from '../agent-setup.ts';

/** How many rotations are at the service now. */
export interface Traffic {
  asked: number;
  open: number;
  mostOpen: number;
}

/** A setup in which time passes and the rotation loop runs. */
export interface LoopSetup extends AgentSetup {
  readonly traffic: Traffic;
  /** Lets time pass; what becomes due meanwhile is finished before it goes on. */
  pass(ms: number): Promise<void>;
  passUntil(instant: string | number): Promise<void>;
  /** Makes the agent check the clock, and waits until it has finished. */
  wake(): Promise<void>;
  /** Settles when a condition holds; it is checked after every event, call and failure. */
  until(condition: () => boolean): Promise<void>;
  /** Settles when this many attempts could not be recorded. */
  untilFailed(count: number): Promise<void>;
  /** Settles when nothing is due and nothing is running. Throws when an attempt could not be recorded. */
  settled(): Promise<void>;
  eventsOf<K extends EventKind>(kind: K, id?: CredentialId): AuditEvent<K>[];
  /** The states of every token in the family of a credential's token, oldest first. */
  statusesOf(name: string): TokenStatus[];
  /** A request of the owner, over HTTP. Throws when it is refused. */
  wanted(method: string, path: string, body?: unknown): Promise<unknown>;
}

export async function setUpLoop(
  options: Omit<NonNullable<Parameters<typeof setUpAgent>[0]>, 'vault'> = {},
): Promise<LoopSetup> {
  let news = Promise.withResolvers<undefined>();
  const setup: AgentSetup = await setUpAgent({ ...options, onFailure: tell });
  const { time, store, service, agent, baseUrl, events, failures } = setup;
  const zone = options.zone ?? (() => 0);
  const traffic: Traffic = { asked: 0, open: 0, mostOpen: 0 };
  let dueLast: CredentialId | null = null;
  store.subscribe(tell);
  agent.requests.onToolWait(tell);
  service.app.server.on('request', (request, response) => {
    if (request.url !== '/v1/auth/rotate') return;
    traffic.asked += 1;
    traffic.open += 1;
    traffic.mostOpen = Math.max(traffic.mostOpen, traffic.open);
    response.once('close', () => {
      traffic.open -= 1;
      tell();
    });
    tell();
  });
  return {
    ...setup,
    traffic,
    pass: (ms) => time.advance(ms, settled),
    passUntil: (instant) => time.advance(new Date(instant).getTime() - time.nowMs, settled),
    async wake() {
      agent.wake();
      await time.advance(0, settled);
    },
    until,
    untilFailed: (count) => until(() => failures.length >= count),
    settled,
    eventsOf<K extends EventKind>(kind: K, id?: CredentialId) {
      const found = events.filter(
        (event) => event.kind === kind && (id === undefined || event.subject === id),
      );
      return found as unknown as AuditEvent<K>[];
    },
    statusesOf(name) {
      const { state } = store;
      const credential = credentialNamed(state, name);
      const family = credential === undefined ? undefined : familyOf(state, credential);
      if (family === undefined) throw new Error(`The value of ${name} has no family here`);
      return Array.from({ length: state.tokens.generationsOf(family.id) }, (_, place) => {
        const token = state.tokens.ofFamily(family.id, place + 1);
        if (token === undefined) throw new Error(`Generation ${place + 1} of ${family.id} is missing`);
        return statusAt(token, time.nowMs);
      });
    },
    async wanted(method, path, body) {
      const reply = await fetch(`${baseUrl}/portal${path}`, {
        method,
        headers: {
          authorization: `Bearer ${service.sessions.portalKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer: unknown = await reply.json();
      if (!reply.ok) throw new Error(`${method} ${path} is refused: ${JSON.stringify(answer)}`);
      return answer;
    },
  };

  function tell(): void {
    news.resolve(undefined);
    news = Promise.withResolvers();
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await news.promise;
  }

  function isAnythingDue(): boolean {
    // Looked at first: most of the time it still is, and a look at all of many credentials after each event takes longer than their work.
    const last = dueLast === null ? undefined : store.state.credentials.get(dueLast);
    if (last !== undefined && isDue(last)) return true;
    for (const credential of store.state.credentials.values()) {
      if (!isDue(credential)) continue;
      dueLast = credential.id;
      return true;
    }
    return false;
  }

  function isDue(record: Credential): boolean {
    const { nowMs } = time;
    const credential = deriveCredential(store.state, record, nowMs);
    const instants = credential.targets.map((target) => nextDeliveryMs(credential, target, nowMs));
    // A service that asks to wait is called when time has passed, and a tool that runs is waited for.
    const { holdOf, toolWaitOf } = agent.requests;
    if (holdOf(credential) === null && toolWaitOf(credential) === null)
      instants.push(nextRotationMs(credential, nowMs, zone));
    return instants.some((ms) => ms !== null && ms <= nowMs);
  }

  async function settled(): Promise<void> {
    if (!isAnythingDue()) return;
    const before = failures.length;
    while (isAnythingDue()) {
      await news.promise;
      if (failures.length > before) throw new Error('An attempt ended badly', { cause: failures.at(-1) });
      await nextTurn();
      // What follows at the same instant, as a delivery follows a rotation, waits for another timer.
      await time.advance(0);
    }
    // The record is the last step but one: after it the loop has to learn that the work is over.
    for (const id of store.state.credentials.keys())
      await runExclusive(lockKeyOf(id), () => Promise.resolve());
    await nextTurn();
  }
}
