import { randomBytes, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type FakeCall, type FakeReply, serveFake } from './serve-fake.ts';

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

export interface DatadogServer {
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
export async function startDatadogServer(clock: () => number): Promise<DatadogServer> {
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
