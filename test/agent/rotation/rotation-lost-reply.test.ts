import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import {
  attempt,
  blacklist,
  expectNoToken,
  failures,
  keysSent,
  setUpRotation,
  name,
  pending,
  type RotationSetup,
  restart,
} from './rotation-setup.ts';
import { RefusingLedger } from '../full-disk-setup.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { credentialIdNamed } from '../../fixtures/credential-events.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { setUpAgent } from '../agent-setup.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';

/** Two attempts at a service that ignores keys; the answer to the first is lost. */
async function loseReply(setup: RotationSetup) {
  setup.proxy.forgetsKeys = true;
  setup.proxy.faults.push('drop_reply');
  const first = await attempt(setup);
  setup.time.jump(5 * 60_000);
  return { first, second: await attempt(setup) };
}

describe('a service that knows no idempotency, and whose reply was lost', () => {
  it('is said to be just that: what was begun, where, and what became of it', async () => {
    const setup = await setUpRotation();
    const { proxy } = setup;
    const { first, second } = await loseReply(setup);
    expect(first).toMatchObject({ state: 'failing', trouble: { kind: 'unreachable' } });
    expect(second).toMatchObject({
      state: 'reply_lost',
      message:
        `${proxy.baseUrl} gave no reply with a new token to the rotation started at 2026-01-10T12:00:00.000Z, and ` +
        `no longer knows the old token. It has most likely replaced it with a token that nobody received.`,
      trouble: { kind: 'reply_lost', attempts: 2, next_try_at: null },
      rotation: { begun_at: '2026-01-10T12:00:00.000Z' },
      next_rotation_at: null,
      planned: [],
    });
    // Both facts are kept: the answer was lost, and the service refuses the token now.
    expect(failures(setup).map(({ data }) => [data.kind, data.may_have_acted])).toEqual([
      ['unreachable', true],
      ['reply_lost', true],
    ]);
    expectNoToken(setup);
  });

  it('is left alone from then on', async () => {
    const setup = await setUpRotation();
    const { here, time } = setup;
    await loseReply(setup);
    here.agent.start();
    for (let days = 1; days <= 30; days += 1) {
      time.jump(dayMs);
      here.agent.wake();
      await time.advance(0);
      await new Promise(setImmediate);
    }
    expect(keysSent(setup)).toHaveLength(2);
    expect(here.view(name).state).toBe('reply_lost');
  });

  it('is reported the same after another attempt of the person, now or after a restart', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    const { second } = await loseReply(setup);
    expect((await attempt(setup)).trouble).toMatchObject({ kind: 'reply_lost', message: second.message });
    const next = await restart(setup);
    for (let round = 0; round < 2; round += 1) {
      await next.requests.rotateNow(name);
      expect(here.view(name).trouble).toMatchObject({ kind: 'reply_lost', message: second.message });
    }
  });

  it('takes the entered token in place: the same credential, every target, no trouble', async () => {
    const setup = await setUpRotation();
    const { here, there, first } = setup;
    const path = join(makeFolder(), 'token');
    await here.store.transact((state) =>
      addTarget(state, name, 'target_1' as TargetId, { kind: 'file', path }),
    );
    const before = here.view(name).id;
    await loseReply(setup);
    expect(await here.valueOf(name)).toBe(first);

    const orphan = [...there.store.state.tokens.values()].at(-1);
    const issued = await there.issue();
    const pasted = await here.agent.requests.replaceValue(name, { value: issued.value }, 'pasted');
    expect(pasted).toEqual({ ok: true, value: before });
    expect(await here.valueOf(name)).toBe(issued.value);
    expect(await here.vault.read(pending)).toBeNull();
    expect(here.view(name)).toMatchObject({
      id: before,
      state: 'fine',
      trouble: null,
      rotation: null,
      generation: 2,
    });
    expect(here.view(name).planned).not.toEqual([]);

    here.agent.start();
    const delivered = here.next('credential.delivered');
    await setup.time.advance(0);
    expect((await delivered).data.generation).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe(`${issued.value}\n`);

    // It continues from there, with a new key. The token that was never received is left to the portal.
    await here.agent.requests.rotateNow(name);
    await here.agent.close();
    expect(here.view(name)).toMatchObject({ generation: 3, trouble: null });
    expect(new Set(keysSent(setup)).size).toBe(2);
    expect(here.events.filter(({ kind }) => kind === 'credential.value_replaced')).toHaveLength(1);
    expect(orphan?.status).toBe('Active');
    expectNoToken(setup);
  });

  it('refuses a token that the service refuses, and stays unchanged', async () => {
    const setup = await setUpRotation();
    const { here, first } = setup;
    const { second } = await loseReply(setup);
    const refused = await here.agent.requests.replaceValue(name, { value: first }, 'pasted');
    expect(refused).toMatchObject({ ok: false, refusal: { problem: 'bad_request', field: 'value' } });
    expect(here.view(name)).toMatchObject({ state: 'reply_lost', message: second.message, generation: 1 });
    expect(await here.valueOf(name)).toBe(first);
  });
});

describe('a reply that was lost with the process, or with the disk', () => {
  /** The service acted, and the failure could not be recorded. */
  async function loseReplyUnrecorded() {
    const made: RefusingLedger[] = [];
    const setup = await setUpRotation({
      ledgerFor(store) {
        const ledger = new RefusingLedger(store, () => noon);
        made.push(ledger);
        return ledger;
      },
    });
    const [ledger] = made;
    if (ledger === undefined) throw new Error('The setup made no ledger');
    setup.proxy.forgetsKeys = true;
    setup.proxy.faults.push('drop_reply');
    ledger.refuses = 'credential.rotation_failed';
    await expect(attempt(setup)).rejects.toThrow('ENOSPC');
    expect(failures(setup)).toEqual([]);
    ledger.refuses = 'nothing';
    return setup;
  }

  it('is known to the same process', async () => {
    const setup = await loseReplyUnrecorded();
    expect(await attempt(setup)).toMatchObject({ state: 'reply_lost' });
  });

  it('is known to the next one', async () => {
    const setup = await loseReplyUnrecorded();
    const next = await restart(setup, setup.here.store);
    await next.requests.rotateNow(name);
    expect(setup.here.view(name)).toMatchObject({ state: 'reply_lost' });
  });

  it('is not forgotten after an attempt that could not connect', async () => {
    const setup = await loseReplyUnrecorded();
    const next = await restart(setup, setup.here.store);
    setup.proxy.faults.push({ status: 429 });
    for (const state of ['failing', 'reply_lost']) {
      await next.requests.rotateNow(name);
      expect(setup.here.view(name).state).toBe(state);
      // Longer than a service is left alone that does not say how long.
      setup.time.jump(61_000);
    }
  });

  it('is not claimed of a rotation that was never sent', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    here.vault.fail('locked');
    expect((await attempt(setup)).trouble?.kind).toBe('vault');
    here.vault.heal();
    const next = await restart(setup);
    await blacklist(setup);
    setup.proxy.faults.push({ status: 401 });
    await next.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'refused', trouble: { kind: 'invalid' } });
  });
});

const hourMs = 3_600_000;

describe('the service of this program, whose reply was lost', () => {
  type EmbeddedSetup = Awaited<ReturnType<typeof makeEmbedded>>;

  async function makeEmbedded() {
    const here = await setUpAgent();
    const { time, store, vault } = here;
    const proxy = await startFaultyProxy(() => here.baseUrl);
    const agent = makeAgent({
      ledger: store,
      vault,
      clock: time.clock,
      timer: time,
      embeddedUrl: () => proxy.baseUrl,
    });
    const { value } = await here.issue();
    const added = await agent.requests.add(credentialIdNamed(name), { name, value, base_url: null });
    expect(added.ok).toBe(true);
    proxy.faults.push('drop_reply');
    await agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'failing', generation: 1 });
    return { here, agent, proxy, time, value };
  }

  it('answers again within a day, and the rotation ends well', async () => {
    const { here, agent, time } = await makeEmbedded();
    time.jump(24 * hourMs - 1);
    await agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
    expect(await here.tryValue((await here.valueOf(name)) ?? '')).toBe(200);
    expect(here.events.filter(({ kind }) => kind === 'token.rotated')).toHaveLength(1);
  });

  const noMore: Record<string, (setup: EmbeddedSetup) => Promise<void>> = {
    'after a day': async ({ time }) => {
      time.jump(25 * hourMs);
    },
    'after somebody else got the answer and used it': async ({ proxy, value, here }) => {
      const key = proxy.seen.find((call) => call.idempotencyKey !== undefined)?.idempotencyKey ?? '';
      const reply = await fetch(`${here.baseUrl}/v1/auth/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${value}`, 'idempotency-key': key },
      });
      const { access_token: successor } = (await reply.json()) as { access_token: string };
      expect(await here.tryValue(successor)).toBe(200);
    },
  };
  it.each(Object.entries(noMore))(
    'does not answer again %s: it is issued again',
    async (_when, meanwhile) => {
      const setup = await makeEmbedded();
      const { here, agent, proxy } = setup;
      await meanwhile(setup);
      await agent.requests.rotateNow(name);
      expect(here.view(name)).toMatchObject({
        state: 'reply_lost',
        message:
          `${proxy.baseUrl} gave no reply with a new token to the rotation started at 2026-01-10T12:00:00.000Z, and ` +
          `no longer knows the old token. It has most likely replaced it with a token that nobody received.`,
        next_rotation_at: null,
      });
      const { id, generation } = here.view(name);
      const issued = await here.issue();
      const reissued = await agent.requests.replaceValue(name, { value: issued.value }, 'reissued');
      expect(reissued).toEqual({ ok: true, value: id });
      expect(here.view(name)).toMatchObject({ state: 'fine', generation: generation + 1, trouble: null });
      expect(await here.valueOf(name)).toBe(issued.value);
    },
  );
});

describe('a reply to the same key sent again', () => {
  it('returns a token that is as old as the first call, where its expiry is unknown', async () => {
    const replies: ('lost' | 'given')[] = ['lost', 'given', 'given'];
    const service = await startAnsweringService((incoming, answer) => {
      if (incoming.method === 'GET') answer.writeHead(404).end();
      else if (replies.shift() === 'lost') incoming.socket.destroy();
      else answer.end(JSON.stringify({ access_token: `rvx_fresh${replies.length}`, validity_days: 1 }));
    });
    const here = await setUpAgent();
    await here.keep({ name, value: 'rvx_old', base_url: service.baseUrl, validity_days: 1 });
    await here.agent.requests.rotateNow(name);
    here.time.jump(20 * hourMs);
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({
      generation: 2,
      expires_at: new Date(noon + dayMs).toISOString(),
    });

    // Without a loss it is as old as its own call.
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({
      generation: 3,
      expires_at: new Date(noon + 20 * hourMs + dayMs).toISOString(),
    });
  });
});

it('waits for a rotation also a moment after the token was replaced before', async () => {
  const { here, proxy } = await setUpRotation();
  const { requests } = here.agent;
  const callOnce = async () => {
    const access = await requests.accessFor(name);
    if (!access.ok) throw new Error(access.refusal.reason.code);
    access.value.settle();
  };
  // Each call keeps its token for a second; the second one is kept half a second longer.
  await callOnce();
  await wait(500);
  await requests.rotateNow(name);
  await callOnce();
  await wait(600);
  const asked = Promise.withResolvers<undefined>();
  proxy.onAnswered = () => asked.resolve(undefined);
  proxy.faults.push('hang');
  const rotating = requests.rotateNow(name);
  await asked.promise;
  await wait(600);
  let isOver = false;
  const access = requests.accessFor(name).finally(() => (isOver = true));
  await wait(100);
  expect(isOver).toBe(false);
  await proxy.close();
  await rotating;
  await access;
});
