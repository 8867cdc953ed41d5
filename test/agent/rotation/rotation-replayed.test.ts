import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { credentialIdNamed } from '../../fixtures/credential-events.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { noon } from '../../fixtures/make-events.ts';
import { setUpAgent } from '../agent-setup.ts';
import { name, setUpRotation } from './rotation-setup.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';

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
