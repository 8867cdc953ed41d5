import { describe, expect, it } from 'vitest';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { noon } from '../../fixtures/make-events.ts';
import { setUpLoneAgent } from '../agent-setup.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';

const name = 'gitlab';
const dayMs = 86_400_000;

/** GitLab without a limit for tokens: they never expire. */
async function setUp(expiresAt: string | null) {
  const here = await setUpLoneAgent();
  const service = await startAnsweringService((incoming, outgoing) => {
    const known = { id: 7, name: 'deploy', active: true, created_at: null, scopes: ['api'] };
    const body = { ...known, expires_at: expiresAt };
    const token = incoming.method === 'POST' ? { token: 'glpat-second0123456789' } : {};
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ ...body, ...token }));
  });
  const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
  const value = 'glpat-first01234567890';
  await here.keep({ name, value, base_url: service.baseUrl, provider, validity_days: 30 });
  return here;
}

describe('the expiry of a token whose service says none', () => {
  it('is what a person said, and after a rotation what is assumed, which the history and the state say', async () => {
    const here = await setUp(null);
    expect(here.view(name).expiry_assumed).toBeUndefined();
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({
      generation: 2,
      expires_at: new Date(noon + 30 * dayMs).toISOString(),
      expiry_assumed: 'never',
    });
    expect(here.events.find(({ kind }) => kind === 'credential.rotated')).toMatchObject({
      data: { expiry_assumed: 'never' },
    });
  });

  it('is still known to be assumed when a rotation that was stopped is finished', async () => {
    const here = await setUp(null);
    here.vault.onCall = ({ kind, entry }) => {
      if (kind === 'write' && entry.account === name) here.vault.fail('locked');
    };
    await here.agent.requests.rotateNow(name);
    await here.agent.close();
    here.vault.heal();
    here.vault.onCall = () => undefined;
    const { store: ledger, vault, time, baseUrl } = here;
    const next = makeAgent({ ledger, vault, clock: time.clock, timer: time, embeddedUrl: () => baseUrl });
    await next.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ generation: 2, expiry_assumed: 'never' });
  });

  it('is said, where the service says it', async () => {
    const here = await setUp('2026-02-09');
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ generation: 2 });
    expect(here.view(name).expiry_assumed).toBeUndefined();
  });
});
