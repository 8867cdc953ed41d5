import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FileProvider } from '../../src/providers/file/file-provider.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { type KeyServer, startKeyServer } from '../fakes/key-server.ts';
import { keyProvider, leaseProvider, leaseProviderText } from '../fixtures/key-provider.ts';
import { noon } from '../fixtures/make-events.ts';
import { makeCaller } from './http/answering-service.ts';
import { attemptOf, describeProvider } from './provider-suite.ts';
import { knownFileOf, providerOfToken } from '../../src/contract/credential/provider-view.ts';
import { ProviderFile } from '../../src/contract/credential/provider-file.ts';
import { setProviderFiles, tokenPage } from '../../src/providers/catalogue.ts';
import { knownFile } from '../../src/providers/file/known-file.ts';
import { providerViews } from '../../src/text/credential/providers.ts';
import { setUpAgent, setUpLoneAgent } from '../agent/agent-setup.ts';
import { startAssistedServer } from '../fakes/assisted-server.ts';
import { runExamples } from '../../src/providers/file/run-examples.ts';
import { startVaultServer, type VaultToken } from '../fakes/vault-server.ts';

describeProvider(
  'a provider that is a file, whose tokens create their own successors',
  async (time) => {
    const keys = await startKeyServer(time.clock);
    return {
      baseUrl: keys.baseUrl,
      provider: { id: 'keys', inputs: {} },
      files: [keyProvider],
      token: keys.create().value,
      keepsOld: true,
      isAlive: (token) => keys.isAlive(token),
      replaces: (path) => path === '/keys',
    };
  },
  { afterLostReply: 'fine' },
);

describe('a provider that is a file', () => {
  const label = 'rotavox-crm-0a1b2c3d';

  async function setUp() {
    const keys = await startKeyServer(() => noon);
    const provider = new FileProvider(keyProvider, makeCaller(), () => noon);
    const { value: token } = keys.create();
    return { keys, provider, attempt: attemptOf({ baseUrl: keys.baseUrl, token, label, wantedDays: 30 }) };
  }

  const callsOf = ({ calls }: KeyServer) => calls;

  it('creates a token with the label and the end that are asked for', async () => {
    const { keys, provider, attempt } = await setUp();
    const minted = await provider.rotate(attempt);
    expect(minted).toMatchObject({ ok: true, value: { upstreamId: '2', validityDays: 30 } });
    expect(keys.keys.at(-1)).toMatchObject({ name: label, expiresAtMs: noon + 30 * 86_400_000 });
  });

  it('deletes what a lost reply left, by its label, and nothing else', async () => {
    const { keys, provider, attempt } = await setUp();
    keys.create('of another program');
    keys.create(label);
    keys.create(`${label}x`);
    expect(await provider.reconcile(attempt)).toEqual({ kind: 'nothing_happened' });
    expect(keys.keys.map(({ id }) => id)).toEqual([1, 2, 4]);
    expect(callsOf(keys)).toEqual(['GET /keys?all=true', 'DELETE /keys/3']);
  });

  it('is not clear about a lost reply while nothing can be listed or deleted', async () => {
    const { keys, provider, attempt } = await setUp();
    const down = { ...attempt, baseUrl: 'http://127.0.0.1:1' };
    expect(await provider.reconcile(down)).toMatchObject({
      kind: 'unclear',
      failure: { kind: 'unreachable' },
    });
    keys.create(label);
    keys.refusesToDelete = 500;
    expect(await provider.reconcile(attempt)).toMatchObject({ kind: 'unclear' });
  });

  it('has the calls that create and delete made by the guardian', async () => {
    const { keys, provider, attempt } = await setUp();
    const guardian = keys.create('guardian').value;
    keys.keys.shift(); // the token in use has ended
    const asked = { ...attempt, inputs: { guardian: 'admin' }, tokenOf: () => Promise.resolve(guardian) };
    expect(await provider.rotate(asked)).toMatchObject({ ok: true });
    expect(await provider.end(asked, { by: 'id', id: '3' })).toEqual({ ok: true, value: 'deleted' });
    expect(await provider.end(asked, { by: 'id', id: '3' })).toEqual({ ok: true, value: 'already_gone' });
  });

  it('waits while the guardian cannot be used, and does not take the token of the credential instead', async () => {
    const { keys, provider, attempt } = await setUp();
    const asked = { ...attempt, inputs: { guardian: 'admin' } };
    expect(await provider.rotate(asked)).toMatchObject({
      refusal: { trouble: { code: 'no_guardian', name: 'admin' }, mayHaveActed: false },
    });
    expect(callsOf(keys)).toEqual([]);
  });

  it('takes a refused token for dead only where asking about it says so too', async () => {
    const { keys, provider, attempt } = await setUp();
    const proxy = await startFaultyProxy(() => keys.baseUrl);
    proxy.meets = (path) => path === '/keys';
    proxy.otherwise = { status: 401, body: '{"message":"No."}' };
    const byProxy = { ...attempt, baseUrl: proxy.baseUrl };
    expect(await provider.rotate(byProxy)).toMatchObject({
      refusal: { kind: 'refused', mayHaveActed: false },
    });
    keys.keys.shift();
    expect(await provider.rotate(byProxy)).toMatchObject({
      refusal: { kind: 'invalid', mayHaveActed: false },
    });
  });

  it('sends nothing to a host that the file does not name', async () => {
    const { keys, attempt } = await setUp();
    const provider = new FileProvider({ ...keyProvider, hosts: ['keys.example'] }, makeCaller(), () => noon);
    expect(await provider.rotate(attempt)).toMatchObject({
      refusal: { kind: 'unreachable', mayHaveActed: false },
    });
    expect(callsOf(keys)).toEqual([]);
  });
});

const path = new URL('../../resources/providers/hugging-face.json', import.meta.url);
const text = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const page = 'https://huggingface.co/settings/tokens';
const dayMs = 86_400_000;
const choice = { id: 'hugging-face', inputs: {} };

/** On a server of the test. */
function fileAt(baseUrl: string) {
  return ProviderFile.parse({ ...text, base_url: baseUrl });
}

it('a service that lets only a person create tokens can be a file', async () => {
  const here = await startAssistedServer(() => noon);
  here.tokens.set('hf_one', { status: 200, body: { auth: { expiresAt: new Date(noon + 30 * dayMs) } } });
  const at = new FileProvider(fileAt(here.baseUrl), makeCaller(), () => noon);
  const held = attemptOf({ baseUrl: here.baseUrl, token: 'hf_one' });
  expect((await at.inspect(held)).reply).toMatchObject({ kind: 'known', expiresAtMs: noon + 30 * dayMs });
  expect(await at.inspectRotation(held)).toMatchObject({
    outcome: 'cannot_rotate',
    reason: { code: 'person_creates', page },
  });
  expect(await at.rotate(held)).toMatchObject({ refusal: { trouble: { code: 'person_creates', page } } });
  expect(here.calls).toEqual(['GET /api/whoami-v2']);
});

it('its page is known to the service, and to a window by what the service says', () => {
  onTestFinished(() => setProviderFiles([]));
  const baseUrl = 'https://huggingface.co';
  setProviderFiles([[choice.id, knownFile(ProviderFile.parse(text))]]);
  expect(tokenPage(choice, baseUrl)).toBe(page);
  const view = providerViews().find(({ id }) => id === choice.id);
  expect(view?.creation).toEqual([{ text: text.creation, only_for: null }]);
  expect(providerOfToken('hf_abc', view === undefined ? [] : [view])).toEqual({ id: choice.id, inputs: {} });
  expect(view?.rotation).toContain('The old token works until it expires.');
  setProviderFiles(view === undefined ? [] : [[choice.id, knownFileOf(view)]]);
  expect(tokenPage(choice, baseUrl)).toBe(page);
});

it('a credential of it is a reminder with the end that its service tells', async () => {
  const server = await startAssistedServer(() => noon);
  server.tokens.set('hf_one', { status: 200, body: { auth: { expiresAt: new Date(noon + 30 * dayMs) } } });
  const here = await setUpAgent({ providerFiles: [fileAt(server.baseUrl)] });
  await here.keep({ name: 'models', value: 'hf_one', base_url: server.baseUrl, provider: choice });
  expect(here.view('models')).toMatchObject({
    can_rotate: false,
    expires_at: new Date(noon + 30 * dayMs).toISOString(),
  });
  const refused = await here.agent.requests.rotateNow('models');
  expect(refused).toMatchObject({ refusal: { reason: { code: 'person_creates', page } } });
});

it.each([
  [
    'a step that a person does',
    { steps: { retire: { request: { method: 'DELETE', path: '/x' }, reply: { status: 204 } } } },
    'steps.retire',
  ],
  ['a page that is not protected', { page: 'http://huggingface.co/settings/tokens' }, 'page'],
  ['a beginning of its tokens that others have too', { prefixes: ['h'] }, 'prefixes.0'],
  ['a reply that could be lost', { after_lost_reply: 'list' }, 'after_lost_reply'],
])('a file with %s is refused', (_what, more, place) => {
  const parsed = ProviderFile.safeParse({ ...text, ...more });
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(place);
});

it('a service that cannot be asked needs no examples', () => {
  const unasked = { ...text, steps: {}, examples: [] };
  expect(ProviderFile.safeParse(unasked).success).toBe(true);
});

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
