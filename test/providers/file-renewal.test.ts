import { describe, expect, it } from 'vitest';
import { FileProvider } from '../../src/providers/file/file-provider.ts';
import { runExamples } from '../../src/providers/file/run-examples.ts';
import { ProviderFile } from '../../src/contract/credential/provider-file.ts';
import { startVaultServer, type VaultToken } from '../fakes/vault-server.ts';
import { leaseProvider, leaseProviderText } from '../fixtures/lease-provider.ts';
import { noon } from '../fixtures/make-events.ts';
import { setUpLoneAgent } from '../agent/agent-setup.ts';
import { makeCaller } from './http/answering-service.ts';
import { attemptOf } from './attempt.ts';
import { describeProvider } from './provider-suite.ts';

const hourMs = 3_600_000;

describeProvider(
  'a provider that is a file, whose tokens are renewed',
  async (time) => {
    const vault = await startVaultServer(time.clock);
    return {
      baseUrl: vault.baseUrl,
      provider: { id: 'leases', inputs: {} },
      files: [leaseProvider],
      token: vault.issue().value,
      isAlive: (token) => vault.isAlive(token),
      replaces: (path) => path.endsWith('/renew-self'),
    };
  },
  { afterLostReply: 'fine', rotation: 'renews' },
);

describe('a renewal by a file', () => {
  async function setUp(one: Partial<VaultToken> = {}) {
    let nowMs = noon;
    const vault = await startVaultServer(() => nowMs);
    const at = new FileProvider(leaseProvider, makeCaller(), () => nowMs);
    const token = vault.issue({ creationTtl: 3600, ...one });
    const attempt = { ...attemptOf({ baseUrl: vault.baseUrl, token: token.value }), sinceMs: noon };
    return { vault, at, attempt, jump: (ms: number) => void (nowMs += ms), now: () => nowMs };
  }

  it('gives the same token a later end', async () => {
    const { at, attempt, jump, now } = await setUp();
    jump(hourMs / 2);
    expect(await at.renew(attempt)).toEqual({
      ok: true,
      value: { token: attempt.token, validityDays: null, expiresAtMs: now() + hourMs, isLast: false },
    });
  });

  it('is the last one when it brings no later end, unless the one before it was a moment ago', async () => {
    const { vault, at, attempt, jump } = await setUp();
    vault.maxTtl = 3600;
    jump(5_000);
    expect(await at.renew(attempt)).toMatchObject({ ok: true, value: { isLast: false } });
    jump(hourMs / 2);
    expect(await at.renew(attempt)).toMatchObject({ ok: true, value: { isLast: true } });
    // When it was renewed before is not known: nothing can be told from it.
    const { sinceMs: _since, ...withoutSince } = attempt;
    expect(await at.renew(withoutSince)).toMatchObject({ ok: true, value: { isLast: false } });
  });

  it('is the last one when the service says so', async () => {
    const file = ProviderFile.parse({
      ...leaseProviderText,
      steps: {
        ...leaseProviderText.steps,
        renew: {
          ...leaseProviderText.steps.renew,
          reply: { ...leaseProviderText.steps.renew.reply, last: { '/auth/renewable': true } },
        },
      },
    });
    const { attempt, now } = await setUp();
    expect(await new FileProvider(file, makeCaller(), now).renew(attempt)).toMatchObject({
      value: { isLast: true },
    });
  });

  it('is refused for a token that never expires, was revoked or cannot be renewed', async () => {
    const root = await setUp({ creationTtl: null });
    expect(await root.at.renew(root.attempt)).toMatchObject({
      refusal: { trouble: { code: 'not_renewable', until: null } },
    });
    expect(await root.at.inspectRotation(root.attempt)).toMatchObject({ outcome: 'cannot_rotate' });
    const gone = await setUp({ isRevoked: true });
    expect(await gone.at.renew(gone.attempt)).toMatchObject({ refusal: { kind: 'invalid' } });
    expect(await gone.at.inspectRotation(gone.attempt)).toMatchObject({ outcome: 'unknown' });
    const fixed = await setUp({ isRenewable: false });
    expect(await fixed.at.renew(fixed.attempt)).toMatchObject({ refusal: { kind: 'no_endpoint' } });
  });

  it('becomes a reminder at the limit of the token', async () => {
    const here = await setUpLoneAgent({ providerFiles: [leaseProvider] });
    const vault = await startVaultServer(here.time.clock);
    vault.maxTtl = 2 * 3600;
    const { value } = vault.issue({ creationTtl: 3600 });
    await here.keep({ name: 'ci', value, base_url: vault.baseUrl, provider: { id: 'leases', inputs: {} } });
    for (let count = 0; count < 3; count += 1) {
      here.time.jump(hourMs / 2);
      if (here.view('ci').state !== 'reminder') await here.agent.requests.rotateNow('ci');
    }
    expect(here.view('ci')).toMatchObject({
      state: 'reminder',
      generation: 1,
      expires_at: new Date(noon + 2 * hourMs).toISOString(),
    });
    expect(await here.valueOf('ci')).toBe(value);
  });
});

describe('a file of shape renew', () => {
  it('does as its examples say', async () => {
    expect((await runExamples(leaseProvider)).map(({ problem }) => problem)).toEqual([null, null, null]);
  });

  const { steps } = leaseProviderText;
  const mint = { request: steps.renew.request, reply: { status: 200, value: '/token' } };
  const { ends: _ends, ...withoutEnds } = steps.inspect.reply;

  it.each<[string, object, string]>([
    ['a step that creates tokens', { steps: { ...steps, mint } }, 'steps.mint'],
    ['no renewal', { steps: { inspect: steps.inspect } }, 'steps'],
    ['no end before', { steps: { ...steps, inspect: { ...steps.inspect, reply: withoutEnds } } }, 'steps'],
    ['another way after a lost reply', { after_lost_reply: 'inspect' }, 'after_lost_reply'],
    ['another shape', { shape: 'self_rotate', after_lost_reply: 'inspect' }, 'steps'],
  ])('is refused with %s', (_what, change, path) => {
    const parsed = ProviderFile.safeParse({ ...leaseProviderText, ...change });
    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });
});
