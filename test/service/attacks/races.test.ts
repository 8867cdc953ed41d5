import type { Agent } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RotateReply } from '../../../src/contract/token/token.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import type { Answer } from '../../fixtures/send-call.ts';
import { type AttackSetup, makeSetup, rotate, expectRefusal } from './attack-setup.ts';

function poolOf(setup: AttackSetup, maxSockets: number): Agent {
  const agent = setup.agent({ keepAlive: true, maxSockets });
  onTestFinished(() => {
    agent.destroy();
  });
  return agent;
}

function rotateWith(setup: AttackSetup, bearer: string, agent: Agent, key?: string): Promise<Answer> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return setup.call({ method: 'POST', path: '/v1/auth/rotate', bearer, agent, headers });
}

function statusesOf({ store }: AttackSetup, familyId: string): string[] {
  return [...store.state.tokens.values()]
    .filter((token) => token.familyId === familyId)
    .sort((a, b) => a.generation - b.generation)
    .map(({ status }) => status);
}

function rotationsIn({ events }: AttackSetup): number {
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
      const setup = await makeSetup();
      const token = await setup.issue();
      const agent = poolOf(setup, sockets);
      const answers = await Promise.all(
        Array.from({ length: count }, () => rotateWith(setup, token.access_token, agent)),
      );
      const done = answers.filter(({ status }) => status === 200);
      expect(done).toHaveLength(1);
      for (const answer of answers) if (answer !== done[0]) expectRefusal(answer, 'token_invalid', 'auth');
      expect(statusesOf(setup, token.family_id)).toEqual(['Superseded', 'Active']);
      expect(rotationsIn(setup)).toBe(1);
      const { access_token: successor } = JSON.parse(done[0]!.text) as RotateReply;
      expect((await rotate(setup, successor)).status).toBe(200);
    },
  );

  it('200 of them with one Idempotency-Key: all get the same successor, and there is one rotation', async () => {
    const setup = await makeSetup();
    const token = await setup.issue();
    const agent = poolOf(setup, 200);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => rotateWith(setup, token.access_token, agent, 'one-key')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(statusesOf(setup, token.family_id)).toEqual(['Superseded', 'Active']);
    expect(rotationsIn(setup)).toBe(1);
  });

  it('200 of them with 20 keys: the ones with the key that won get the successor, all others nothing', async () => {
    const setup = await makeSetup();
    const token = await setup.issue();
    const agent = poolOf(setup, 64);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, place) => {
        const key = `key-${place % 20}`;
        return { key, answer: await rotateWith(setup, token.access_token, agent, key) };
      }),
    );
    const done = answers.filter(({ answer }) => answer.status === 200);
    expect(new Set(done.map(({ key }) => key)).size).toBe(1);
    expect(done).toHaveLength(10);
    expect(new Set(done.map(({ answer }) => answer.text)).size).toBe(1);
    expect(
      new Set(answers.filter(({ answer }) => answer.status !== 200).map(({ answer }) => answer.status)),
    ).toEqual(new Set([401]));
    expect(rotationsIn(setup)).toBe(1);
  });

  it('a key of another token, or the same key for the next one, is another key', async () => {
    const setup = await makeSetup();
    const [first, second] = [await setup.issue(), await setup.issue()];
    const headers = { 'idempotency-key': 'the-same' };
    const one = await rotate(setup, first.access_token, headers);
    const two = await rotate(setup, second.access_token, headers);
    const { access_token: successor } = JSON.parse(one.text) as RotateReply;
    const next = await rotate(setup, successor, headers);
    expect([one.status, two.status, next.status]).toEqual([200, 200, 200]);
    expect(new Set([one.text, two.text, next.text]).size).toBe(3);
    expect((await rotate(setup, first.access_token, headers)).status).toBe(401);
  });

  it('whole families at once: each gets exactly its own successors', async () => {
    const setup = await makeSetup();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => setup.issue()));
    const agent = poolOf(setup, 100);
    const answers = await Promise.all(
      tokens.flatMap(({ access_token: token, family_id: family }) =>
        Array.from({ length: 10 }, async () => ({ family, answer: await rotateWith(setup, token, agent) })),
      ),
    );
    const done = answers.filter(({ answer }) => answer.status === 200);
    expect(new Set(done.map(({ family }) => family)).size).toBe(20);
    expect(done).toHaveLength(20);
    for (const { family_id: family } of tokens)
      expect(statusesOf(setup, family)).toEqual(['Superseded', 'Active']);
  });
});

describe('a rotation that races', () => {
  it.each([
    ['suspend', 'Suspended', 403],
    ['blacklist', 'Blacklisted', 403],
  ] as const)(
    '%s of the same token: one of them is first, and both are told the truth',
    async (move, state, refused) => {
      const setup = await makeSetup();
      const seen = new Set<string>();
      for (let round = 0; round < 30; round += 1) {
        const token = await setup.issue();
        const calls = [
          () => rotate(setup, token.access_token),
          () =>
            setup.call({
              method: 'POST',
              path: `/portal/tokens/${token.id}/${move}`,
              bearer: setup.service.sessions.portalKey,
            }),
        ];
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        const started = order.map((place) => ({ place, answer: calls[place]!() }));
        const answers = await Promise.all(
          started.sort((a, b) => a.place - b.place).map(({ answer }) => answer),
        );
        const [rotation, moved] = answers.map(({ status }) => status);
        const statuses = statusesOf(setup, token.family_id);
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
    const setup = await makeSetup();
    const token = await setup.issue();
    const agent = poolOf(setup, 50);
    const [rotation, ...refreshes] = await Promise.all([
      rotateWith(setup, token.access_token, agent),
      ...Array.from({ length: 49 }, () =>
        setup.call({ method: 'POST', path: '/v1/auth/refresh', bearer: token.access_token, agent }),
      ),
    ]);
    expect(rotation.status).toBe(200);
    for (const refresh of refreshes) {
      if (refresh.status !== 200) {
        expectRefusal(refresh, 'token_invalid', 'auth');
        continue;
      }
      const { access_token: access } = JSON.parse(refresh.text) as { access_token: string };
      const use = await setup.call({ method: 'GET', path: '/v1/ivrs', bearer: access });
      expectRefusal(use, 'token_invalid', 'ivr');
    }
    expect(statusesOf(setup, token.family_id)).toEqual(['Superseded', 'Active']);
  });

  it('its own expiry: before the instant it is done, at the instant and after it is refused, and recorded once', async () => {
    let nowMs = Date.parse('2026-03-01T10:00:00.000Z');
    const setup = await makeSetup({ clock: () => nowMs });
    const tokens = await Promise.all(Array.from({ length: 40 }, () => setup.issue({ validity_days: 1 })));
    const agent = poolOf(setup, 40);
    nowMs += dayMs - 1;
    const before = await Promise.all(
      tokens.slice(0, 20).map((one) => rotateWith(setup, one.access_token, agent)),
    );
    nowMs += 1;
    const atTheInstant = tokens.slice(20).map((one) => rotateWith(setup, one.access_token, agent));
    setup.service.wake();
    const refused = await Promise.all(atTheInstant);
    expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of refused) expectRefusal(answer, 'token_expired', 'auth');
    setup.service.wake();
    for (; setup.events.filter(({ kind }) => kind === 'token.expired').length < 20;) {
      await new Promise(setImmediate);
    }
    setup.service.wake();
    await setup.owner('GET', '/portal/status');
    expect(setup.events.filter(({ kind }) => kind === 'token.expired')).toHaveLength(20);
    // The successors stay valid: their validity began when they were issued.
    expect(setup.store.state.tokens.counts).toMatchObject({ Active: 20, Expired: 20, Superseded: 20 });
  });

  it('a resume: a suspended token is not rotated before it, and is after it', async () => {
    const setup = await makeSetup();
    for (let round = 0; round < 20; round += 1) {
      const token = await setup.issue();
      await setup.owner('POST', `/portal/tokens/${token.id}/suspend`);
      const [rotation, resumed] = await Promise.all([
        rotate(setup, token.access_token),
        setup.call({
          method: 'POST',
          path: `/portal/tokens/${token.id}/resume`,
          bearer: setup.service.sessions.portalKey,
        }),
      ]);
      expect(resumed.status === 200 || (resumed.status === 409 && rotation.status === 200)).toBe(true);
      expect(statusesOf(setup, token.family_id)).toEqual(
        rotation.status === 200 ? ['Superseded', 'Active'] : ['Active'],
      );
    }
  });

  it('the stop of the service: every acknowledged change exists after the next start', async () => {
    const setup = await makeSetup();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => setup.issue()));
    const answers = tokens.map(async ({ access_token: token }) => {
      try {
        return (await rotate(setup, token)).status;
      } catch {
        return 0;
      }
    });
    await setup.service.app.close();
    const done = (await Promise.all(answers)).filter((status) => status === 200).length;
    await setup.store.close();
    expect(rotationsIn(setup)).toBeGreaterThanOrEqual(done);
    expect(setup.store.state.tokens.counts.Active).toBe(50);
  });
});
