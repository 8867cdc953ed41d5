import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TokenValue } from '../../../src/contract/credential/credential.ts';
import { ConnectionTest } from '../../../src/contract/credential/credential-checks.ts';
import { CredentialView } from '../../../src/contract/credential/credential-view.ts';
import { OtherIvrId } from '../../../src/contract/menu/ivr.ts';
import { PublishReply } from '../../../src/contract/menu/ivr-draft.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type AgentSetup, setUpAgent } from '../../agent/agent-setup.ts';
import { setUpFullDisk } from '../../agent/full-disk-setup.ts';
import { targetIdNamed } from '../../fixtures/credential-events.ts';
import {
  answerPlainly,
  hostileReply,
  type HostileReply,
  lyingReply,
  menusBody,
  plainReply,
  rotationBody,
  selfBody,
  startRawService,
} from './hostile-service.ts';

const name = 'crm';
const first = 'rvx_TheOneThatIsToBeReplaced';
const rotate = 'POST /v1/auth/rotate';
const longestMs = 3650 * dayMs;

const self = fc.oneof(hostileReply(selfBody), lyingReply);

/** The token that a caller has to take from a reply; null if it contains none. */
function tokenIn({ isWhole, status, body }: HostileReply): string | null {
  if (!isWhole || (status !== 200 && status !== 201)) return null;
  if (typeof body !== 'object' || body === null || !('access_token' in body)) return null;
  const token = TokenValue.safeParse(body.access_token);
  return token.success && token.data !== first ? token.data : null;
}

/** Everything that is shown of it is readable for its audience. */
function expectShowable({ view, time }: AgentSetup): CredentialView {
  const shown = CredentialView.parse(view(name));
  const { obtained_at: from, expires_at: until, next_rotation_at: next, trouble } = shown;
  for (const instant of [from, until, ...shown.planned, ...(next === null ? [] : [next])]) {
    expect(instant).toBe(new Date(instant).toISOString());
  }
  expect(Date.parse(from)).toBeLessThanOrEqual(time.nowMs);
  expect(Date.parse(until)).toBeGreaterThan(time.nowMs);
  expect(Date.parse(until)).toBeLessThanOrEqual(time.nowMs + longestMs);
  if (trouble !== null) {
    expect(trouble.message).not.toContain(first);
    expect(trouble.message.isWellFormed()).toBe(true);
    if (trouble.next_try_at !== null) {
      expect(Date.parse(trouble.next_try_at) - time.nowMs).toBeLessThanOrEqual(1.1 * dayMs);
    }
  }
  return shown;
}

const hourMs = 3_600_000;

describe('whatever a service answers', () => {
  for (const [replies, tags] of [
    [30, []],
    [200, ['long']],
  ] as const) {
    const title = `a rotation ends in a state that is known, and a token that came is in the vault and at its target: ${replies} replies`;
    it(title, { tags: [...tags], timeout: 2_000 * replies }, async () => {
      const here = await setUpAgent();
      const service = await startRawService();
      const file = join(makeFolder(), 'crm-token');
      let rotated = 0;
      await fc.assert(
        fc.asyncProperty(hostileReply(rotationBody), self, async (answer, told) => {
          // Longer than any service may ask to wait.
          here.time.jump(25 * hourMs);
          service.reply = answerPlainly;
          await here.keep({ name, value: first, base_url: service.baseUrl, validity_days: 7 });
          const targetId = targetIdNamed(name);
          await here.store.transact((state) =>
            addTarget(state, name, targetId, { kind: 'file', path: file }),
          );
          service.reply = (call) => (call === rotate ? answer : told);

          expect(await here.agent.requests.rotateNow(name)).toMatchObject({ ok: true });
          const delivered = await here.agent.requests.deliverNow(name, targetId);

          const { generation, trouble, targets } = expectShowable(here);
          const token = tokenIn(answer);
          if (token !== null) expect(generation).toBe(2);
          const current = await here.valueOf(name);
          if (delivered.ok) {
            expect(readFileSync(file, 'utf8')).toBe(`${current ?? ''}\n`);
            expect(targets).toMatchObject([{ status: 'delivered', generation }]);
          } else {
            // Its service has said that the old token does not work: that token is not delivered.
            expect(delivered.refusal.problem).toBe('token_unusable');
            expect(generation).toBe(1);
          }
          if (generation === 2) {
            rotated += 1;
            expect(trouble).toBeNull();
            expect(current).not.toBe(first);
            if (token !== null) expect(current).toBe(token);
          } else {
            expect(trouble?.message).toContain(service.baseUrl);
            expect(current).toBe(first);
          }
          expect(here.failures).toEqual([]);
          expect(await here.agent.requests.remove(name)).toMatchObject({ ok: true });
        }),
        { numRuns: replies },
      );
      expect(rotated, 'some of the replies are good ones').toBeGreaterThan(replies / 7);
    });
  }

  for (const [replies, tags] of [
    [20, []],
    [100, ['long']],
  ] as const) {
    const title = `a test of a token and the adding of it end in an answer: ${replies} replies`;
    it(title, { tags: [...tags], timeout: 60_000 }, async () => {
      const here = await setUpAgent();
      const service = await startRawService();
      await fc.assert(
        fc.asyncProperty(self, async (told) => {
          here.time.jump(25 * hourMs);
          service.reply = () => told;
          const brought = { value: first, base_url: service.baseUrl };
          ConnectionTest.parse(await here.agent.requests.testConnection(brought));
          await here.keep({ name, ...brought, validity_days: 7 }).catch((refused: unknown) => {
            expect(String(refused)).toContain('It is not kept');
          });
          if (here.store.state.credentials.size > 0) {
            CredentialView.parse(here.view(name));
            const tested = await here.agent.requests.testCredential(name);
            if (!tested.ok) throw new Error(tested.refusal.reason.code);
            ConnectionTest.parse(tested.value);
          }
          expect(await here.agent.requests.remove(name)).toBeDefined();
          expect(here.failures).toEqual([]);
        }),
        { numRuns: replies },
      );
    });
  }
});

for (const [publications, tags] of [
  [15, []],
  [60, ['long']],
] as const) {
  const title = `a publication ends in an answer, and keeps no id that cannot be used, whatever a service answers: ${publications} publications`;
  it(title, { tags: [...tags], timeout: 60_000 }, async () => {
    const here = await setUpAgent();
    const service = await startRawService();
    const keep = () => here.keep({ name, value: first, base_url: service.baseUrl, validity_days: 7 });
    await keep();
    const usualReply = service.reply;
    const call = async (path: string, body: unknown) => {
      const reply = await fetch(`${here.baseUrl}/portal/ivrs/drafts${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${here.service.sessions.portalKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      expect(reply.status).toBe(200);
      return (await reply.json()) as Record<string, unknown>;
    };
    const { id } = await call('', { document: twoMenus });
    /** After a 401 about the token in the previous run, nothing is published with it. */
    const keepAgainIfRefused = async () => {
      const [credential] = here.store.state.credentials.values();
      if (credential?.trouble === null) return;
      await fetch(`${here.baseUrl}/portal/credentials/${name}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${here.service.sessions.portalKey}` },
      });
      service.reply = usualReply;
      await keep();
    };
    service.calls.length = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(hostileReply(menusBody), { minLength: 1, maxLength: 6 }), async (replies) => {
        await keepAgainIfRefused();
        service.calls.length = 0;
        let place = 0;
        service.reply = () => replies[place++ % replies.length] ?? plainReply(404);
        PublishReply.parse(await call(`/${String(id)}/publish`, { revision: 1, credential: name }));
        for (const { publications } of here.store.state.drafts.values()) {
          const ids = publications.flatMap(({ menus }) => Object.values(menus));
          for (const kept of ids) expect(OtherIvrId.safeParse(kept).success, kept.slice(0, 50)).toBe(true);
        }
        for (const made of service.calls.splice(0)) {
          expect(made).toMatch(/^(?:GET \/v1\/ivrs|POST \/v1\/ivr|PUT \/v1\/ivr\/[^/]+)$/);
        }
      }),
      { numRuns: publications },
    );
    expect(here.failures).toEqual([]);
  });
}

describe('after a rotation whose instants make no sense', () => {
  const fresh = 'rvx_TheOneThatComesAfterIt';

  it.each([
    ['a Date in the year 99999', 'Fri, 01 Jan 99999 00:00:00 GMT', '2026-01-17T12:00:00Z'],
    ['the first Date that there is', '-271821-04-20T00:00:00.000Z', '2026-01-17T12:00:00Z'],
    ['the last Date that there is', 'Sat, 13 Sep 275760 00:00:00 GMT', '2026-01-17T12:00:00Z'],
    ['an end in the year 9999', 'Sat, 10 Jan 2026 12:00:00 GMT', '9999-12-31T23:59:59Z'],
    ['an end before there was time', 'Fri, 31 Dec 9999 23:59:59 GMT', '0000-01-01T00:00:00Z'],
  ])('the target gets the new token: %s', async (_what, date, end) => {
    const here = await setUpAgent();
    const service = await startRawService();
    await here.keep({ name, value: first, base_url: service.baseUrl, validity_days: 7 });
    const file = join(makeFolder(), 'crm-token');
    const targetId = targetIdNamed(name);
    await here.store.transact((state) => addTarget(state, name, targetId, { kind: 'file', path: file }));
    service.reply = (call) => {
      const body = JSON.stringify(
        call === rotate ? { access_token: fresh, validity_days: 7 } : { expires_at: end },
      );
      return plainReply(200, body, `date: ${date}\r\n`);
    };
    await here.agent.requests.rotateNow(name);
    await here.agent.requests.deliverNow(name, targetId);
    expect(readFileSync(file, 'utf8')).toBe(`${fresh}\n`);
    const { lifetime } = [...here.store.state.credentials.values()][0] ?? {};
    expect(lifetime).toEqual({ obtainedAtMs: noon, expiresAtMs: noon + 7 * dayMs });
  });
});

describe('a bug of ours', () => {
  const bug = new Error('nobody foresaw this');

  it('in the middle of a rotation is a trouble, and the token that came is kept by the next attempt', async () => {
    const { setup: here, ledger } = await setUpFullDisk();
    ledger.refusal = bug;
    ledger.refuses = 'credential.rotated';
    const { value } = await here.issue();
    await here.keep({ name, value });
    expect(await here.agent.requests.rotateNow(name)).toMatchObject({ ok: true });
    expect(here.view(name)).toMatchObject({
      generation: 1,
      trouble: { message: 'Something went wrong inside Rotavox. Rotavox will retry.' },
    });
    expect(here.failures).toEqual([bug]);
    ledger.refuses = 'nothing';
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ generation: 2, trouble: null });
    expect(await here.tryValue((await here.valueOf(name)) ?? '')).toBe(200);
  });

  it.each(['rotavox', 'app'])(
    'in a delivery is a failure of its receipt: at the entries of %s',
    async (service) => {
      const here = await setUpAgent();
      const { value } = await here.issue();
      await here.keep({ name, value });
      const targetId = targetIdNamed(name);
      await here.store.transact((state) =>
        addTarget(state, name, targetId, { kind: 'keychain', service: 'app', account: 'me' }),
      );
      here.vault.onCall = ({ entry }) => {
        if (entry.service === service) throw bug;
      };
      expect(await here.agent.requests.deliverNow(name, targetId)).toMatchObject({ ok: true });
      expect(here.view(name).targets).toMatchObject([
        { status: 'failing', message: 'Something went wrong inside Rotavox. Rotavox will retry.' },
      ]);
      expect(here.failures).toEqual([bug]);
    },
  );
});
