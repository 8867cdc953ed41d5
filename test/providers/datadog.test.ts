import { describe, expect, it, onTestFinished } from 'vitest';
import { DatadogProvider } from '../../src/providers/datadog/calls.ts';
import { setUpAgent } from '../agent/agent-setup.ts';
import { noon } from '../fixtures/make-events.ts';
import { attemptOf, describeProvider } from './provider-suite.ts';
import { makeCaller } from './http/answering-service.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { type FakeCall, type FakeReply, serveFake } from '../fakes/serve-fake.ts';

const guardian = 'datadog-app-key';
const provider = { id: 'datadog', inputs: { guardian } };
/** An application key rotates itself nowhere: it is watched. */
const appKey = { id: 'assisted', inputs: { service: 'other' } };

describeProvider(
  'an API key of Datadog',
  async (time) => {
    const datadog = await startDatadogServer(time.clock);
    return {
      baseUrl: datadog.baseUrl,
      provider,
      helpers: { [guardian]: 'app-key' },
      helperProvider: appKey,
      token: datadog.issue().key,
      validityDays: 30,
      keepsOld: true,
      isAlive: (token) => datadog.keys.some(({ key }) => key === token),
      replaces: (path) => path === '/api/v2/api_keys',
    };
  },
  { afterLostReply: 'fine' },
);

describe('a key of Datadog', () => {
  async function setUp() {
    const datadog = await startDatadogServer(() => noon);
    const at = new DatadogProvider(makeCaller(), () => noon);
    const current = datadog.issue();
    const attempt = attemptOf({
      baseUrl: datadog.baseUrl,
      token: current.key,
      inputs: { guardian },
      wantedDays: 90,
      tokenOf: (name) => Promise.resolve(name === guardian ? 'app-key' : null),
    });
    return { datadog, at, current, attempt };
  }

  it('has no end, and tells its id', async () => {
    const { datadog, at, current, attempt } = await setUp();
    const reply = { kind: 'not_told', reason: { code: 'never_expires' } };
    expect((await at.inspect(attempt)).reply).toEqual({ ...reply, upstreamId: current.id });
    datadog.hasNewValidation = false;
    expect((await at.inspect(attempt)).reply).toEqual(reply);
    expect((await at.inspect({ ...attempt, token: 'f'.repeat(32) })).reply).toMatchObject({
      kind: 'refused',
      said: 'Forbidden',
    });
  });

  it('gets a successor with its label, for as long as the owner wants', async () => {
    const { datadog, at, attempt } = await setUp();
    const minted = await at.rotate(attempt);
    const [, made] = datadog.keys;
    expect(made?.name).toBe(attempt.label);
    expect(minted).toEqual({
      ok: true,
      value: {
        token: made?.key,
        upstreamId: made?.id,
        validityDays: 90,
        expiresAtMs: null,
        expiryAssumed: 'never',
      },
    });
  });

  it('is known not to work only where the validation says so', async () => {
    const { datadog, at, attempt } = await setUp();
    datadog.mayManage = false;
    const refusal = { kind: 'refused', mayHaveActed: false, trouble: { said: 'Forbidden' } };
    expect(await at.rotate(attempt)).toMatchObject({ refusal });
    expect(await at.inspectRotation(attempt)).toMatchObject({ outcome: 'cannot_rotate' });
    expect(await at.rotate({ ...attempt, token: 'f'.repeat(32) })).toMatchObject({
      refusal: { kind: 'invalid', mayHaveActed: false },
    });
  });

  it('waits for its application key', async () => {
    const { at, attempt } = await setUp();
    const alone = { ...attempt, tokenOf: () => Promise.resolve(null) };
    const missing = { refusal: { trouble: { code: 'no_guardian', name: guardian } } };
    expect(await at.rotate(alone)).toMatchObject(missing);
    expect(await at.end(alone, { by: 'id', id: 'x' })).toMatchObject(missing);
    expect(await at.reconcile(alone)).toMatchObject({ kind: 'unclear' });
    expect(await at.inspectRotation(alone)).toMatchObject({ outcome: 'unknown' });
  });

  // What people report about keys of Datadog.
  it.each([
    [
      'that there are as many keys as there may be (argoproj/argo-rollouts#705)',
      { status: 400, body: { errors: ['API key limit reached'] } },
      { code: 'service_failed', status: 400, said: 'API key limit reached' },
      { mayHaveActed: false, retryAfterMs: null },
    ],
    [
      'that its limit of calls is reset in some seconds',
      { status: 429, body: { errors: ['Rate limit'] }, headers: { 'x-ratelimit-reset': '17' } },
      { code: 'service_failed', status: 429 },
      { mayHaveActed: false, retryAfterMs: 17_000 },
    ],
    [
      'with a page of its firewall (DataDog/datadogpy#352)',
      { status: 403, body: '<html><body><h1>403 Forbidden</h1></body></html>' },
      { code: 'call_failed', failure: { code: 'page', status: 403 } },
      { mayHaveActed: true },
    ],
    [
      'with the detail of a newer error',
      { status: 500, body: { errors: [{ detail: 'Try again later.' }] } },
      { code: 'service_failed', said: 'Try again later.' },
      { mayHaveActed: true },
    ],
    [
      'without the new key',
      { status: 201, body: { data: { id: 'x', attributes: {} } } },
      { code: 'no_new_token' },
      { mayHaveActed: true },
    ],
  ])('is told %s', async (_what, creation, trouble, more) => {
    const { datadog, at, attempt } = await setUp();
    datadog.creation = creation;
    expect(await at.rotate(attempt)).toMatchObject({ ok: false, refusal: { trouble, ...more } });
  });

  it('that a lost reply left behind is found by its whole name, and deleted', async () => {
    const { datadog, at, attempt } = await setUp();
    await at.rotate(attempt);
    const other = datadog.issue(`${attempt.label}-of-another-program`);
    expect(await at.reconcile(attempt)).toEqual({ kind: 'nothing_happened' });
    expect(datadog.keys.map(({ id }) => id)).toEqual([datadog.keys[0]?.id, other.id]);
    datadog.mayManage = false;
    expect(await at.reconcile(attempt)).toMatchObject({ kind: 'unclear', failure: { kind: 'refused' } });
  });

  it('that is gone already is not deleted twice', async () => {
    const { at, datadog, attempt } = await setUp();
    const old = datadog.issue();
    expect(await at.end(attempt, { by: 'id', id: old.id })).toEqual({ ok: true, value: 'deleted' });
    expect(await at.end(attempt, { by: 'id', id: old.id })).toEqual({ ok: true, value: 'already_gone' });
    expect(await at.end(attempt, { by: 'itself' })).toEqual({ ok: true, value: 'no_call' });
  });

  it('is deleted when the overlap is over, although nobody entered its id', async () => {
    const here = await setUpAgent();
    const datadog = await startDatadogServer(here.time.clock);
    const first = datadog.issue();
    const more = { base_url: datadog.baseUrl, validity_days: 90 };
    await here.keep({ ...more, name: guardian, value: 'app-key', provider: appKey });
    await here.keep({ ...more, name: 'agents', value: first.key, provider });
    here.agent.start();
    expect((await here.agent.requests.rotateNow('agents')).ok).toBe(true);
    expect(here.view('agents').retiring).toMatchObject([{ generation: 1, upstream_id: first.id }]);
    const gone = here.next('credential.retired');
    await here.time.advance(25 * 3_600_000);
    await gone;
    expect(datadog.keys.map(({ key }) => key)).toEqual([await here.valueOf('agents')]);
  });
});

/*
 * API keys of Datadog. The rules, with their sources:
 *
 * - `GET /api/v2/validate` with `DD-API-KEY` {data: {attributes: {valid, api_key_id}}}, in preview; 403 for another key:
 *   https://docs.datadoghq.com/api/latest/key-management/validate-api-key. `GET /api/v1/validate` {valid}:
 *   https://docs.datadoghq.com/api/latest/authentication
 * - All others need `DD-APPLICATION-KEY` too; without it 401, with a wrong one or one that may not do it 403 {errors: ["Forbidden"]}:
 *   https://docs.datadoghq.com/api/latest/key-management, github.com/DataDog/datadog-api-client-python/pull/2670
 * - `POST /api/v2/api_keys` {data: {id, attributes: {key, name, last4}}} 201; `GET …?filter=` finds parts of names;
 *   `DELETE …/{id}` 204, 404 for one that is gone: https://docs.datadoghq.com/api/latest/key-management
 * - An organization has 50 keys at most: https://docs.datadoghq.com/account_management/api-app-keys
 */

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

interface DatadogServer {
  baseUrl: string;
  readonly keys: ApiKey[];
  readonly appKeys: Set<string>;
  /** Whether application keys may read and write API keys. */
  mayManage: boolean;
  /** Whether there is the newer call to validate. */
  hasNewValidation: boolean;
  mostKeys: number;
  /** The answer to a new key, if it is another one. */
  creation: FakeReply | null;
  /** Every call, without secrets. */
  readonly calls: string[];
  issue(name?: string): ApiKey;
}

const forbidden: FakeReply = { status: 403, body: { errors: ['Forbidden'] } };

/** Listens until the test is over. */
async function startDatadogServer(clock: () => number): Promise<DatadogServer> {
  const fake: DatadogServer = {
    baseUrl: '',
    keys: [],
    appKeys: new Set(['app-key']),
    mayManage: true,
    hasNewValidation: true,
    mostKeys: 50,
    creation: null,
    calls: [],
    issue(name = 'agents') {
      const made = { id: randomUUID(), name, key: randomBytes(16).toString('hex') };
      fake.keys.push(made);
      return made;
    },
  };

  function answerTo({ method, path, headers, body }: FakeCall): FakeReply {
    const { pathname, searchParams } = new URL(path, fake.baseUrl);
    const own = fake.keys.find(({ key }) => key === headers['dd-api-key']);
    if (pathname === '/api/v1/validate')
      return own === undefined ? forbidden : { status: 200, body: { valid: true } };
    if (pathname === '/api/v2/validate' && fake.hasNewValidation) {
      const attributes = { valid: true, api_key_id: own?.id, api_key_scopes: [] };
      return own === undefined
        ? forbidden
        : { status: 200, body: { data: { id: 'org', type: 'validate_v2', attributes } } };
    }
    if (!pathname.startsWith('/api/v2/api_keys')) return { status: 404, body: { errors: ['Not found'] } };
    const appKey = headers['dd-application-key'];
    if (appKey === undefined) return { status: 401, body: { errors: ['Unauthorized'] } };
    if (own === undefined || typeof appKey !== 'string' || !fake.appKeys.has(appKey) || !fake.mayManage)
      return forbidden;
    if (method === 'POST') {
      if (fake.creation !== null) return fake.creation;
      if (fake.keys.length >= fake.mostKeys)
        return { status: 400, body: { errors: ['API key limit reached'] } };
      const { data } = JSON.parse(body) as { data: { attributes: { name: string } } };
      const { id, name, key } = fake.issue(data.attributes.name);
      const attributes = { name, key, last4: key.slice(-4) };
      return { status: 201, body: { data: { id, type: 'api_keys', attributes } } };
    }
    if (method === 'GET') {
      const filter = searchParams.get('filter') ?? '';
      const data = fake.keys
        .filter(({ name }) => name.includes(filter))
        .slice(0, Number(searchParams.get('page[size]')))
        .map(({ id, name }) => ({ id, type: 'api_keys', attributes: { name } }));
      return { status: 200, body: { data } };
    }
    const place = fake.keys.findIndex(({ id }) => pathname.endsWith(`/${id}`));
    if (place < 0) return { status: 404, body: { errors: ['API key not found'] } };
    fake.keys.splice(place, 1);
    return { status: 204 };
  }

  const { baseUrl, close } = await serveFake((call) => {
    fake.calls.push(`${call.method} ${call.path}`);
    return answerTo(call);
  }, clock);
  onTestFinished(close);
  fake.baseUrl = baseUrl;
  return fake;
}
