import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartSignIn } from '../../src/contract/credential/sign-in.ts';
import { type AgentSetup, setUpAgent } from '../agent/agent-setup.ts';
import { bundleIn } from '../providers/provider-suite.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { credentialIdNamed } from '../fixtures/credential-events.ts';
import { glewlwydMachine, type GlewlwydServer, startGlewlwydServer } from './glewlwyd-server.ts';

const name = 'crm';
let glewlwyd: GlewlwydServer;

beforeAll(async () => {
  glewlwyd = await startGlewlwydServer();
});
afterAll(() => glewlwyd.close());

/** Signs in with a code. */
async function signedIn(inputs: Record<string, string>): Promise<AgentSetup> {
  const here = await setUpAgent();
  const { requests } = here.agent;
  const body = StartSignIn.parse({
    name,
    method: 'device',
    provider: { id: 'oauth2', inputs: { service: 'other', client_id: 'app', scope: 'g_profile', ...inputs } },
    base_url: glewlwyd.baseUrl,
  });
  const started = await requests.startSignIn(credentialIdNamed(name), body);
  if (!started.ok) throw new Error(JSON.stringify(started.refusal));
  const added = here.next('credential.added');
  await glewlwyd.enterCode(started.value.user_code ?? '');
  await added;
  return here;
}

/** What the server says to a refresh token. */
async function refresh(secret: string): Promise<number> {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: 'app',
    refresh_token: bundleIn(secret).refresh_token,
  });
  return (await fetch(`${glewlwyd.baseUrl}/token`, { method: 'POST', body })).status;
}

describe('at Debian’s OAuth server', () => {
  it('a person signs in with a code, and each refresh has a new refresh token', async () => {
    const here = await signedIn({ issuer: glewlwyd.baseUrl });
    const secrets = [(await here.valueOf(name)) ?? ''];
    for (const generation of [2, 3]) {
      await here.agent.requests.rotateNow(name);
      expect(here.view(name)).toMatchObject({ state: 'fine', generation, trouble: null });
      secrets.push((await here.valueOf(name)) ?? '');
    }
    expect(new Set(secrets.map((one) => bundleIn(one).refresh_token)).size).toBe(3);
    expect(new Set(secrets.map((one) => bundleIn(one).access_token)).size).toBe(3);
    expect(await refresh(secrets[2] ?? '')).toBe(200);
  });

  it('a refresh whose reply was lost is repeated only when no access token can be ended by it', async () => {
    const proxy = await startFaultyProxy(() => new URL(glewlwyd.baseUrl).origin);
    proxy.meets = (path) => path.endsWith('/token');
    const at = `${proxy.baseUrl}${new URL(glewlwyd.baseUrl).pathname}`;
    const here = await signedIn({ token_url: `${at}/token`, device_url: `${at}/device_authorization` });
    proxy.faults.push('drop_reply');
    await here.agent.requests.rotateNow(name);
    proxy.seen.length = 0;
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'failing', trouble: { kind: 'unreachable' } });
    expect(proxy.seen).toEqual([]);
    // It does not say why it refuses the spent refresh token.
    here.time.jump(3_600_000);
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'reply_lost' });
  });

  it('a client with a secret gets access tokens', async () => {
    const here = await setUpAgent();
    const inputs = { service: 'other', issuer: glewlwyd.baseUrl, client_id: glewlwydMachine.id };
    await here.keep({
      name,
      value: glewlwydMachine.secret,
      provider: { id: 'oauth2-client', inputs: { ...inputs, scope: 'g_profile' } },
    });
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
  });
});
