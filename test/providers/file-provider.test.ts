import { describe, expect, it } from 'vitest';
import { FileProvider } from '../../src/providers/file/file-provider.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { type KeyServer, startKeyServer } from '../fakes/key-server.ts';
import { keyProvider } from '../fixtures/key-provider.ts';
import { noon } from '../fixtures/make-events.ts';
import { makeCaller } from './http/answering-service.ts';
import { attemptOf } from './attempt.ts';
import { describeProvider } from './provider-suite.ts';

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
