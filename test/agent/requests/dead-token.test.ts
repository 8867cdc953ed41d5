import { describe, expect, it } from 'vitest';
import { problems } from '../../../src/contract/problems.ts';
import type { CredentialView } from '../../../src/contract/credential/credential-view.ts';
import type { CredentialAgent } from '../../../src/core/credential/credential-agent.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { setUpLoneAgent } from '../agent-setup.ts';
import { setUpLoop } from '../loop/loop-setup.ts';
import { setUpRotation, name, restart } from '../rotation/rotation-setup.ts';
import {
  asksForEndpoint,
  type CannedAnswer,
  startAnsweringService,
} from '../../providers/http/answering-service.ts';

async function refusalOf(requests: CredentialAgent, of: string) {
  const value = await requests.valueOf(of);
  return value.ok ? null : value.refusal;
}

async function tokenOf(setup: { view: (name: string) => CredentialView }, of: string): Promise<string> {
  return setup.view(of).token_id ?? '';
}

describe('a token of this service that is suspended', () => {
  it('is not rotated when it would have been due, and is as soon as it is resumed', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    const id = await tokenOf(setup, 'app');
    await setup.wanted('POST', `/tokens/${id}/suspend`);
    await setup.pass(6 * dayMs);
    expect(setup.traffic.asked).toBe(0);
    expect(setup.eventsOf('credential.rotation_begun')).toEqual([]);
    expect(await refusalOf(setup.agent.requests, 'app')).toMatchObject({ problem: 'token_unusable' });

    await setup.wanted('POST', `/tokens/${id}/resume`);
    await setup.pass(0);
    expect(setup.eventsOf('credential.rotated')).toHaveLength(1);
    expect(setup.view('app')).toMatchObject({ state: 'fine', trouble: null });
    expect(await refusalOf(setup.agent.requests, 'app')).toBeNull();
  });

  it('is not rotated at the owner’s request either: no call is made, nothing is recorded', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue();
    await setup.keep({ name: 'app', value });
    await setup.wanted('POST', `/tokens/${await tokenOf(setup, 'app')}/suspend`);
    await setup.agent.requests.rotateNow('app');
    expect(setup.eventsOf('credential.rotation_begun')).toEqual([]);
    expect(setup.view('app').trouble).toMatchObject({ kind: 'suspended' });
  });

  it('is delivered to no target until it is resumed', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue();
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    const id = await tokenOf(setup, 'app');
    await setup.wanted('POST', `/tokens/${id}/suspend`);
    await setup.wanted('POST', '/credentials/app/targets', {
      kind: 'keychain',
      service: 'app',
      account: 'me',
    });
    await setup.pass(dayMs);
    const [target] = setup.view('app').targets;
    expect(target).toMatchObject({ status: 'owed', attempts: 0 });
    expect(await setup.agent.requests.deliverNow('app', target!.id)).toMatchObject({
      refusal: { problem: 'token_unusable' },
    });
    expect(await setup.vault.read({ service: 'app', account: 'me' })).toBeNull();
    await setup.wanted('POST', `/tokens/${id}/resume`);
    await setup.pass(0);
    expect(await setup.vault.read({ service: 'app', account: 'me' })).toBe(value);
  });
});

describe('a token of another service', () => {
  it.each([
    [401, problems.token_invalid.message, 'invalid'],
    [401, problems.token_expired.message, 'expired'],
    [403, problems.token_suspended.message, 'suspended'],
    [403, problems.token_blacklisted.message, 'blacklisted'],
  ] as const)('that a test hears refused with %i “%s” is %s from then on', async (status, message, kind) => {
    const here = await setUpLoneAgent();
    const there = await startAnsweringService({ status: 404 });
    await here.keep({ name: 'other', value: 'rvx_other', base_url: there.baseUrl, validity_days: 7 });
    there.answer = { status, body: { success: false, message } };
    await here.agent.requests.testCredential('other');
    expect(here.view('other').trouble).toMatchObject({ kind });
    expect(await refusalOf(here.agent.requests, 'other')).toMatchObject({ problem: 'token_unusable' });
    // Reported again, it changes nothing.
    const { last_seq } = here.store.health();
    await here.agent.requests.testCredential('other');
    expect(here.store.health().last_seq).toBe(last_seq);

    there.answer = { status: 200, body: { expires_at: here.view('other').expires_at } };
    await here.agent.requests.testCredential('other');
    expect(here.view('other')).toMatchObject({ state: 'fine', trouble: null });
    expect(await refusalOf(here.agent.requests, 'other')).toBeNull();
  });

  it('that a call finds refused no longer works either, and no further call is made with it', async () => {
    const here = await setUpLoneAgent();
    const there = await startAnsweringService({ status: 404 });
    await here.keep({ name: 'other', value: 'rvx_other', base_url: there.baseUrl, validity_days: 7 });
    there.answer = { status: 401, body: { Success: false, Message: problems.token_invalid.message } };
    await here.agent.requests.callService('other', { method: 'GET', path: '/v1/ivrs' });
    expect(here.view('other')).toMatchObject({ state: 'refused', trouble: { kind: 'invalid' } });
    const { length } = there.calls;
    expect(await here.agent.requests.callService('other', { method: 'GET', path: '/v1/ivrs' })).toMatchObject(
      {
        refusal: { problem: 'token_unusable' },
      },
    );
    expect(there.calls).toHaveLength(length);
  });

  it('that may only lack a permission is returned: a 403 with another text does not refuse it', async () => {
    const here = await setUpLoneAgent();
    const there = await startAnsweringService({ status: 404 });
    await here.keep({ name: 'other', value: 'rvx_other', base_url: there.baseUrl, validity_days: 7 });
    there.answer = { status: 403, body: { message: 'Not for you.' } };
    await here.agent.requests.testCredential('other');
    expect(await refusalOf(here.agent.requests, 'other')).toBeNull();
  });

  it('that expired is no longer returned, even after a restart', async () => {
    const setup = await setUpRotation();
    setup.time.jump(8 * dayMs);
    expect(await refusalOf(setup.here.agent.requests, name)).toMatchObject({ problem: 'token_unusable' });
    const again = await restart(setup);
    expect(await refusalOf(again.requests, name)).toMatchObject({ problem: 'token_unusable' });
  });
});

describe('a service that answers 404 to everything', () => {
  async function setUp(setup?: Awaited<ReturnType<typeof setUpLoop>>) {
    const here = setup ?? (await setUpLoop());
    const there = await startAnsweringService({ status: 404 });
    there.canRotate = false;
    return {
      here,
      there,
      wanted: { name: 'other', value: 'rvx_other', base_url: there.baseUrl, validity_days: 7 },
    };
  }

  it('is refused when a token of it is added, with the reason', async () => {
    const { here, there, wanted } = await setUp();
    const added = await here.agent.requests.add('cred_x' as never, { ...wanted });
    const endpoint = {
      outcome: 'cannot_rotate',
      service: there.baseUrl,
      reason: { code: 'no_endpoint', status: 404 },
    };
    const refusal = { problem: 'cannot_rotate', reason: { code: 'cannot_rotate', endpoint } };
    expect(added).toEqual({ ok: false, refusal });
    expect(here.store.state.credentials.size).toBe(0);
    expect(await here.vault.read({ service: 'rotavox', account: 'other' })).toBeNull();
  });

  it('is never sent the token to find out', async () => {
    const { here, there, wanted } = await setUp();
    const bearers: unknown[] = [];
    there.answer = (incoming, answer) => {
      if (asksForEndpoint(incoming)) bearers.push(incoming.headers.authorization);
      answer.writeHead(404).end();
    };
    await here.agent.requests.testConnection(wanted);
    expect(bearers).toEqual([expect.stringMatching(/^Bearer rvx_[\w-]{43}$/)]);
  });

  it('may be added as a reminder: nothing is planned, and the owner is warned before it expires', async () => {
    const { here, there, wanted } = await setUp();
    await here.keep({ ...wanted, remind_only: true });
    here.agent.start();
    expect(here.view('other')).toMatchObject({
      state: 'reminder',
      can_rotate: false,
      planned: [],
      warning: null,
    });
    await here.pass(6 * dayMs);
    expect(here.view('other')).toMatchObject({ state: 'reminder', warning: 20, next_rotation_at: null });
    await here.pass(dayMs);
    expect(here.view('other')).toMatchObject({ state: 'expired' });
    expect(here.eventsOf('credential.rotation_begun')).toEqual([]);
    expect(there.calls.filter((call) => call === 'POST /v1/auth/rotate')).toHaveLength(1);
  });

  it('is asked to rotate once where that was not known, and waits for a person; a test that finds the endpoint plans again', async () => {
    const { here, there, wanted } = await setUp();
    there.canRotate = true;
    there.answer = (incoming, answer) => {
      // Added while it was unknown whether the service can rotate.
      answer.writeHead(asksForEndpoint(incoming) ? 503 : 404).end();
    };
    there.canRotate = false;
    await here.keep(wanted);
    expect(here.view('other')).toMatchObject({ state: 'fine', can_rotate: null });
    there.answer = { status: 404 };
    here.agent.start();
    await here.pass(6.5 * dayMs);
    expect(here.eventsOf('credential.rotation_failed')).toHaveLength(1);
    expect(here.view('other')).toMatchObject({
      state: 'failing',
      can_rotate: false,
      trouble: { kind: 'no_endpoint', next_try_at: null },
      next_rotation_at: null,
      planned: [],
      rotation: null,
    });
    expect(await here.vault.read({ service: 'rotavox', account: 'other (pending)' })).toBeNull();

    there.canRotate = true;
    expect(await here.agent.requests.testCredential('other')).toMatchObject({
      value: { outcome: 'unknown', rotation: { outcome: 'can_rotate' } },
    });
    expect(here.view('other')).toMatchObject({ can_rotate: true, trouble: null });
    expect(here.view('other').planned).not.toEqual([]);
  });

  it.each<[CannedAnswer, string]>([
    [{ status: 401, body: { message: 'Sign in.' } }, 'a gateway that lets nobody see what is there'],
    [{ status: 429 }, 'one that is busy'],
    [{ status: 302, headers: { location: 'https://elsewhere.example' } }, 'one that sends on'],
    [{ status: 200, body: {} }, 'one that takes anything'],
  ])('is distinguished from %j, which leaves it unknown', async (answer) => {
    const { here, there, wanted } = await setUp();
    there.answer = (incoming, outgoing) => {
      const {
        status,
        headers = {},
        body,
      } = asksForEndpoint(incoming) ? { headers: {}, body: '', ...answer } : { status: 404 };
      outgoing.writeHead(status, headers).end(JSON.stringify(body));
    };
    expect((await here.agent.requests.testConnection(wanted)).rotation).toMatchObject({ outcome: 'unknown' });
    await here.keep(wanted);
    expect(here.view('other')).toMatchObject({ can_rotate: null });
    expect(here.view('other').next_rotation_at).not.toBeNull();
  });
});
