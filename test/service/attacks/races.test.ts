import { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RotateReply } from '../../../src/contract/token.ts';
import { dayMs } from '../../../src/core/token/token.ts';
import type { Answer } from '../../fixtures/send-call.ts';
import { type AttackGround, makeGround, rotate } from './attack-ground.ts';
import { expectRefusal } from './expect-refusal.ts';

function poolOf(maxSockets: number): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets });
  onTestFinished(() => {
    agent.destroy();
  });
  return agent;
}

function rotateWith(ground: AttackGround, bearer: string, agent: Agent, key?: string): Promise<Answer> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return ground.call({ method: 'POST', path: '/v1/auth/rotate', bearer, agent, headers });
}

function statusesOf({ store }: AttackGround, familyId: string): string[] {
  return [...store.state.tokens.values()]
    .filter((token) => token.familyId === familyId)
    .sort((a, b) => a.generation - b.generation)
    .map(({ status }) => status);
}

function rotationsIn({ events }: AttackGround): number {
  return events.filter(({ kind }) => kind === 'token.rotated').length;
}

describe('rotations of one token at once', () => {
  it.each([
    [2, 2],
    [200, 200],
    [200, 8],
  ])(
    '%i of them over %i sockets: one is done, all others are told that the token is invalid',
    async (count, sockets) => {
      const ground = await makeGround();
      const token = await ground.issue();
      const agent = poolOf(sockets);
      const answers = await Promise.all(
        Array.from({ length: count }, () => rotateWith(ground, token.access_token, agent)),
      );
      const done = answers.filter(({ status }) => status === 200);
      expect(done).toHaveLength(1);
      for (const answer of answers) if (answer !== done[0]) expectRefusal(answer, 'token_invalid', 'auth');
      expect(statusesOf(ground, token.family_id)).toEqual(['Superseded', 'Active']);
      expect(rotationsIn(ground)).toBe(1);
      const { access_token: successor } = JSON.parse(done[0]!.text) as RotateReply;
      expect((await rotate(ground, successor)).status).toBe(200);
    },
  );

  it('200 of them with one Idempotency-Key: all get the same successor, and there is one rotation', async () => {
    const ground = await makeGround();
    const token = await ground.issue();
    const agent = poolOf(200);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => rotateWith(ground, token.access_token, agent, 'one-key')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(statusesOf(ground, token.family_id)).toEqual(['Superseded', 'Active']);
    expect(rotationsIn(ground)).toBe(1);
  });

  it('200 of them with 20 keys: the ones with the key that won get the successor, all others nothing', async () => {
    const ground = await makeGround();
    const token = await ground.issue();
    const agent = poolOf(64);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, place) => {
        const key = `key-${place % 20}`;
        return { key, answer: await rotateWith(ground, token.access_token, agent, key) };
      }),
    );
    const done = answers.filter(({ answer }) => answer.status === 200);
    expect(new Set(done.map(({ key }) => key)).size).toBe(1);
    expect(done).toHaveLength(10);
    expect(new Set(done.map(({ answer }) => answer.text)).size).toBe(1);
    expect(
      new Set(answers.filter(({ answer }) => answer.status !== 200).map(({ answer }) => answer.status)),
    ).toEqual(new Set([401]));
    expect(rotationsIn(ground)).toBe(1);
  });

  it('a key of another token, or the same key for the next one, is another key', async () => {
    const ground = await makeGround();
    const [first, second] = [await ground.issue(), await ground.issue()];
    const headers = { 'idempotency-key': 'the-same' };
    const one = await rotate(ground, first.access_token, headers);
    const two = await rotate(ground, second.access_token, headers);
    const { access_token: successor } = JSON.parse(one.text) as RotateReply;
    const next = await rotate(ground, successor, headers);
    expect([one.status, two.status, next.status]).toEqual([200, 200, 200]);
    expect(new Set([one.text, two.text, next.text]).size).toBe(3);
    expect((await rotate(ground, first.access_token, headers)).status).toBe(401);
  });

  it('whole families at once: each gets exactly its own successors', async () => {
    const ground = await makeGround();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => ground.issue()));
    const agent = poolOf(100);
    const answers = await Promise.all(
      tokens.flatMap(({ access_token: token, family_id: family }) =>
        Array.from({ length: 10 }, async () => ({ family, answer: await rotateWith(ground, token, agent) })),
      ),
    );
    const done = answers.filter(({ answer }) => answer.status === 200);
    expect(new Set(done.map(({ family }) => family)).size).toBe(20);
    expect(done).toHaveLength(20);
    for (const { family_id: family } of tokens)
      expect(statusesOf(ground, family)).toEqual(['Superseded', 'Active']);
  });
});

describe('a rotation that races', () => {
  it.each([
    ['suspend', 'Suspended', 403],
    ['blacklist', 'Blacklisted', 403],
  ] as const)(
    '%s of the same token: one of them is first, and both are told the truth',
    async (move, state, refused) => {
      const ground = await makeGround();
      const seen = new Set<string>();
      for (let round = 0; round < 30; round += 1) {
        const token = await ground.issue();
        const calls = [
          () => rotate(ground, token.access_token),
          () =>
            ground.call({
              method: 'POST',
              path: `/portal/tokens/${token.id}/${move}`,
              bearer: ground.service.sessions.portalKey,
            }),
        ];
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        const started = order.map((place) => ({ place, answer: calls[place]!() }));
        const answers = await Promise.all(
          started.sort((a, b) => a.place - b.place).map(({ answer }) => answer),
        );
        const [rotation, moved] = answers.map(({ status }) => status);
        const statuses = statusesOf(ground, token.family_id);
        if (rotation === 200) {
          expect([moved, ...statuses]).toEqual([409, 'Superseded', 'Active']);
          seen.add('rotation');
        } else {
          expect([rotation, moved, ...statuses]).toEqual([refused, 200, state]);
          seen.add('move');
        }
      }
      expect(seen.size, [...seen].join()).toBeGreaterThanOrEqual(1);
    },
  );

  it('refreshes of the same token: access tokens of the old one end with it', async () => {
    const ground = await makeGround();
    const token = await ground.issue();
    const agent = poolOf(50);
    const [rotation, ...refreshes] = await Promise.all([
      rotateWith(ground, token.access_token, agent),
      ...Array.from({ length: 49 }, () =>
        ground.call({ method: 'POST', path: '/v1/auth/refresh', bearer: token.access_token, agent }),
      ),
    ]);
    expect(rotation.status).toBe(200);
    for (const refresh of refreshes) {
      if (refresh.status !== 200) {
        expectRefusal(refresh, 'token_invalid', 'auth');
        continue;
      }
      const { access_token: access } = JSON.parse(refresh.text) as { access_token: string };
      const use = await ground.call({ method: 'GET', path: '/v1/ivrs', bearer: access });
      expectRefusal(use, 'token_invalid', 'ivr');
    }
    expect(statusesOf(ground, token.family_id)).toEqual(['Superseded', 'Active']);
  });

  it('its own expiry: before the instant it is done, at the instant and after it is refused, and recorded once', async () => {
    let nowMs = Date.parse('2026-03-01T10:00:00.000Z');
    const ground = await makeGround({ clock: () => nowMs });
    const tokens = await Promise.all(Array.from({ length: 40 }, () => ground.issue({ validity_days: 1 })));
    const agent = poolOf(40);
    nowMs += dayMs - 1;
    const before = await Promise.all(
      tokens.slice(0, 20).map((one) => rotateWith(ground, one.access_token, agent)),
    );
    nowMs += 1;
    const atTheInstant = tokens.slice(20).map((one) => rotateWith(ground, one.access_token, agent));
    ground.service.wake();
    const refused = await Promise.all(atTheInstant);
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of refused) expectRefusal(answer, 'token_expired', 'auth');
    ground.service.wake();
    for (; ground.events.filter(({ kind }) => kind === 'token.expired').length < 20;) {
      await new Promise(setImmediate);
    }
    ground.service.wake();
    await ground.owner('GET', '/portal/status');
    expect(ground.events.filter(({ kind }) => kind === 'token.expired')).toHaveLength(20);
    // The successors live on: their validity began when they were made.
    expect(ground.store.state.tokens.counts).toMatchObject({ Active: 20, Expired: 20, Superseded: 20 });
  });

  it('a resume: a suspended token is not rotated before it, and is after it', async () => {
    const ground = await makeGround();
    for (let round = 0; round < 20; round += 1) {
      const token = await ground.issue();
      await ground.owner('POST', `/portal/tokens/${token.id}/suspend`);
      const [rotation, resumed] = await Promise.all([
        rotate(ground, token.access_token),
        ground.call({
          method: 'POST',
          path: `/portal/tokens/${token.id}/resume`,
          bearer: ground.service.sessions.portalKey,
        }),
      ]);
      expect(resumed.status === 200 || (resumed.status === 409 && rotation.status === 200)).toBe(true);
      expect(statusesOf(ground, token.family_id)).toEqual(
        rotation.status === 200 ? ['Superseded', 'Active'] : ['Active'],
      );
    }
  });

  it('the end of the service: whoever is told that it is done finds it done after the next start', async () => {
    const ground = await makeGround();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => ground.issue()));
    const answers = tokens.map(async ({ access_token: token }) => {
      try {
        return (await rotate(ground, token)).status;
      } catch {
        return 0;
      }
    });
    await ground.service.app.close();
    const done = (await Promise.all(answers)).filter((status) => status === 200).length;
    await ground.store.close();
    expect(rotationsIn(ground)).toBeGreaterThanOrEqual(done);
    expect(ground.store.state.tokens.counts.Active).toBe(50);
  });
});
